package io.holdfast.bench;

import static java.util.Objects.requireNonNull;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.Scope;
import io.holdfast.bench.chart.Axis;
import io.holdfast.bench.chart.LineChart;
import io.holdfast.lease.Acquisition;
import io.holdfast.lease.Lease;
import io.holdfast.lease.LeaseKey;
import io.holdfast.lease.Leases;
import io.holdfast.repository.Holdfast;
import io.holdfast.testing.TestDatabase;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;

/**
 * Many threads after one lease: each call is a grant and its release. Holdfast's callers ask again after a random time; beside
 * them the upsert that is tried again at once.
 */
final class HotLease implements AutoCloseable {

    private static final String SAME_WAITS = "jdbc, same waits";
    private static final LeaseKey KEY = new LeaseKey("bench", "the-one");

    private final HikariDataSource pool;
    private final Holdfast holdfast;
    private final Rows rows;
    private final int[] threads;
    private final Map<String, Function<Scope, Leases>> sides = new LinkedHashMap<>();
    private final List<Cell> cells = new ArrayList<>();
    private int scopes;

    /** One side with so many threads, and its turns. */
    private record Cell(String side, int threads, List<Shift> turns) {

        double rate() {
            return Figures.median(
                    turns.stream().mapToDouble(Shift::perSecond).sorted().toArray());
        }

        double milliseconds(double quantile) {
            return Figures.milliseconds(
                    turns.stream()
                            .flatMapToLong(turn -> Arrays.stream(turn.allLatencies()))
                            .sorted()
                            .toArray(),
                    quantile);
        }

        /** What each thread was granted, in fair shares: of the turns, the median of the worst off, of the next, and so on. */
        double[] shares() {
            List<double[]> all = turns.stream()
                    .map(turn -> Figures.shares(
                            Arrays.stream(turn.done).asDoubleStream().toArray()))
                    .toList();
            double[] shares = new double[threads];
            Arrays.setAll(
                    shares,
                    i -> Figures.median(
                            all.stream().mapToDouble(turn -> turn[i]).sorted().toArray()));
            return shares;
        }
    }

    HotLease(TestDatabase database, int[] threads) {
        this.threads = threads;
        pool = Pools.of(database.url(), threads[threads.length - 1]);
        holdfast = Holdfast.open(pool);
        rows = new Rows(database);
        sides.put("holdfast", scope -> holdfast.in(scope).leases());
        sides.put("jdbc", scope -> new NaiveLeases(pool, scope, false));
        sides.put(SAME_WAITS, scope -> new NaiveLeases(pool, scope, true));
        for (String side : sides.keySet()) {
            for (int number : threads) {
                cells.add(new Cell(side, number, new ArrayList<>()));
            }
        }
    }

    int cells(int rounds) {
        return (rounds + 1) * cells.size();
    }

    /** After a round that does not count, from one end and from the other in turn. */
    void run(int rounds, double seconds) {
        for (int round = -1; round < rounds; round++) {
            for (int i = 0; i < cells.size(); i++) {
                Cell cell = cells.get(round % 2 == 0 ? i : cells.size() - 1 - i);
                Shift turn = turn(cell, seconds);
                if (round >= 0) {
                    cell.turns().add(turn);
                }
            }
            System.err.printf(Locale.ROOT, "hot: round %d of %d, %.2f s each%n", round + 1, rounds, seconds);
        }
    }

    private Shift turn(Cell cell, double seconds) {
        Scope scope = Scope.of("hot-" + scopes++);
        rows.floor(scope);
        Leases leases = requireNonNull(sides.get(cell.side())).apply(scope);
        boolean queued = cell.side().equals("jdbc"); // by the server, for the row
        Operation.Call[] calls = new Operation.Call[cell.threads()];
        for (int thread = 0; thread < calls.length; thread++) {
            String owner = Rows.owner(thread);
            calls[thread] = number -> Answers.yes(leases.release(
                    KEY, granted(leases, owner, queued ? 0 : calls.length).fence()));
        }
        Shift shift = new Shift(scope, calls);
        try (Crew crew = new Crew(cell.threads(), rows.backends())) {
            crew.run(shift, (long) (seconds * 1e9), Integer.MAX_VALUE);
        }
        long tokens = rows.count("sum(token)", "lease", scope);
        if (tokens != Answers.sum(shift.done)) {
            throw new IllegalStateException(
                    cell.side() + ": " + Answers.sum(shift.done) + " grants, but token " + tokens);
        }
        return shift;
    }

    /**
     * Asks at random times, all threads together twice in a millisecond. Who has just given it back waits as well, and nobody asks
     * less often for having waited longer: so all have the same chance each time, and refusals leave the holder its processor.
     *
     * @param threads 0 for who does not wait
     */
    private static Lease granted(Leases leases, String owner, int threads) {
        while (true) {
            if (threads > 0) {
                LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(1_000_000L * threads));
            }
            if (leases.acquire(KEY, owner, LeaseOperations.TTL) instanceof Acquisition.Granted granted) {
                return granted.lease();
            }
        }
    }

    String people() {
        StringBuilder out = new StringBuilder(String.format(
                "%none lease, grant and release%n%9s  %-18s%10s%9s%9s%18s  %s%n",
                "threads", "who", "a second", "p50 ms", "p99 ms", "longest wait, ms", "shares, least to most"));
        for (Cell cell : cells) {
            double[] shares = cell.shares();
            out.append(String.format(
                    Locale.ROOT,
                    "%9d  %-18s%10.0f%9.2f%9.2f%18.0f  %.2f to %.2f%n",
                    cell.threads(),
                    cell.side(),
                    cell.rate(),
                    cell.milliseconds(0.5),
                    cell.milliseconds(0.99),
                    cell.milliseconds(1),
                    shares[0],
                    shares[shares.length - 1]));
        }
        return out.toString();
    }

    String tsv() {
        StringBuilder out = new StringBuilder();
        for (Cell cell : cells) {
            out.append(String.format(
                    Locale.ROOT,
                    "hot\t%d\t%s\t%.0f\t%.3f\t%.3f\t%.2f%n",
                    cell.threads(),
                    cell.side(),
                    cell.rate(),
                    cell.milliseconds(0.5),
                    cell.milliseconds(0.99),
                    cell.shares()[0]));
        }
        return out.toString();
    }

    String tails() {
        LineChart chart = new LineChart(
                "Threads after one lease",
                Axis.logarithmic("threads"),
                Axis.logarithmic("milliseconds to a grant and back"));
        for (Cell cell : cells) {
            chart.point(cell.side() + ", p99", cell.threads(), cell.milliseconds(0.99));
            chart.point(cell.side() + ", longest", cell.threads(), cell.milliseconds(1));
        }
        return chart.svg();
    }

    /** Of most threads, from the worst off to the best off. */
    String shares() {
        int most = threads[threads.length - 1];
        LineChart chart = new LineChart(
                "What each of " + most + " threads is granted of one lease",
                Axis.linear("threads, from who is granted least"),
                Axis.linear("fair shares"));
        for (Cell cell : cells) {
            double[] shares = cell.shares();
            for (int i = 0; i < shares.length && cell.threads() == most; i++) {
                chart.point(cell.side(), i + 1, shares[i]);
            }
        }
        return chart.svg();
    }

    @Override
    public void close() {
        holdfast.close();
        pool.close();
    }
}
