package io.holdfast.bench;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.Scope;
import io.holdfast.bench.chart.Axis;
import io.holdfast.bench.chart.LineChart;
import io.holdfast.repository.Holdfast;
import io.holdfast.testing.TestDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.logging.LogManager;

/** A day in an hour: a steady load with autovacuum and clean-up beside it, and whether it is at the end as it was. */
public final class Day {

    static final String HELP = """
            Works at a steady rate beside autovacuum and clean-up, and looks at times and tables on the way.

              bench/run day

              --minutes 60
              --leases 10000       renewed in batches of 1,000
              --renew-each 10      seconds, all of them
              --rate 200           steps a second; 20 are the life of a workflow, then a new one is made
              --threads 4
              --naptime 60         seconds between autovacuum's looks, as PostgreSQL has it
              --samples 60
              --tsv                lines of: minute, steps/s, step p99 ms, renewal p99 ms, new workflow p99 ms, lease MB,
                                   workflow MB, key MB, HOT share of the lease table, its dead and live rows, vacuums,
                                   rows removed
              --charts DIR         writes charts of the times, the sizes and the HOT share

            What has ended is kept for a minute, and so are keys: as many rows go as come. The verdict compares the last quarter
            with the second: nothing should have grown. Sizes are those of table and indexes.
            """;

    private static final Scope SCOPE = Scope.of("day");
    private static final double WANTED_HOT = 0.95;
    private static final double MOST_GROWTH = 1.5;

    private static final String LOOK = """
            select pg_total_relation_size('holdfast.lease') / 1e6, pg_total_relation_size('holdfast.workflow') / 1e6,
                   pg_total_relation_size('holdfast.idempotency_key') / 1e6,
                   n_tup_upd, n_tup_hot_upd, n_dead_tup, n_live_tup, autovacuum_count
              from pg_stat_user_tables where relid = 'holdfast.lease'::regclass
            """;

    /** @param updates of the lease table since the beginning, {@code hot} of them heap-only */
    private record Sample(
            double minute,
            double rate,
            double step,
            double renewal,
            double life,
            double leaseSize,
            double workflowSize,
            double keySize,
            long updates,
            long hot,
            long dead,
            long live,
            long vacuums,
            long removed) {

        double share(Sample before) {
            long all = updates - before.updates;
            return all == 0 ? Double.NaN : (hot - before.hot) / (double) all;
        }
    }

