package io.holdfast.bench;

import io.holdfast.Scope;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.logging.LogManager;

/** Runs the contests, interleaved, and prints what came out. */
public final class Main {

    private static final int SLICES = 4;

    /** More than any call's rate here, so that no thread runs out of prepared rows before its time. */
    private static final int MOST_PER_SECOND = 16_000;

    /** Seconds to stop the server. */
    private static final double CLOSING = 3;

    private final Options options;
    private final Arena arena;
    private final Map<Integer, Crew> crews = new HashMap<>();
    private int scopes;

    private Main(Options options, Arena arena) {
        this.options = options;
        this.arena = arena;
    }

    public static void main(String[] args) throws Exception {
        if (List.of(args).contains("--help")) {
            System.out.print(Options.HELP);
            return;
        }
        Options options;
        try {
            options = Options.parse(args);
        } catch (IllegalArgumentException e) {
            System.err.print("Not understood: " + e.getMessage() + "\n" + Options.HELP);
            System.exit(2);
            return;
        }
        LogManager.getLogManager().reset(); // a failure is thrown
        try (Arena arena = new Arena(options)) {
            List<Contest> contests = Contests.all(arena, options);
            new Main(options, arena).run(contests);
            System.out.print(options.tsv() ? Report.tsv(contests) : Report.people(contests, arena, options));
            Report.charts(contests, options);
        }
        System.exit(0); // the proxy's and the server's threads need not be waited for
    }

    private void run(List<Contest> contests) {
        try {
            if (!options.quick()) {
                warmUp(contests);
            }
            for (int round = 0; round < options.rounds(); round++) {
                arena.rows.reset();
                round(contests, round, (options.within() - CLOSING - elapsed()) / (options.rounds() - round));
            }
        } finally {
            crews.values().forEach(Crew::close);
        }
    }

    /** All contests once, each for as long as leaves time for those after it. */
    private void round(List<Contest> contests, int round, double most) {
        double begun = elapsed();
        double measured = 0;
        int made = 0;
        for (int i = 0; i < contests.size(); i++) {
            // What making rows and checking them takes is learnt on the way.
            double making = made == 0 ? 0.1 : (elapsed() - begun - measured) / made;
            List<Contest> left = contests.subList(i, contests.size());
            double fitting = fitting(left, most - (elapsed() - begun), making);
            double seconds = Math.min(options.seconds(), fitting);
            if (i == 0) {
                progress("round %d of %d, %.2f s each", round + 1, options.rounds(), seconds);
            }
            Contest contest = contests.get(i);
            contest.rounds().add(cell(contest, seconds, round));
            measured += seconds * weight(contest);
            made += contest.entrants().size();
        }
    }

    /** Both ways of a path are compiled before anything counts. */
    private void warmUp(List<Contest> contests) {
        progress("warming up");
        for (int pass = 0; pass < 2; pass++) {
            arena.rows.reset();
            for (Contest contest : contests) {
                cell(contest, contest.threads() == 1 ? 0.1 : 0.6, pass);
            }
        }
    }

    /** All entrants of a contest, slice by slice, in an order that changes with slice and round. */
    private List<Shift> cell(Contest contest, double seconds, int round) {
        Crew crew = crews.computeIfAbsent(contest.threads(), size -> new Crew(size, arena.rows.backends()));
        double time = contest.threads() == 1 ? seconds / 2 : seconds;
        int most = 100 + (int) (MOST_PER_SECOND * time / (contest.threads() == 1 ? 4 : contest.threads()));
        List<Entrant> entrants = contest.entrants();
        List<Shift> shifts = new ArrayList<>();
        for (Entrant entrant : entrants) {
            shifts.add(prepared(contest, entrant, most));
        }
        int slices = contest.takesTurns() ? SLICES : 1;
        for (int slice = 0; slice < slices; slice++) {
            for (int i = 0; i < entrants.size(); i++) {
                int turn = (i + slice + round) % entrants.size();
                double slot = time * entrants.get(turn).weight() / slices;
                Entrant.Outside outside = entrants.get(turn).outside();
                if (outside == null) {
                    crew.run(shifts.get(turn), (long) (slot * 1e9), most);
                } else {
                    outside.run(shifts.get(turn), slot);
                }
            }
        }
        for (int i = 0; i < entrants.size(); i++) {
            check(contest, entrants.get(i), shifts.get(i));
        }
        return shifts;
    }

    private Shift prepared(Contest contest, Entrant entrant, int most) {
        Scope scope = Scope.of("s" + scopes++);
        Operation operation = contest.operation();
        if (entrant.outside() != null) {
            entrant.outside().prepare(scope, contest.threads());
            return new Shift(scope, new Operation.Call[contest.threads()]);
        }
        operation.prepare(arena.rows, scope, contest.threads(), most);
        Contender contender = entrant.in().apply(scope);
        Operation.Call[] calls = new Operation.Call[contest.threads()];
        for (int thread = 0; thread < calls.length; thread++) {
            calls[thread] = operation.calls(arena.rows, scope, thread, contender);
        }
        return new Shift(scope, calls);
    }

    /** What the calls said has to be what the database shows, or the figures mean nothing. */
    private void check(Contest contest, Entrant entrant, Shift shift) {
        long effects = contest.operation().effects(arena.rows, shift.scope, shift.done);
        if (effects != Answers.sum(shift.done)) {
            throw new IllegalStateException(contest.name() + " by " + entrant.name() + ": " + Answers.sum(shift.done)
                    + " calls, but " + effects + " effects in the database");
        }
    }

    /** Seconds per contender and cell, if all these cells are to take so long, and {@code making} for each contender. */
    private static double fitting(List<Contest> contests, double left, double making) {
        double weights = contests.stream().mapToDouble(Main::weight).sum();
        int entrants = contests.stream().mapToInt(c -> c.entrants().size()).sum();
        return Math.max(0.01, (left - making * entrants) / weights);
    }

    private static double weight(Contest contest) {
        return contest.threads() == 1 ? contest.weight() / 2 : contest.weight();
    }

    private static void progress(String format, Object... values) {
        System.err.printf("%.0f s: %s%n", elapsed(), String.format(Locale.ROOT, format, values));
    }

    private static double elapsed() {
        return (System.currentTimeMillis()
                        - ManagementFactory.getRuntimeMXBean().getStartTime())
                / 1e3;
    }
}
