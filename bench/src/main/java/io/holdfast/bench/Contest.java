package io.holdfast.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * A line of the result: one operation, by so many threads, by Holdfast and by its baseline; perhaps a second such pair, and
 * ordinary Hibernate.
 *
 * @param entrants Holdfast, its baseline; perhaps Holdfast unprepared, its baseline unprepared; perhaps Hibernate
 */
record Contest(
        String name, Operation operation, int threads, Goal goal, List<Entrant> entrants, List<List<Shift>> rounds) {

    static final String HIBERNATE = "hibernate";

    /** What is wanted of the median ratio and of the worst round; zero: nothing. */
    record Goal(double median, double worst) {

        static final Goal NONE = new Goal(0, 0);
    }

    static Contest of(Operation operation, int threads, Goal goal, Entrant... entrants) {
        return new Contest(operation.name(), operation, threads, goal, List.of(entrants), new ArrayList<>());
    }

    Contest named(String other) {
        return new Contest(other, operation, threads, goal, entrants, rounds);
    }

    /** The number of that entrant, or -1. */
    int number(String entrant) {
        return entrants.stream().map(Entrant::name).toList().indexOf(entrant);
    }

    /** Another process takes no turns: it begins anew each time. */
    boolean takesTurns() {
        return entrants.stream().allMatch(entrant -> entrant.outside() == null);
    }

    double weight() {
        return entrants.stream().mapToDouble(Entrant::weight).sum();
    }

    /** Of each round, of one entrant to its baseline. */
    double[] ratios(int entrant) {
        return ratios(entrant, entrants.get(entrant).name().equals(HIBERNATE) ? 1 : entrant | 1);
    }

    double[] ratios(int entrant, int baseline) {
        return rounds.stream()
                .mapToDouble(shifts ->
                        shifts.get(entrant).perSecond() / shifts.get(baseline).perSecond())
                .sorted()
                .toArray();
    }

    /** The median of the rounds. */
    double of(int entrant, ToDoubleFunction<Shift> figure) {
        return Figures.median(rounds.stream()
                .mapToDouble(shifts -> figure.applyAsDouble(shifts.get(entrant)))
                .sorted()
                .toArray());
    }

    /** NaN for another process, which does not tell single calls. */
    double milliseconds(int entrant, double quantile) {
        if (entrants.get(entrant).outside() != null) {
            return Double.NaN;
        }
        long[] all = rounds.stream()
                .flatMapToLong(shifts -> Arrays.stream(shifts.get(entrant).allLatencies()))
                .sorted()
                .toArray();
        return Figures.milliseconds(all, quantile);
    }

    /** What each thread has got in all rounds, in fair shares, ascending. */
    double[] shares(int entrant) {
        double[] got = new double[threads];
        for (List<Shift> shifts : rounds) {
            Arrays.setAll(got, thread -> got[thread] + shifts.get(entrant).done[thread]);
        }
        return Figures.shares(got);
    }
}
