package io.holdfast.repository;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a statement of clean-up has removed, or counted, on its way along an index.
 *
 * @param more whether it stopped because it was full
 * @param last how far it came
 * @param passedBy whether all it did was to pass by a row that cannot go
 */
record Batch(int count, boolean more, Position last, boolean passedBy) {

    /** What statements on the rows {@code due}, with {@code at} and {@code id}, answer with once some of them are {@code gone}. */
    static final String OF_DUE = """
            select (select count(*) from due) as seen, (select count(*) from gone) as gone, l.at, l.id
              from (select 1) one
              left join (select d.at, d.id from due d order by d.at desc, d.id desc limit 1) l on true
            """;

    Batch(int count, boolean more, Position last) {
        this(count, more, last, false);
    }

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

    /** Of what was counted, none can go. */
    Batch asPassedBy() {
        return new Batch(0, more, last, true);
    }
}
