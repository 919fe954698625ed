package io.holdfast.bench;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.zaxxer.hikari.HikariDataSource;
import dev.dbos.transact.DBOS;
import io.holdfast.Scope;
import io.holdfast.bench.chart.Axis;
import io.holdfast.bench.chart.BarChart;
import io.holdfast.repository.Holdfast;
import io.holdfast.testing.TestDatabase;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.logging.LogManager;
import net.javacrumbs.shedlock.core.SimpleLock;
import org.jobrunr.configuration.JobRunr;

/** Runs Holdfast beside what one would use in its place, job by job. */
public final class Peers {

    static final String HELP = """
            Measures Holdfast beside ShedLock (leases), db-scheduler and JobRunr (jobs), and DBOS Transact (steps), each by its
            own interface, on one server. Who is measured has the machine to itself; the order changes with the round.

              bench/run peers            some four minutes

              --only lease-acquire,step  of lease-acquire, lease-renew, lease-release, lease-cycle, lease-contended,
                                         job-enqueue and job-run (together), step, flow-1, flow-10 (a workflow of so
                                         many steps from its creation to its end)
              --rounds 5                 after two that do not count
              --seconds 2                of a turn
              --threads 8
              --jobs 4000                that are queued and run in a turn
              --quick                    one round of short turns that does count: whether it runs, no more
              --tsv                      lines of: job, unit, who, a second, p50 ms, p99 ms, Holdfast's times of it
              --charts DIR               writes a chart of what each does a second, Holdfast being 1

            The contracts are not the same: ShedLock has no fencing token, DBOS no lease; the schedulers find their jobs by
            themselves, Holdfast is asked for a list.
            """;

    private final Arguments given;
    private final boolean quick;
    private int scopes;

    private Peers(Arguments given) {
        this.given = given;
        this.quick = given.has("--quick");
    }

    public static void main(String[] args) throws Exception {
        Arguments given = Arguments.of(
                HELP,
                Set.of("--tsv", "--quick"),
                Set.of("--only", "--rounds", "--seconds", "--threads", "--jobs", Arguments.CHARTS),
                args);
        if (given != null) {
            LogManager.getLogManager().reset();
            new Peers(given).run();
            System.exit(0); // what the peers leave behind need not be waited for
        }
    }

    private void run() throws Exception {
        int threads = given.number("--threads", 8);
        try (TestDatabase database = TestDatabase.migrated("peers")) {
            database.execute("alter system set max_wal_size = '8GB'", "select pg_reload_conf()");
            try (HikariDataSource pool = Pools.of(database.url(), threads);
                    HikariDataSource more = Pools.of(database.url(), threads + 6);
                    Holdfast holdfast = Holdfast.open(pool)) {
                Rows rows = new Rows(database);
                List<Match> matches = matches(database, pool, more, holdfast, rows);
                String conditions = conditions(database, threads);
                play(matches, rows, threads);
                System.out.print(given.has("--tsv") ? tsv(matches) : conditions + people(matches));
                given.chart("peers", chart(matches, threads).svg());
            }
        }
    }

    private List<Match> matches(
            TestDatabase database, HikariDataSource pool, HikariDataSource more, Holdfast holdfast, Rows rows) {
        HoldfastSides ours = new HoldfastSides(holdfast, rows);
        ShedLockLeases shedLock = new ShedLockLeases(pool, database);
        int each = quick ? 20 : 400;
        int jobs = given.number("--jobs", quick ? 200 : 4_000);
        List<Match> matches = new ArrayList<>(List.of(
                Match.of("lease-acquire", "grants", ours.side(new LeaseOperations.Acquire()), shedLock.acquire()),
                Match.of("lease-renew", "renewals", ours.side(new LeaseOperations.Renew()), shedLock.renew()),
                Match.of(
                        "lease-release",
                        "releases",
                        ours.side(new LeaseOperations.Release(), each),
                        shedLock.release(each)),
                Match.of("lease-cycle", "grants", ours.side(new LeaseOperations.Cycle()), shedLock.cycle()),
                Match.of(
                        "lease-contended",
                        "grants",
                        ours.side(new LeaseOperations.Contended()),
                        shedLock.contended())));
        List<Jobs> queues = List.of(
                new HoldfastJobs(holdfast, rows, jobs),
                new DbSchedulerJobs(more, database, jobs),
                new JobRunrJobs(more, database, jobs));
        matches.add(Match.of(
                "job-enqueue", "jobs", queues.stream().map(Jobs::enqueue).toArray(Match.Side[]::new)));
        matches.add(Match.of("job-run", "jobs", queues.stream().map(Jobs::run).toArray(Match.Side[]::new)));
        matches.add(Match.of(
                "step",
                "steps",
                ours.side(new StepOperations.Whole()),
                ours.side(new StepOperations.Both()).named("holdfast, begin+finish"),
                DbosSteps.of(1, more, database)));
        for (int steps : new int[] {1, 10}) {
            matches.add(Match.of(
                    "flow-" + steps,
                    "flows",
                    ours.side(new StepOperations.Flow(steps, false)),
                    ours.side(new StepOperations.Flow(steps, true)).named("holdfast, begin+finish"),
                    DbosSteps.of(steps, more, database)));
        }
        Set<String> only = Set.copyOf(given.list("--only", ""));
        matches.removeIf(match -> !only.isEmpty() && !only.contains(match.name()));
        return matches;
    }

