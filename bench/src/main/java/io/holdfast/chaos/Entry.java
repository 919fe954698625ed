package io.holdfast.chaos;

import java.util.Optional;

/**
 * A line of a worker's history: that it is about to make a call, or what it was told.
 *
 * @param at the machine's monotonic clock, which all processes share, in nanoseconds
 * @param who the worker's thread, in the life it was in
 * @param call its number within that life; call and answer have the same
 * @param answer what it was told, a word and at times more behind a colon; {@link #CALL} before
 * @param operation what it asks for
 * @param key the lease's or idempotency key's, or the workflow's id
 * @param token of the fence that the call goes under, or that was granted; 0 for none
 * @param write which write it is, the same when it is sent again; in the answer to a read the last one that it showed; "-" for none
 * @param number what else there is: the ttl in milliseconds of a grant or renewal, the revision of a write
 */
record Entry(
        long at,
        String who,
        long call,
        String answer,
        String operation,
        String key,
        long token,
        String write,
        long number) {

    static final String CALL = "call";
    static final String NONE = "-";

    private static final int FIELDS = 9;

    /** The worker, without the number of its life and its thread. */
    String worker() {
        return who.substring(0, who.indexOf('.'));
    }

    /** The same with the thread, whatever life it is in. */
    String thread() {
        return worker() + who.substring(who.lastIndexOf('.'));
    }

    /** The answer without what it was about, of which class or code an exception was. */
    String word() {
        int end = answer.indexOf(':');
        return end < 0 ? answer : answer.substring(0, end);
    }

    /** That; empty for none. */
    String detail() {
        return answer.substring(Math.min(answer.length(), word().length() + 1));
    }

    boolean isCall() {
        return answer.equals(CALL);
    }

    String line() {
        return String.join(
                        "\t",
                        Long.toString(at),
                        who,
                        Long.toString(call),
                        answer,
                        operation,
                        key,
                        Long.toString(token),
                        write,
                        Long.toString(number))
                + "\n";
    }

    /** Empty for a line that its writer did not live to end. */
    static Optional<Entry> parse(String line) {
        String[] part = line.split("\t", -1);
        if (part.length != FIELDS || part[FIELDS - 1].isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new Entry(
                Long.parseLong(part[0]),
                part[1],
                Long.parseLong(part[2]),
                part[3],
                part[4],
                part[5],
                Long.parseLong(part[6]),
                part[7],
                Long.parseLong(part[8])));
    }
}
