package io.holdfast.bench;

import io.holdfast.Scope;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Who takes part in a cell.
 *
 * @param weight its share of the cell's time
 * @param in makes the calls of this process; not asked if another process makes them
 * @param outside that process, if it is one
 */
record Entrant(
        String name,
        double weight,
        Function<Scope, Contender> in,
        @Nullable Outside outside) {

    Entrant(String name, double weight, Function<Scope, Contender> in) {
        this(name, weight, in, null);
    }

    static Entrant of(String name, Outside outside) {
        return new Entrant(
                name,
                1,
                scope -> {
                    throw new IllegalStateException(name + " makes its calls itself");
                },
                outside);
    }

    /** For what needs more time, so that its figures mean something. */
    Entrant longer() {
        return new Entrant(name, 2 * weight, in, outside);
    }

    /** Another process that makes the calls of an operation, with rows of its own. */
    interface Outside {

        void prepare(Scope scope, int threads);

        /** For about so long; adds to the shift what was done, and in what time. */
        void run(Shift shift, double seconds);
    }
}
