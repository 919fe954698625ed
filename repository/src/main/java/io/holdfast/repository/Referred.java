package io.holdfast.repository;

import io.holdfast.failure.StateConflictException;
import io.holdfast.repository.Batch.Position;
import java.util.Optional;

/**
 * Rows that an application's refer to, and that cannot go for that. One must not keep all the others: it is searched for by
 * halves, and passed by.
 */
final class Referred {

    private static final System.Logger LOG = System.getLogger(Holdfast.class.getName());

    /** So many are passed by in one call that removes one batch: more would be searched for anew with each call. */
    private static final int MOST = 100;

    private Referred() {}

    /**
     * Removes the next rows; of one alone that cannot go, says where it is.
     *
     * @return empty if there are several, of which one cannot go: nothing was removed
     */
    static Optional<Batch> next(Due due, Position after, int rows) {
        try {
            return Optional.of(due.remove(after, rows));
        } catch (StateConflictException e) {
            return rows > 1 ? Optional.empty() : Optional.of(due.count(after, 1).asPassedBy());
        }
    }

    /**
     * One batch: by one statement where nothing is in the way. In a caller's transaction by one statement in any case, since
     * that is over when the statement is refused.
     *
     * @return how many rows went
     */
    static int oneBatch(Transactions transactions, Due due, Position start, int limit) {
        if (transactions.isCallers()) {
            return due.remove(start, limit).count();
        }
        Optional<Batch> whole = next(due, start, limit);
        return whole.isPresent() && !whole.get().passedBy()
                ? whole.get().count()
                : bySearch(due, start, limit, Math.max(1, limit / 2));
    }

    private static int bySearch(Due due, Position start, int limit, int atFirst) {
        Position at = start;
        int rows = atFirst;
        int removed = 0;
        int passedBy = 0;
        for (boolean more = true; more && removed < limit && passedBy < MOST; ) {
            Optional<Batch> batch = next(due, at, rows);
            if (batch.isPresent()) {
                removed += batch.get().count();
                passedBy += batch.get().passedBy() ? 1 : 0;
                more = batch.get().more();
                at = batch.get().last();
                rows = Math.min(2 * rows, Math.max(1, limit - removed));
            } else {
                rows /= 2;
            }
        }
        tell(passedBy);
        return removed;
    }

    static void tell(long left) {
        if (left > 0) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "Retention left {0} rows that foreign keys of the application refer to",
                    left);
        }
    }
}
