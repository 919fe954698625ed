package io.holdfast.state;

import io.holdfast.codec.Given;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/**
 * Names under which prompts, query results and credentials travel, and which a state therefore must not have: not as a
 * key of an event's metadata, in any case ({@code Password}, {@code API_KEY}), and not as a field of a stored document.
 * The whole name is compared, so {@code token_count} and {@code result_id} are fine. It is a guard against a careless
 * caller, not a filter: what stands in a value is not looked at.
 */
public final class ForbiddenNames {

    /** The twenty-two names, in lower case. */
    public static final Set<String> ALL = Set.of(
            "prompt",
            "raw_prompt",
            "query",
            "raw_query",
            "sql",
            "statement",
            "result",
            "raw_result",
            "rows",
            "credentials",
            "password",
            "secret",
            "token",
            "api_key",
            "authorization",
            "cookie",
            "private_key",
            "connection",
            "cursor",
            "provider",
            "client",
            "session");

    static final String LISTED = String.join(" ", new TreeSet<>(ALL));

    private ForbiddenNames() {}

    /** Whether metadata must not use that name; upper and lower case are the same. */
    public static boolean forbids(String name) {
        return ALL.contains(Given.value("name", name).toLowerCase(Locale.ROOT));
    }
}
