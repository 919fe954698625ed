package io.holdfast.chaos;

import io.holdfast.HoldfastException;
import io.holdfast.HoldfastException.Code;
import io.holdfast.chaos.Desk.Answer;
import jakarta.persistence.PersistenceException;
import java.util.Set;

/**
 * What an exception says of its call, as a word of the history with its code or class: {@code refused:STORE_TIMEOUT}. Every code of
 * the library's but one says that nothing was written. What is none of the library's, or has a code that no fault of the run is a
 * reason for, is {@code unexpected}: nothing is taken from it, and it is a violation.
 */
final class Failure {

    private static final Set<Code> OF_FAULTS =
            Set.of(Code.STORE_UNAVAILABLE, Code.STORE_TIMEOUT, Code.TRANSACTION_LOST, Code.CONTENTION);

    private Failure() {}

    static String word(Throwable e) {
        if (!(e instanceof HoldfastException known)) {
            return Answer.UNEXPECTED + ":" + e.getClass().getName();
        }
        if (known.code() == Code.OUTCOME_UNKNOWN) {
            return Answer.UNKNOWN + ":" + known.code();
        }
        return (OF_FAULTS.contains(known.code()) ? Answer.REFUSED : Answer.UNEXPECTED) + ":" + known.code();
    }

    /**
     * Of what an application calls by itself: there the provider's exceptions are as good as any.
     *
     * @param committing whether it may have happened; before that, it is rolled back
     */
    static String ofApplication(Throwable e, boolean committing) {
        return e instanceof PersistenceException
                ? (committing ? Answer.UNKNOWN : Answer.REFUSED) + ":" + PersistenceException.class.getSimpleName()
                : word(e);
    }
}
