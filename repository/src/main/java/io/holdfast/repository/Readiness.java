package io.holdfast.repository;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Whether this process can be given work: the database answers, takes writes, and has the tables that this release needs. For
 * a readiness probe. A liveness probe should not ask the database: a restart does not mend one.
 *
 * @param ready whether it can
 * @param reason why not, fit for a log and an operator; it names no host, user, SQL or payload
 * @param facts by name, as strings: {@code schema.core} and so on, how the tables of a component stand; {@code code}, the kind of failure
 */
public record Readiness(boolean ready, Optional<String> reason, Map<String, String> facts) {

    public Readiness {
        facts = Map.copyOf(facts);
    }

    static Readiness yes(Map<String, String> facts) {
        return new Readiness(true, Optional.empty(), facts);
    }

    static Readiness no(String reason, String code, Map<String, String> facts) {
        Map<String, String> all = new TreeMap<>(facts);
        all.put("code", code);
        return new Readiness(false, Optional.of(reason), all);
    }
}
