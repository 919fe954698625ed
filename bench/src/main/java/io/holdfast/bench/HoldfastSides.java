package io.holdfast.bench;

import io.holdfast.repository.Holdfast;

/** The benchmark's operations by Holdfast, as sides of a match. */
final class HoldfastSides {

    /** More than any thread makes of calls that need rows made for each. */
    private static final int MANY = 1 << 20;

    private final Holdfast holdfast;
    private final Rows rows;

    HoldfastSides(Holdfast holdfast, Rows rows) {
        this.holdfast = holdfast;
        this.rows = rows;
    }

    /** For an operation that goes round the same rows, or makes new ones. */
    Calls side(Operation operation) {
        return side(operation, MANY);
    }

    Calls side(Operation operation, int each) {
        return new Calls(
                "holdfast",
                (scope, threads) -> {
                    operation.prepare(rows, scope, threads, each);
                    Contender contender = Contender.of(holdfast.in(scope));
                    return new Calls.Ready() {
                        @Override
                        public Operation.Call calls(int thread) {
                            return operation.calls(rows, scope, thread, contender);
                        }

                        @Override
                        public long effects(long[] done) {
                            return operation.effects(rows, scope, done);
                        }
                    };
                },
                each);
    }
}
