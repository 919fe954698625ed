package io.holdfast.bench;

import io.holdfast.Scope;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A line of a comparison with others: one job, done by several, each in its own way. They take turns by rounds; whoever's turn
 * it is has the machine to itself.
 *
 * @param sides the first is Holdfast, to whom the others are compared
 */
record Match(String name, String unit, List<Side> sides, List<List<Shift>> rounds) {

    /** Who does the job. */
    interface Side {

        String name();

        /** A turn of about so long; what it needs is made ready, and checked afterwards, untimed. */
        Shift turn(Scope scope, Crew crew, double seconds) throws Exception;
    }

    static Match of(String name, String unit, Side... sides) {
        return new Match(name, unit, List.of(sides), new ArrayList<>());
    }

    /** Of Holdfast to that side, by rounds, ascending. */
    double[] ratios(int side) {
        return rounds.stream()
                .mapToDouble(
                        shifts -> shifts.get(0).perSecond() / shifts.get(side).perSecond())
                .sorted()
                .toArray();
    }

    double[] perSecond(int side) {
        return rounds.stream()
                .mapToDouble(shifts -> shifts.get(side).perSecond())
                .sorted()
                .toArray();
    }

    /** NaN where single calls cannot be timed. */
    double milliseconds(int side, double quantile) {
        long[] all = rounds.stream()
                .flatMapToLong(shifts -> Arrays.stream(shifts.get(side).allLatencies()))
                .sorted()
                .toArray();
        return Figures.milliseconds(all, quantile);
    }
}
