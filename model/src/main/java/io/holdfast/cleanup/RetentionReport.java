package io.holdfast.cleanup;

import io.holdfast.Scope;
import io.holdfast.codec.Given;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a policy has removed, or would remove.
 *
 * @param scopes how much of each kind, by scope, in the order of their ids; scopes with nothing are left out
 * @param complete whether all was gone through; if not, running it again goes on
 */
public record RetentionReport(Map<Scope, Removed> scopes, boolean complete) {

    public RetentionReport {
        scopes = Collections.unmodifiableMap(new LinkedHashMap<>(Given.value("scopes", scopes)));
    }

    /** Over all scopes. */
    public Removed total() {
        return scopes.values().stream().reduce(Removed.NOTHING, Removed::plus);
    }
}
