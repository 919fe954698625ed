package io.holdfast.checkpoint;

import io.holdfast.codec.Given;
import io.holdfast.codec.Identifier;
import io.holdfast.failure.InvalidValueException;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Which run it is and where it comes from; never changes.
 *
 * @param runId 1 to {@value #MAX_ID_BYTES} bytes of UTF-8 without control characters; with a {@code /} only if it is a
 *     child's: its parent's id, {@code /}, and the step of the parent that it stands for
 * @param parentRunId the run that waits for it; empty for one that stands by itself
 * @param fork where it was forked from
 */
public record RunStart(String runId, Optional<String> parentRunId, Optional<Fork> fork) {

    /** The longest id, in bytes of UTF-8. */
    public static final int MAX_ID_BYTES = 1_024;

    /** @throws InvalidValueException naming the component that breaks a rule */
    public RunStart {
        Identifier.text("runId", runId, 1, MAX_ID_BYTES);
        Given.value("parentRunId", parentRunId);
        Given.value("fork", fork);
        if (parentRunId.isEmpty() && runId.indexOf('/') >= 0) {
            throw new InvalidValueException("runId", "hold no / unless it is a child's");
        }
        if (parentRunId.isPresent()) {
            String before = Identifier.text("parentRunId", parentRunId.get(), 1, MAX_ID_BYTES) + '/';
            if (!runId.startsWith(before) || runId.length() == before.length()) {
                throw new InvalidValueException("runId", "be its parent's, / and a step");
            }
        }
    }

    /** A run that stands by itself. */
    public static RunStart of(String runId) {
        return new RunStart(runId, Optional.empty(), Optional.empty());
    }

    /** A child, under its parent's id, {@code /} and the step that it stands for, such as {@code node#3.2[7]}. */
    public static RunStart child(String parentRunId, String step) {
        return new RunStart(
                Given.value("parentRunId", parentRunId) + '/' + Given.value("step", step),
                Optional.of(parentRunId),
                Optional.empty());
    }

    /** A run that begins where {@code fork} says, under an id of its own: the source's, {@code ~fork-} and 8 hex digits. */
    public RunStart forked(Fork fork) {
        String random = HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextInt());
        return new RunStart(runId + "~fork-" + random, parentRunId, Optional.of(fork));
    }
}