    private static final Sample NOTHING = new Sample(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

    private final List<Sample> samples = new ArrayList<>();
    private final boolean tsv;
    private final DayLoad load;

    private Day(DayLoad load, boolean tsv) {
        this.load = load;
        this.tsv = tsv;
    }

    public static void main(String[] args) throws Exception {
        Arguments given = Arguments.of(
                HELP,
                Set.of("--tsv"),
                Set.of(
                        "--minutes",
                        "--leases",
                        "--renew-each",
                        "--rate",
                        "--threads",
                        "--naptime",
                        "--samples",
                        Arguments.CHARTS),
                args);
        if (given == null) {
            return;
        }
        LogManager.getLogManager().reset();
        int threads = given.number("--threads", 4);
        int leases = given.number("--leases", 10_000);
        double minutes = given.decimal("--minutes", 60);
        try (TestDatabase database = TestDatabase.migrated("day");
                HikariDataSource pool = Pools.of(database.url(), threads + 2);
                Holdfast holdfast = Holdfast.open(pool)) {
            database.execute(
                    "alter system set autovacuum_naptime = " + given.number("--naptime", 60),
                    "select pg_reload_conf()");
            new Rows(database).leases(SCOPE, DayLoad.KIND, 1, leases);
            Duration renewEach = Duration.ofMillis((long) (given.decimal("--renew-each", 10) * 1_000));
            int rate = given.number("--rate", 200);
            DayLoad load = new DayLoad(holdfast.in(SCOPE), threads, rate, leases, renewEach);
            Day day = new Day(load, given.has("--tsv"));
            if (!given.has("--tsv")) {
                System.out.print(Conditions.of(
                        database,
                        "a HikariCP pool of " + (threads + 2),
                        String.format(
                                Locale.ROOT,
                                "%.1f minutes; %d steps a second by %d threads, %d leases renewed each %d s; autovacuum_naptime %s",
                                minutes,
                                rate,
                                threads,
                                leases,
                                renewEach.toSeconds(),
                                database.value("show autovacuum_naptime"))));
            }
            day.run(database, minutes, given.number("--samples", 60));
            day.charts(given);
            if (!given.has("--tsv")) {
                System.out.print(day.verdict());
            }
        }
        System.exit(0);
    }

    private void run(TestDatabase database, double minutes, int number) throws Exception {
        if (!tsv) {
            System.out.printf(
                    "%n%7s%8s%10s%12s%10s | %10s%13s%8s | %6s%9s%9s%8s | %8s%n",
                    "minute",
                    "steps/s",
                    "step p99",
                    "renewal p99",
                    "life p99",
                    "lease MB",
                    "workflow MB",
                    "key MB",
                    "HOT",
                    "dead",
                    "live",
                    "vacuums",
                    "removed");
        }
        long begun = System.nanoTime();
        load.start();
        try (Connection connection = database.connect();
                PreparedStatement look = connection.prepareStatement(LOOK)) {
            long last = begun;
            for (int i = 1; i <= number; i++) {
                long due = begun + (long) (minutes * 60e9 * i / number);
                Thread.sleep(Math.max(0, (due - System.nanoTime()) / 1_000_000));
                load.check();
                long now = System.nanoTime();
                sample(look, (now - begun) / 60e9, (now - last) / 1e9);
                last = now;
            }
        }
        load.stop();
    }

    private void sample(PreparedStatement look, double minute, double seconds) throws SQLException {
        long[] steps = load.steps.taken();
        long[] renewals = load.renewals.taken();
        long[] lives = load.lives.taken();
        try (var row = look.executeQuery()) {
            row.next();
            Sample sample = new Sample(
                    minute,
                    steps.length / seconds,
                    Figures.milliseconds(steps, 0.99),
                    Figures.milliseconds(renewals, 0.99),
                    Figures.milliseconds(lives, 0.99),
                    row.getDouble(1),
                    row.getDouble(2),
                    row.getDouble(3),
                    row.getLong(4),
                    row.getLong(5),
                    row.getLong(6),
                    row.getLong(7),
                    row.getLong(8),
                    load.removed.get());
            print(sample);
            samples.add(sample);
        }
    }

    private void print(Sample sample) {
        double share = sample.share(last());
        System.out.printf(
                Locale.ROOT,
                tsv
                        ? "%.2f\t%.0f\t%.2f\t%.2f\t%.2f\t%.1f\t%.1f\t%.1f\t%.4f\t%d\t%d\t%d\t%d%n"
                        : "%7.2f%8.0f%10.2f%12.2f%10.2f | %10.1f%13.1f%8.1f | %6.3f%9d%9d%8d | %8d%n",
                sample.minute(),
                sample.rate(),
                sample.step(),
                sample.renewal(),
                sample.life(),
                sample.leaseSize(),
                sample.workflowSize(),
                sample.keySize(),
                share,
                sample.dead(),
                sample.live(),
                sample.vacuums(),
                sample.removed());
    }

    private Sample last() {
        return samples.isEmpty() ? NOTHING : samples.get(samples.size() - 1);
    }

    private String verdict() {
        double share = last().share(NOTHING);
        StringBuilder out = new StringBuilder(String.format(
                Locale.ROOT,
                "%nHOT share of the lease table %.3f, wanted %.2f: %s%n",
                share,
                WANTED_HOT,
                share >= WANTED_HOT ? "yes" : "NO"));
        growth(out, "p99 of a step, ms", Sample::step);
        growth(out, "p99 of a renewal of 1,000, ms", Sample::renewal);
        growth(out, "lease table, MB", Sample::leaseSize);
        growth(out, "workflow table, MB", Sample::workflowSize);
        growth(out, "key table, MB", Sample::keySize);
        return out.toString();
    }

    private void growth(StringBuilder out, String name, ToDoubleFunction<Sample> figure) {
        int quarter = samples.size() / 4;
        if (quarter == 0) {
            return;
        }
        double second = median(samples.subList(quarter, 2 * quarter), figure);
        double fourth = median(samples.subList(samples.size() - quarter, samples.size()), figure);
        out.append(String.format(
                Locale.ROOT,
                "%s: %.1f in the second quarter, %.1f in the last; at most %.1f times wanted: %s%n",
                name,
                second,
                fourth,
                MOST_GROWTH,
                fourth <= second * MOST_GROWTH ? "yes" : "NO"));
    }

    private static double median(List<Sample> some, ToDoubleFunction<Sample> figure) {
        return Figures.median(some.stream().mapToDouble(figure).sorted().toArray());
    }

    private void charts(Arguments given) {
        LineChart times =
                new LineChart("Times over the run", Axis.linear("minutes"), Axis.logarithmic("99th percentile, ms"));
        LineChart sizes = new LineChart("Tables with their indexes", Axis.linear("minutes"), Axis.linear("megabytes"));
        LineChart hot =
                new LineChart("Lease table", Axis.linear("minutes"), Axis.linear("heap-only updates, per cent"));
        Sample before = NOTHING;
        for (Sample sample : samples) {
            times.point("step", sample.minute(), sample.step())
                    .point("renewal of 1,000 leases", sample.minute(), sample.renewal())
                    .point("last step, new workflow and lease", sample.minute(), sample.life());
            sizes.point("lease", sample.minute(), sample.leaseSize())
                    .point("workflow", sample.minute(), sample.workflowSize())
                    .point("idempotency_key", sample.minute(), sample.keySize());
            hot.point("heap-only", sample.minute(), 100 * sample.share(before))
                    .point("wanted", sample.minute(), 100 * WANTED_HOT);
            before = sample;
        }
        given.chart("day-p99", times.svg());
        given.chart("day-sizes", sizes.svg());
        given.chart("day-hot", hot.svg());
    }
}
