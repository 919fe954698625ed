package io.holdfast.run;

import java.time.Instant;

/** The answer to an append. Only {@link Appended} has written something. */
public sealed interface Append {

    /**
     * Written now.
     *
     * @param firstSeq the number of the first of the events; those after it follow without a gap
     * @param lastSeq the number of the last
     * @param at the time of all of them, by the database's clock
     */
    record Appended(long firstSeq, long lastSeq, Instant at) implements Append {}

    /** No such run in this scope. */
    record NotFound() implements Append {}
}
