package io.holdfast.repository;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a statement of clean-up has removed, or counted, on its way along an index.
 *
 * @param more whether it stopped because it was full
 * @param last how far it came
 */
record Batch(int count, boolean more, Position last) {

    /** A place in the order of an index behind the scope; to go on from there is what keeps a run from reading anything twice. */
    record Position(String first, String id) {

        static final Position OF_TIMES = new Position("-infinity", "");
        static final Position OF_NAMES = new Position("", "");
        static final Position BEHIND_NAMES = new Position("~", "");
    }

    /** The row that the statements on workflows and keys answer with. */
    record Row(
            long seen,
            long gone,
            @Nullable Instant at,
            @Nullable String id) {

        Batch within(int limit) {
            return new Batch(
                    Math.toIntExact(gone),
                    seen == limit,
                    at == null || id == null ? Position.OF_TIMES : new Position(at.toString(), id));
        }
    }

    Batch withCount(int other) {
        return new Batch(other, more, last);
    }
}
