package io.holdfast.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * A line of the result: one operation, by so many threads, by Holdfast and by its baseline; perhaps a second such pair.
 *
 * @param entrants Holdfast, its baseline, Holdfast unprepared, its baseline unprepared
 */
record Contest(
        String name, Operation operation, int threads, Goal goal, List<Entrant> entrants, List<List<Shift>> rounds) {

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

    boolean hasUnprepared() {
        return entrants.size() > 2;
    }

    double weight() {
        return entrants.stream().mapToDouble(Entrant::weight).sum();
    }

    /** Of each round, of one entrant to its baseline. */
    double[] ratios(int entrant) {
        return rounds.stream()
                .mapToDouble(shifts -> shifts.get(entrant).perSecond()
                        / shifts.get(entrant | 1).perSecond())
                .sorted()
                .toArray();
    }

    /** The median of the rounds. */
    double of(int entrant, ToDoubleFunction<Shift> figure) {
        return median(rounds.stream()
                .mapToDouble(shifts -> figure.applyAsDouble(shifts.get(entrant)))
                .sorted()
                .toArray());
    }

    double milliseconds(int entrant, double quantile) {
        long[] all = rounds.stream()
                .flatMapToLong(shifts -> Arrays.stream(shifts.get(entrant).allLatencies()))
                .sorted()
                .toArray();
        return all.length == 0 ? Double.NaN : all[(int) (all.length * quantile)] / 1e6;
    }

    /** What each thread has got in all rounds, in fair shares, ascending. */
    double[] shares(int entrant) {
        double[] got = new double[threads];
        for (List<Shift> shifts : rounds) {
            Arrays.setAll(got, thread -> got[thread] + shifts.get(entrant).done[thread]);
        }
        double fair = Arrays.stream(got).average().orElse(1);
        return Arrays.stream(got).map(n -> n / fair).sorted().toArray();
    }

    static double median(double[] sorted) {
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