    private void play(List<Match> matches, Rows rows, int threads) throws Exception {
        int warmUp = quick ? 0 : 2;
        int rounds = given.number("--rounds", quick ? 1 : 5);
        double seconds = given.decimal("--seconds", quick ? 0.3 : 2);
        try (Crew crew = new Crew(threads, rows.backends())) {
            for (int round = -warmUp; round < rounds; round++) {
                System.err.println(round < 0 ? "warming up" : "round " + (round + 1) + " of " + rounds);
                rows.reset();
                for (Match match : matches) {
                    List<Shift> shifts = turns(match, crew, seconds, round);
                    if (round >= 0) {
                        match.rounds().add(shifts);
                    }
                }
            }
        }
    }

    private List<Shift> turns(Match match, Crew crew, double seconds, int round) throws Exception {
        int sides = match.sides().size();
        Shift[] shifts = new Shift[sides];
        for (int i = 0; i < sides; i++) {
            int turn = Math.floorMod(i + round, sides);
            // Jobs that are queued and run share a round's scope; nothing else may.
            Scope scope = Scope.of(match.name().startsWith("job-") ? "round-" + round : "s" + scopes++);
            shifts[turn] = match.sides().get(turn).turn(scope, crew, seconds);
        }
        return List.of(shifts);
    }

    private String conditions(TestDatabase database, int threads) {
        return Conditions.of(
                        database,
                        "HikariCP pools of " + threads + " and, for schedulers and DBOS, " + (threads + 6),
                        String.format(
                                Locale.ROOT,
                                "%d rounds of %.1f s or %d jobs by %d threads, turns by rounds; %s",
                                given.number("--rounds", quick ? 1 : 5),
                                given.decimal("--seconds", quick ? 0.3 : 2),
                                given.number("--jobs", quick ? 200 : 4_000),
                                threads,
                                quick ? "not warmed up: says nothing" : "warmed up"))
                + "peers     "
                + String.join(
                        "; ",
                        jar(SimpleLock.class) + " (" + ShedLockLeases.SETTINGS + ")",
                        jar(Scheduler.class) + " (" + DbSchedulerJobs.SETTINGS + ")",
                        jar(JobRunr.class) + " (" + JobRunrJobs.SETTINGS + ")",
                        jar(DBOS.class) + " (" + DbosSteps.SETTINGS + ")")
                + "\n";
    }

    /** Its name says the version. */
    private static String jar(Class<?> type) {
        Path path =
                Path.of(type.getProtectionDomain().getCodeSource().getLocation().getPath());
        return String.valueOf(path.getFileName()).replace(".jar", "");
    }

    private static String tsv(List<Match> matches) {
        StringBuilder out = new StringBuilder();
        for (Match match : matches) {
            for (int side = 0; side < match.sides().size(); side++) {
                out.append(String.format(
                        Locale.ROOT,
                        "%s\t%s\t%s\t%.0f\t%.3f\t%.3f\t%.2f%n",
                        match.name(),
                        match.unit(),
                        match.sides().get(side).name(),
                        Figures.median(match.perSecond(side)),
                        match.milliseconds(side, 0.5),
                        match.milliseconds(side, 0.99),
                        Figures.median(match.ratios(side))));
            }
        }
        return out.toString();
    }

    private static String people(List<Match> matches) {
        StringBuilder out = new StringBuilder(String.format(
                "%n%-16s%-24s%10s  %-9s%9s%9s   %s%n",
                "job", "who", "a second", "", "p50 ms", "p99 ms", "Holdfast does so many times as much (rounds)"));
        for (Match match : matches) {
            for (int side = 0; side < match.sides().size(); side++) {
                out.append(String.format(
                        Locale.ROOT,
                        "%-16s%-24s%10.0f  %-9s%9s%9s   %s%n",
                        side == 0 ? match.name() : "",
                        match.sides().get(side).name(),
                        Figures.median(match.perSecond(side)),
                        match.unit(),
                        milliseconds(match, side, 0.5),
                        milliseconds(match, side, 0.99),
                        side == 0 ? "" : Figures.spread(match.ratios(side))));
            }
        }
        return out.toString();
    }

    private static String milliseconds(Match match, int side, double quantile) {
        double value = match.milliseconds(side, quantile);
        return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, "%.2f", value);
    }

    private static BarChart chart(List<Match> matches, int threads) {
        BarChart chart = new BarChart(
                        "Holdfast and others, " + threads + " threads",
                        Axis.linear("a second, Holdfast is 1 (the line); whiskers: rounds"))
                .reference(1);
        for (Match match : matches) {
            for (int side = 1; side < match.sides().size(); side++) {
                double[] times = match.ratios(side);
                chart.bar(
                        match.name(),
                        match.sides().get(side).name(),
                        1 / Figures.median(times),
                        1 / times[times.length - 1],
                        1 / times[0]);
            }
        }
        return chart;
    }
}
