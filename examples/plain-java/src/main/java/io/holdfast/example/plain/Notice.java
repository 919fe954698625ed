package io.holdfast.example.plain;

import java.time.Instant;
import java.util.Optional;

/**
 * What a worker tells the process that started it, a line each.
 *
 * @param order empty if it is about none
 * @param token the fencing token it worked under; 0 if none
 * @param at by the database's clock, if the database said when
 * @param text one word or a few, for people
 */
record Notice(Kind kind, String order, long token, Optional<Instant> at, String text) {

    private static final String MARK = "@holdfast";

    enum Kind {
        /** Connected; waits for the start. */
        READY,
        /** The lease of an order's workflow was granted; the text says whether the work was another's. */
        HELD,
        /** In mid-step: the provider has the money, nobody has written it down. Goes on when it is told to. */
        CHARGED,
        /** A write was refused; the text says why. */
        REFUSED,
        /** The order is completed, by this worker. */
        FINISHED,
        /** The order was completed before, and not by this call; the text is its outcome. */
        ANSWERED,
        /** Every order is completed. */
        IDLE,
        /** A call failed and will be repeated. */
        TROUBLE
    }

    static Notice of(Kind kind, String text) {
        return new Notice(kind, "", 0, Optional.empty(), text);
    }

    String line() {
        return String.join(
                "\t",
                MARK,
                kind.name(),
                order,
                Long.toString(token),
                at.map(Instant::toString).orElse(""),
                text);
    }

    /** Empty if the line is something else: libraries print too. */
    static Optional<Notice> parse(String line) {
        String[] field = line.split("\t", -1);
        if (field.length != 6 || !field[0].equals(MARK)) {
            return Optional.empty();
        }
        return Optional.of(
                new Notice(Kind.valueOf(field[1]), field[2], Long.parseLong(field[3]), instant(field[4]), field[5]));
    }

    private static Optional<Instant> instant(String text) {
        return text.isEmpty() ? Optional.empty() : Optional.of(Instant.parse(text));
    }
}
