package io.holdfast.bench;

import io.holdfast.Scope;
import java.util.function.Function;

/**
 * Who takes part in a cell.
 *
 * @param weight its share of the cell's time
 */
record Entrant(String name, double weight, Function<Scope, Contender> in) {

    /** For what needs more time, so that its figures mean something. */
    Entrant longer() {
        return new Entrant(name, 2 * weight, in);
    }
}
