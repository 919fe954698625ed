package io.holdfast.journal;

import io.holdfast.codec.Given;
import io.holdfast.codec.JsonText;

/**
 * How a step ended. A step has at most one, which never changes; one without an intent is of a step that is pure.
 *
 * @param step the step
 * @param ending how
 * @param output what it came to: any JSON of at most {@link JournalCommit#MAX_OUTPUT_BYTES}. Kept and compared byte for byte:
 *     write it in a canonical form if another process may come to the same
 */
public record StepOutcome(StepKey step, End ending, String output) {

    /** How a step can end. */
    public enum End {
        COMPLETED("completed"),
        FAILED("failed");

        private final String wire;

        End(String wire) {
            this.wire = wire;
        }

        /** As it is stored. */
        public String wire() {
            return wire;
        }
    }

    public StepOutcome {
        Given.value("step", step);
        Given.value("ending", ending);
        JsonText.read("output", output, JournalCommit.MAX_OUTPUT_BYTES);
    }

    public static StepOutcome completed(StepKey step, String output) {
        return new StepOutcome(step, End.COMPLETED, output);
    }

    public static StepOutcome failed(StepKey step, String output) {
        return new StepOutcome(step, End.FAILED, output);
    }

    /** The step and how it ended, not the output. */
    @Override
    public String toString() {
        return step + " " + ending;
    }
}
