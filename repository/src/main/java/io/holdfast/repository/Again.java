package io.holdfast.repository;

import io.holdfast.failure.ContentionException;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Repeats a statement whose snapshot was too old to know its verdict: it saw no row where a rival's insert was about to
 * appear, or one that was gone or changed when its lock was held, or a lease that may have been renewed while it waited.
 * Such a statement writes nothing and says so.
 */
final class Again {

    private static final int REPEATS = 3;

    private Again() {}

    /** @param attempt empty for "again" */
    static <R> R until(String operation, Supplier<Optional<R>> attempt) {
        for (int repeat = 0; repeat <= REPEATS; repeat++) {
            Optional<R> answer = attempt.get();
            if (answer.isPresent()) {
                return answer.get();
            }
        }
        throw new ContentionException(operation);
    }

    /** Of a statement that says so in the verdict of its one row. */
    static <R> R row(String operation, Function<R, String> verdict, Supplier<R> attempt) {
        return until(
                operation,
                () -> Optional.of(attempt.get())
                        .filter(row -> !verdict.apply(row).equals("AGAIN")));
    }
}
