package io.holdfast.bench;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.Scope;
import io.holdfast.bench.chart.Axis;
import io.holdfast.bench.chart.BarChart;
import io.holdfast.lease.Fence;
import io.holdfast.lease.LeaseKey;
import io.holdfast.lease.Leases;
import io.holdfast.lease.Renewal;
import io.holdfast.repository.Holdfast;
import io.holdfast.testing.TestDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.logging.LogManager;
import javax.sql.DataSource;

/** Renews all leases of a process, as its heartbeat does, in batches of several sizes and by hand. */
public final class Renewals {

    static final String HELP = """
            Renews many leases of one owner: in batches of several sizes, each a statement, and by hand.

              bench/run renewals          half a minute

              --leases 10000
              --batches 100,1000,10000    leases of a statement
              --rounds 10                 after two that do not count; who begins changes with each
              --tsv                       lines of: contender, ms for all, least, most, longest statement ms, ratio to JDBC
              --charts DIR                writes a chart of the times
            """;

    /** Milliseconds for all of them, and of one statement: as long as it takes, it holds the locks of its rows. */
    private static final double WANTED = 300;

    private static final double WANTED_LOCK = 50;
    private static final int WARM_UP = 2;
    private static final Scope SCOPE = Scope.of("keeper");
    private static final String KIND = "bench";

    private static final String BY_HAND = """
            update holdfast.lease set expires_at = clock_timestamp() + ttl_ms * interval '1 millisecond'
             where scope = ? and kind = ? and id = ? and owner = ? and token = ? and expires_at > clock_timestamp()
            """;

    /** @param batch leases of a statement, or of a JDBC batch that is one transaction */
    private record Way(String name, int batch, boolean byHand, List<double[]> rounds) {}

    private final Leases leases;
    private final DataSource source;
    private final List<LeaseKey> keys;
    private final Fence fence = new Fence(Rows.owner(0), 1);

