package io.holdfast.checkpoint;

import io.holdfast.codec.Given;
import io.holdfast.codec.Identifier;
import io.holdfast.failure.InvalidValueException;
import java.util.List;

/**
 * What a paused run waits for, by the ids under which the answer will come. A running one that still names it has been
 * answered, and has not yet gone on.
 */
public sealed interface Waiting {

    /** The longest id, in bytes of UTF-8. */
    int MAX_ID_BYTES = 1_024;

    /** The most ids. */
    int MAX_IDS = 64;

    /** The ids, in the order in which they were given; never empty. */
    List<String> ids();

    /**
     * For people to decide.
     *
     * @param approvalIds 1 to {@value #MAX_IDS} different ids of 1 to {@value #MAX_ID_BYTES} bytes of UTF-8 without control
     *     characters
     */
    record ForApprovals(List<String> approvalIds) implements Waiting {

        public ForApprovals {
            if (Given.value("approvalIds", approvalIds).isEmpty() || approvalIds.size() > MAX_IDS) {
                throw new InvalidValueException("approvalIds", "be 1 to " + MAX_IDS + " ids");
            }
            approvalIds.forEach(id -> Identifier.text("approvalIds", id, 1, MAX_ID_BYTES));
            approvalIds = List.copyOf(approvalIds);
            if (approvalIds.stream().distinct().count() < approvalIds.size()) {
                throw new InvalidValueException("approvalIds", "hold no id twice");
            }
        }

        public static ForApprovals of(String... approvalIds) {
            return new ForApprovals(List.of(approvalIds));
        }

        @Override
        public List<String> ids() {
            return approvalIds;
        }
    }

    /**
     * For an answer to a question that a node has asked.
     *
     * @param interruptId 1 to {@value #MAX_ID_BYTES} bytes of UTF-8 without control characters
     */
    record ForAnswer(String interruptId) implements Waiting {

        public ForAnswer {
            Identifier.text("interruptId", interruptId, 1, MAX_ID_BYTES);
        }

        @Override
        public List<String> ids() {
            return List.of(interruptId);
        }
    }

    /**
     * For somebody to find out whether an effect has happened.
     *
     * @param effectId 1 to {@value #MAX_ID_BYTES} bytes of UTF-8 without control characters
     */
    record ForEffect(String effectId) implements Waiting {

        public ForEffect {
            Identifier.text("effectId", effectId, 1, MAX_ID_BYTES);
        }

        @Override
        public List<String> ids() {
            return List.of(effectId);
        }
    }
}
