package io.holdfast.repository;

import java.util.function.Function;

/** Counts how often one operation asks the database. For one call, on one thread. */
final class Attempts implements Transactions {

    private final Transactions transactions;
    private int asked;
    private int units;

    Attempts(Transactions transactions) {
        this.transactions = transactions;
    }

    /** Clean-up has many parts by itself: of each, only what was repeated. */
    int made(Operation operation) {
        return switch (operation) {
            case CLEANUP_PASS, CLEANUP_PLAN, CLEANUP_RUN, JOURNAL_PURGE, CHECKPOINT_PURGE ->
                Math.max(1, 1 + asked - units);
            default -> Math.max(1, asked);
        };
    }

    @Override
    public <R> R single(String operation, Effect effect, Function<Statements, R> work) {
        units++;
        return transactions.single(operation, effect, counted(work));
    }

    @Override
    public <R> R whole(String operation, Function<Statements, R> work) {
        units++;
        return transactions.whole(operation, counted(work));
    }

    @Override
    public boolean isCallers() {
        return transactions.isCallers();
    }

    @Override
    public <R> R atomically(Function<Transactions, R> code) {
        return transactions.atomically(code);
    }

    private <R> Function<Statements, R> counted(Function<Statements, R> work) {
        return statements -> {
            asked++;
            return work.apply(statements);
        };
    }
}
