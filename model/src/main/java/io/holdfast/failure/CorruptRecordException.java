package io.holdfast.failure;

import io.holdfast.HoldfastException;
import java.util.Map;

/**
 * A stored record is not what this release writes: somebody changed it past the library, or a newer release wrote it. Names
 * the record and the broken rule, and nothing of its content. Other records are not affected.
 */
public final class CorruptRecordException extends HoldfastException {

    private static final long serialVersionUID = 1L;

    /**
     * @param record what kind of record it is
     * @param id which one
     * @param rule what does not hold, as it reads by itself: {@code role must be a text}
     */
    public CorruptRecordException(String record, String id, String rule) {
        super(
                Code.CORRUPT_RECORD,
                false,
                "The stored " + record + " \"" + id + "\" is damaged: " + rule,
                Map.of("record", record, "id", id, "rule", rule));
    }
}
