package io.holdfast.state;

import io.holdfast.failure.InvalidValueException;

/**
 * How much a workflow may use up. {@link WorkflowRules} enforces attempts and events; retries, repairs and duration are
 * kept for the runner.
 *
 * @param maxAttempts how often it may begin to run, 1 to 100; default 3
 * @param maxEvents how long its history may get, 1 to 10,000; default 100. The last one is kept for the move that ends it
 * @param maxRetries 1 to 100; default 3
 * @param maxRepairs 1 to 100; default 1
 * @param maxDurationSeconds more than 0 and at most 86,400; default 300. Not enforced by the stores; for the runner
 */
public record WorkflowBudget(
        int maxAttempts, int maxEvents, int maxRetries, int maxRepairs, double maxDurationSeconds) {

    /** The highest number of attempts, retries or repairs that can be allowed. */
    public static final int MAX_COUNT = 100;

    /** The longest history that can be allowed. */
    public static final int MAX_EVENTS = 10_000;

    /** The longest duration that can be allowed, in seconds: a day. */
    public static final double MAX_DURATION_SECONDS = 86_400;

    public static final WorkflowBudget DEFAULT = new WorkflowBudget(3, 100, 3, 1, 300);

    public WorkflowBudget {
        within("maxAttempts", maxAttempts, 1, MAX_COUNT);
        within("maxEvents", maxEvents, 1, MAX_EVENTS);
        within("maxRetries", maxRetries, 1, MAX_COUNT);
        within("maxRepairs", maxRepairs, 1, MAX_COUNT);
        if (!(maxDurationSeconds > 0 && maxDurationSeconds <= MAX_DURATION_SECONDS)) { // written so that NaN is refused
            throw new InvalidValueException("maxDurationSeconds", "be more than 0 and at most 86400 seconds");
        }
    }

    public WorkflowBudget withMaxAttempts(int attempts) {
        return new WorkflowBudget(attempts, maxEvents, maxRetries, maxRepairs, maxDurationSeconds);
    }

    public WorkflowBudget withMaxEvents(int events) {
        return new WorkflowBudget(maxAttempts, events, maxRetries, maxRepairs, maxDurationSeconds);
    }

    public WorkflowBudget withMaxRetries(int retries) {
        return new WorkflowBudget(maxAttempts, maxEvents, retries, maxRepairs, maxDurationSeconds);
    }

    public WorkflowBudget withMaxRepairs(int repairs) {
        return new WorkflowBudget(maxAttempts, maxEvents, maxRetries, repairs, maxDurationSeconds);
    }

    public WorkflowBudget withMaxDurationSeconds(double seconds) {
        return new WorkflowBudget(maxAttempts, maxEvents, maxRetries, maxRepairs, seconds);
    }

    static void within(String field, int value, int min, int max) {
        if (value < min || value > max) {
            throw new InvalidValueException(field, "be " + min + " to " + max);
        }
    }
}
