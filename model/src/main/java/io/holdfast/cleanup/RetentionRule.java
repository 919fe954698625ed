package io.holdfast.cleanup;

import io.holdfast.codec.Given;
import io.holdfast.failure.InvalidValueException;
import io.holdfast.state.WorkflowStatus;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/**
 * What a scope keeps.
 *
 * @param ended by terminal status; a status without an entry is kept for ever
 * @param expired keys and leases go when their time has been over for so long, by the database's clock, zero to 36,500 days;
 *     none is removed if it is empty
 */
public record RetentionRule(Map<WorkflowStatus, Keep> ended, Optional<Duration> expired) {

    /** Nothing goes. */
    public static final RetentionRule KEEP_ALL = new RetentionRule(Map.of(), Optional.empty());

    /** Keys and leases go a day after their time was over; workflows stay. */
    public static final RetentionRule DEFAULT = KEEP_ALL.withExpired(Duration.ofDays(1));

    public RetentionRule {
        Given.value("ended", ended).forEach((status, keep) -> {
            if (!Given.value("ended", status).isTerminal()) {
                throw new InvalidValueException("ended", "name terminal statuses: succeeded, failed, closed");
            }
            Given.value("ended", keep);
        });
        ended = Map.copyOf(ended);
        Given.value("expired", expired).ifPresent(age -> Ages.bounded("expired", age));
    }

    /** The same, but for workflows that ended so; an entry that was there is replaced. */
    public RetentionRule with(WorkflowStatus status, Keep keep) {
        Map<WorkflowStatus, Keep> all = new EnumMap<>(WorkflowStatus.class);
        all.putAll(ended);
        all.put(Given.value("status", status), Given.value("keep", keep));
        return new RetentionRule(all, expired);
    }

    public RetentionRule withExpired(Duration age) {
        return new RetentionRule(ended, Optional.of(Given.value("age", age)));
    }
}
