package io.holdfast.repository;

import io.holdfast.failure.ContentionException;
import io.holdfast.repository.Transactions.Effect;
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

    private static final String AGAIN = "AGAIN";

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

    /**
     * Of a writing statement that says so in the verdict of its one row. It is repeated in one transaction, with what it has
     * locked: so nobody comes between, however many there are who write.
     */
    static <R> R row(
            Transactions transactions,
            String operation,
            Function<R, String> verdict,
            Function<Statements, R> statement) {
        R first = transactions.single(operation, Effect.WRITE, statement);
        return verdict.apply(first).equals(AGAIN)
                ? transactions.whole(
                        operation,
                        s -> until(
                                operation,
                                () -> Optional.of(statement.apply(s))
                                        .filter(row -> !verdict.apply(row).equals(AGAIN))))
                : first;
    }
}
