package io.holdfast.chaos;

import io.holdfast.chaos.Desk.Answer;
import java.util.Set;

/** What is known of a write from all the times that it was sent. */
final class Write {

    /** Those that are not found in the log of what they were written to. */
    private static final Set<String> UNLOGGED = Set.of("complete", "complete-passing", "approve", "reject", "withdraw");

    /** Nothing follows on these but what only adds to a log. */
    private static final Set<String> LAST = Set.of("end", "last-update", "close-passing");

    final String id;
    final String operation;
    final String key;
    final long token;

    /** When it was sent first, or, in a transaction, was about to be committed. */
    private long began;

    private int open;
    private boolean acknowledged;
    private boolean unknown;
    private long number;

    Write(Entry call) {
        id = call.write();
        operation = call.operation();
        key = call.key();
        token = call.token();
        began = call.at();
    }

    void sent() {
        open++;
    }

    void committing(long at) {
        began = at;
    }

    void told(Entry answer) {
        open--;
        unknown |= answer.word().equals(Answer.UNKNOWN) || answer.word().equals(Answer.UNEXPECTED);
        if (answer.answer().equals(Answer.DONE)) {
            acknowledged = true;
            number = Math.max(number, answer.number());
        }
    }

    long began() {
        return began;
    }

    boolean acknowledged() {
        return acknowledged;
    }

    /** Each time that it was sent, it was said that nothing was written. */
    boolean refused() {
        return !acknowledged && !unknown && open == 0;
    }

    /** Its number in the log, as it was told; 0 if it was not. */
    long number() {
        return number;
    }

    boolean isLogged() {
        return !UNLOGGED.contains(operation);
    }

    boolean isLast() {
        return LAST.contains(operation);
    }

    @Override
    public String toString() {
        return operation + " " + id + " on " + key + " under token " + token;
    }
}
