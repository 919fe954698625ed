package io.holdfast.repository;

import io.holdfast.failure.TransactionLostException;
import java.util.function.Supplier;

/** What is done again in a transaction of its own when that transaction lost a race. */
final class Repeats {

    private static final int REPEATS = 3;

    private Repeats() {}

    static <R> R whileLost(Supplier<R> attempt) {
        for (int repeat = 0; ; repeat++) {
            try {
                return attempt.get();
            } catch (TransactionLostException e) {
                if (repeat == REPEATS) {
                    throw e;
                }
            }
        }
    }
}
