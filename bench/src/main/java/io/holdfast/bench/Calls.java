package io.holdfast.bench;

import io.holdfast.Scope;

/** A side whose turn is the same call over and over, by all threads. */
record Calls(String name, Opener opener, int most) implements Match.Side {

    /** More than any thread makes in a turn. */
    private static final int MANY = 1 << 20;

    /** What a turn needs, and what it is closed with. */
    interface Opener {

        Ready open(Scope scope, int threads) throws Exception;
    }

    interface Ready extends AutoCloseable {

        Operation.Call calls(int thread);

        /** How many effects there are; all calls' own if none can be counted. */
        default long effects(long[] done) throws Exception {
            return Answers.sum(done);
        }

        @Override
        default void close() throws Exception {}
    }

    static Calls of(String name, Opener opener) {
        return new Calls(name, opener, MANY);
    }

    Calls named(String other) {
        return new Calls(other, opener, most);
    }

    @Override
    public Shift turn(Scope scope, Crew crew, double seconds) throws Exception {
        try (Ready ready = opener.open(scope, crew.size())) {
            Operation.Call[] calls = new Operation.Call[crew.size()];
            for (int thread = 0; thread < calls.length; thread++) {
                calls[thread] = ready.calls(thread);
            }
            Shift shift = new Shift(scope, calls);
            crew.run(shift, (long) (seconds * 1e9), most);
            long effects = ready.effects(shift.done);
            if (effects != Answers.sum(shift.done)) {
                throw new IllegalStateException(
                        name + ": " + Answers.sum(shift.done) + " calls, " + effects + " effects");
            }
            return shift;
        }
    }
}