    private Renewals(Leases leases, DataSource source, int count) {
        this.leases = leases;
        this.source = source;
        this.keys = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            keys.add(new LeaseKey(KIND, Rows.id(0, i)));
        }
    }

    public static void main(String[] args) throws Exception {
        Arguments given = Arguments.of(
                HELP, Set.of("--tsv"), Set.of("--leases", "--batches", "--rounds", Arguments.CHARTS), args);
        if (given == null) {
            return;
        }
        LogManager.getLogManager().reset();
        int count = given.number("--leases", 10_000);
        int rounds = given.number("--rounds", 10);
        List<Way> ways = new ArrayList<>();
        for (String batch : given.list("--batches", "100,1000,10000")) {
            int size = Integer.parseInt(batch);
            ways.add(new Way("holdfast, " + size + " a statement", size, false, new ArrayList<>()));
        }
        ways.add(new Way("jdbc, batches of 1000", 1_000, true, new ArrayList<>()));
        try (TestDatabase database = TestDatabase.migrated("renewals");
                HikariDataSource pool = Pools.of(database.url(), 2);
                Holdfast holdfast = Holdfast.open(pool)) {
            new Rows(database).leases(SCOPE, KIND, 1, count);
            database.execute("vacuum (analyze) holdfast.lease");
            new Renewals(holdfast.in(SCOPE).leases(), pool, count).run(ways, rounds);
            System.out.print(
                    given.has("--tsv")
                            ? tsv(ways)
                            : Conditions.of(
                                            database,
                                            "a HikariCP pool of 2",
                                            rounds + " rounds of " + count + " leases, one thread, warmed up")
                                    + people(ways));
        }
        given.chart("renewals", chart(ways, count).svg());
        System.exit(0);
    }

    private void run(List<Way> ways, int rounds) throws SQLException {
        for (int round = -WARM_UP; round < rounds; round++) {
            for (int i = 0; i < ways.size(); i++) {
                Way way = ways.get(Math.floorMod(i + round, ways.size()));
                double[] took = way.byHand() ? byHand(way.batch()) : together(way.batch());
                if (round >= 0) {
                    way.rounds().add(took);
                }
            }
        }
    }

    /** Milliseconds for all, and the longest of a statement. */
    private double[] together(int batch) {
        long begun = System.nanoTime();
        long longest = 0;
        for (int from = 0; from < keys.size(); from += batch) {
            Map<LeaseKey, Fence> held = new LinkedHashMap<>();
            keys.subList(from, Math.min(keys.size(), from + batch)).forEach(key -> held.put(key, fence));
            long sent = System.nanoTime();
            Map<LeaseKey, Renewal> answers = leases.renewAll(held);
            longest = Math.max(longest, System.nanoTime() - sent);
            answers.values().forEach(answer -> Answers.is(Renewal.Renewed.class, answer));
        }
        return new double[] {(System.nanoTime() - begun) / 1e6, longest / 1e6};
    }

    private double[] byHand(int batch) throws SQLException {
        long begun = System.nanoTime();
        long longest = 0;
        try (Connection connection = source.getConnection();
                PreparedStatement renew = connection.prepareStatement(BY_HAND)) {
            connection.setAutoCommit(false);
            for (int from = 0; from < keys.size(); from += batch) {
                long sent = System.nanoTime();
                for (LeaseKey key : keys.subList(from, Math.min(keys.size(), from + batch))) {
                    bind(renew, key);
                }
                int renewed = Arrays.stream(renew.executeBatch()).sum();
                Sql.expect(Integer.toString(Math.min(batch, keys.size() - from)), Integer.toString(renewed));
                connection.commit();
                longest = Math.max(longest, System.nanoTime() - sent);
            }
            connection.setAutoCommit(true);
        }
        return new double[] {(System.nanoTime() - begun) / 1e6, longest / 1e6};
    }

    private void bind(PreparedStatement renew, LeaseKey key) throws SQLException {
        renew.setString(1, SCOPE.id());
        renew.setString(2, key.kind());
        renew.setString(3, key.id());
        renew.setString(4, fence.owner());
        renew.setLong(5, fence.token());
        renew.addBatch();
    }

    private static double[] column(Way way, int number) {
        return way.rounds().stream()
                .mapToDouble(round -> round[number])
                .sorted()
                .toArray();
    }

    private static double[] ratios(List<Way> ways, Way way) {
        Way baseline = ways.get(ways.size() - 1);
        double[] ratios = new double[way.rounds().size()];
        Arrays.setAll(ratios, i -> baseline.rounds().get(i)[0] / way.rounds().get(i)[0]);
        Arrays.sort(ratios);
        return ratios;
    }

    private static String tsv(List<Way> ways) {
        StringBuilder out = new StringBuilder();
        for (Way way : ways) {
            double[] all = column(way, 0);
            double[] longest = column(way, 1);
            out.append(String.format(
                    Locale.ROOT,
                    "%s\t%.1f\t%.1f\t%.1f\t%.1f\t%.2f%n",
                    way.name(),
                    Figures.median(all),
                    all[0],
                    all[all.length - 1],
                    longest[longest.length - 1],
                    Figures.median(ratios(ways, way))));
        }
        return out.toString();
    }

    /** A way is as wanted if its median is, and its longest statement in any round is. */
    private static String people(List<Way> ways) {
        StringBuilder out = new StringBuilder(String.format(
                "%n%-32s%9s  %-18s%18s  %-20s%s%n",
                "contender", "all, ms", "(rounds)", "longest stmt, ms", "speed, jdbc is 1", "wanted: 300, 50"));
        for (Way way : ways) {
            double[] all = column(way, 0);
            double[] longest = column(way, 1);
            boolean met = Figures.median(all) < WANTED && longest[longest.length - 1] < WANTED_LOCK;
            out.append(String.format(
                    Locale.ROOT,
                    "%-32s%9.1f  %-18s%18.1f  %-20s%s%n",
                    way.name(),
                    Figures.median(all),
                    String.format(Locale.ROOT, "(%.1f-%.1f)", all[0], all[all.length - 1]),
                    longest[longest.length - 1],
                    Figures.spread(ratios(ways, way)),
                    way.byHand() ? "" : met ? "yes" : "NO"));
        }
        return out.toString();
    }

    private static BarChart chart(List<Way> ways, int count) {
        BarChart chart = new BarChart(
                        "Renewing " + count + " leases",
                        Axis.linear("milliseconds; whiskers: rounds; the line: wanted for all of them"))
                .reference(WANTED);
        for (Way way : ways) {
            bar(chart, way, "all of them", column(way, 0));
            bar(chart, way, "longest statement", column(way, 1));
        }
        return chart;
    }

    private static void bar(BarChart chart, Way way, String name, double[] rounds) {
        chart.bar(way.name(), name, Figures.median(rounds), rounds[0], rounds[rounds.length - 1]);
    }
}
