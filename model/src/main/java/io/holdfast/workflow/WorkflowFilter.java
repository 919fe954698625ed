package io.holdfast.workflow;

import io.holdfast.codec.Given;
import io.holdfast.codec.Identifier;
import io.holdfast.failure.InvalidValueException;
import io.holdfast.state.WorkflowStatus;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Which workflows to list. What is left open does not matter; what is said has all to be so.
 *
 * @param status the one that is stored
 * @param labels each as it was given at creation; at most {@value Workflows#MAX_LABELS}
 * @param minAge created at least so long ago, by the database's clock; 0 to 36,500 days
 * @param maxAge created at most so long ago; 0 to 36,500 days
 */
public record WorkflowFilter(
        Optional<WorkflowStatus> status,
        Map<String, String> labels,
        Optional<Duration> minAge,
        Optional<Duration> maxAge) {

    /** Every workflow of the scope. */
    public static final WorkflowFilter ALL =
            new WorkflowFilter(Optional.empty(), Map.of(), Optional.empty(), Optional.empty());

    private static final Duration LONGEST = Duration.ofDays(36_500);

    public WorkflowFilter {
        Given.value("status", status);
        Given.value("labels", labels);
        if (labels.size() > Workflows.MAX_LABELS) {
            throw new InvalidValueException("labels", "have at most " + Workflows.MAX_LABELS + " entries");
        }
        labels.forEach((name, value) -> {
            if (!Identifier.isIdent(name) || !Identifier.isText(value, 0, Workflows.MAX_LABEL_BYTES)) {
                throw new InvalidValueException("labels", "be names and values that a workflow can have");
            }
        });
        labels = Map.copyOf(labels);
        Given.value("minAge", minAge).ifPresent(age -> bounded("minAge", age));
        Given.value("maxAge", maxAge).ifPresent(age -> bounded("maxAge", age));
    }

    public WorkflowFilter withStatus(WorkflowStatus value) {
        return new WorkflowFilter(Optional.of(Given.value("status", value)), labels, minAge, maxAge);
    }

    /** Another label that a workflow has to have; a name that was said before gets this value. */
    public WorkflowFilter withLabel(String name, String value) {
        Map<String, String> all = new HashMap<>(labels);
        all.put(Given.value("name", name), Given.value("value", value));
        return new WorkflowFilter(status, all, minAge, maxAge);
    }

    public WorkflowFilter olderThan(Duration age) {
        return new WorkflowFilter(status, labels, Optional.of(Given.value("age", age)), maxAge);
    }

    public WorkflowFilter youngerThan(Duration age) {
        return new WorkflowFilter(status, labels, minAge, Optional.of(Given.value("age", age)));
    }

    private static void bounded(String field, Duration age) {
        if (age.isNegative() || age.compareTo(LONGEST) > 0) {
            throw new InvalidValueException(field, "be 0 to 36500 days");
        }
    }
}
