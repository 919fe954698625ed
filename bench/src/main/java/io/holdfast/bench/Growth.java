package io.holdfast.bench;

import static java.util.Objects.requireNonNull;

import io.holdfast.bench.chart.Axis;
import io.holdfast.bench.chart.LineChart;
import io.holdfast.testing.TestDatabase;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.logging.LogManager;
import java.util.stream.IntStream;

/** What becomes of the figures as one thing grows and all else stays. */
public final class Growth {

    static final String HELP = """
            Measures single operations on ever more rows, threads, bytes of a snapshot, and tenants, one of these at a time; and
            many threads after one lease. What is measured in a round is the whole axis, so that ratios are of one time.

              bench/run growth               some twenty minutes

              --axes hot,threads,tenants,snapshot,rows
              --max-rows 1000000             the axis goes from 1,000 in powers of ten; 10000000 needs 25 GB of disk
              --shared-buffers 128MB         the server's; what the rows of an axis take is more from some million on
              --max-threads 64
              --rounds 3                     after one that does not count
              --seconds 2                    at most, of an operation at one place; shorter where the budget says so
              --budget 20                    minutes for all; what does not fit any more is left out, and said to be
              --tsv                          lines of: axis, value, operation, a second, p50 ms, p99 ms, ratio to the first
                                             value; of rows, to 10,000
              --charts DIR                   writes charts of each axis

            Unless it is what grows: 10,000 rows in 10 tenants, 8 threads, snapshots of half a kilobyte. Rows are workflows; there
            are as many leases and keys. Calls go to any row at random. hot is grant and release of one lease: p99 of a call, the
            longest time that a thread went without a grant, and the least and the most that a thread was granted of its fair
            share; beside it the upsert that is tried again at once.
            """;

    private static final int ROWS = 10_000;
    private static final int TENANTS = 10;
    private static final int THREADS = 8;
    private static final int SNAPSHOT = 500;

    /** Of the axis of rows: fewer are in the processor's caches. */
    private static final int BASE_ROWS = 10_000;

    /** What an axis needs to be worth beginning. */
    private static final double LEAST_SECONDS = 5;

    /** A value of an axis, and what was measured there. */
    private record Place(double value, Field field, int threads, Map<Field.Call, List<Shift>> rounds) {

        List<Shift> turns(Field.Call call) {
            return requireNonNull(rounds.get(call));
        }
    }

    private final Arguments given;
    private final int rounds;
    private final long end;
    private final StringBuilder people = new StringBuilder();
    private final StringBuilder tsv = new StringBuilder();
    private String conditions = "";

    private Growth(Arguments given) {
        this.given = given;
        this.rounds = given.number("--rounds", 3);
        this.end = System.nanoTime() + (long) (given.decimal("--budget", 20) * 60e9);
    }

    public static void main(String[] args) throws Exception {
        Arguments given = Arguments.of(
                HELP,
                Set.of("--tsv"),
                Set.of(
                        "--axes",
                        "--max-rows",
                        "--shared-buffers",
                        "--max-threads",
                        "--rounds",
                        "--seconds",
                        "--budget",
                        Arguments.CHARTS),
                args);
        if (given == null) {
            return;
        }
        LogManager.getLogManager().reset();
        System.setProperty("holdfast.test.shared_buffers", given.text("--shared-buffers", "128MB"));
        Growth growth = new Growth(given);
        List<String> axes = given.list("--axes", "hot,threads,tenants,snapshot,rows");
        for (int i = 0; i < axes.size(); i++) {
            growth.axis(axes.get(i), axes.size() - i);
        }
        System.out.print(given.has("--tsv") ? growth.tsv : growth.conditions + growth.people);
        System.exit(0);
    }

    /** @param left axes that are to share the time that is left, this one among them */
    private void axis(String name, int left) {
        double seconds = seconds() / left;
        if (seconds < LEAST_SECONDS) {
            people.append(line("%n%s left out: the budget is used up", name));
            return;
        }
        progress("%s: %.0f s", name, seconds);
        switch (name) {
            case "hot" -> hot(seconds);
            case "threads" -> threads(seconds);
            case "tenants" -> tenants(seconds);
            case "snapshot" -> snapshot(seconds);
            case "rows" -> rows(seconds);
            default -> throw new IllegalArgumentException("No axis " + name);
        }
    }

    private void threads(double seconds) {
        try (Field field = new Field(ROWS, TENANTS, SNAPSHOT, most())) {
            List<Place> places =
                    threadCounts(1).mapToObj(n -> place(n, field, n)).toList();
            measure("threads", "threads", places, seconds);
        }
    }

    private int most() {
        return given.number("--max-threads", 64);
    }

    private IntStream threadCounts(int from) {
        return IntStream.iterate(from, n -> n <= most(), n -> 2 * n);
    }

    private void tenants(double seconds) {
        fields(
                "tenants",
                "tenants",
                seconds,
                new int[] {1, 10, 100, 1_000},
                n -> new Field(ROWS, n, SNAPSHOT, THREADS));
    }

    /** Fewer rows, so that the largest still fit the memory. */
    private void snapshot(double seconds) {
        List<Place> places = new ArrayList<>();
        try {
            for (int bytes : new int[] {100, 1_000, 10_000, 100_000, 1_000_000}) {
                Field field = new Field(200, TENANTS, bytes, THREADS);
                places.add(place(field.snapshotBytes(), field, THREADS));
            }
            measure("snapshot", "bytes of a snapshot", places, seconds);
        } finally {
            places.forEach(place -> place.field().close());
        }
    }

    private void rows(double seconds) {
        int most = given.number("--max-rows", 1_000_000);
        int[] counts = IntStream.iterate(1_000, n -> n <= most, n -> n * 10).toArray();
        fields("rows", "workflows, leases and keys, each", seconds, counts, n -> new Field(n, 1_000, 0, THREADS));
    }

    /** Fields of growing size, as long as filling the next is likely to leave half of the time. */
    private void fields(String axis, String label, double seconds, int[] values, IntFunction<Field> fill) {
        long begun = System.nanoTime();
        List<Place> places = new ArrayList<>();
        double first = 0;
        double last = 0;
        try {
            for (int value : values) {
                double spent = (System.nanoTime() - begun) / 1e9;
                double expected = first + (axis.equals("rows") ? 10 : 1) * (last - first);
                if (!places.isEmpty() && spent + expected > seconds * 0.6) {
                    people.append(line("%n%s %,d left out: to make it would take some %.0f s", axis, value, expected));
                    break;
                }
                long filling = System.nanoTime();
                places.add(place(value, fill.apply(value), THREADS));
                last = (System.nanoTime() - filling) / 1e9;
                first = first == 0 ? last : Math.min(first, last);
                progress("%s %,d made in %.1f s", axis, value, last);
            }
            measure(axis, label, places, seconds - (System.nanoTime() - begun) / 1e9);
        } finally {
            places.forEach(place -> place.field().close());
        }
    }

    private static Place place(double value, Field field, int threads) {
        Map<Field.Call, List<Shift>> rounds = new LinkedHashMap<>();
        for (Field.Call call : Field.Call.values()) {
            rounds.put(call, new ArrayList<>());
        }
        return new Place(value, field, threads, rounds);
    }

    /** Round by round the whole axis, from one end and from the other in turn. */
    private void measure(String axis, String label, List<Place> places, double seconds) {
        noteConditions(places.get(0).field().database());
        int cells = (rounds + 1) * places.size() * Field.Call.values().length;
        double each = Math.min(given.decimal("--seconds", 2), Math.max(0.05, seconds / cells * 0.9));
        for (int round = -1; round < rounds; round++) {
            for (int i = 0; i < places.size(); i++) {
                Place place = places.get(round % 2 == 0 ? i : places.size() - 1 - i);
                try (Crew crew = place.field().crew(place.threads())) {
                    for (Field.Call call : Field.Call.values()) {
                        Shift shift = place.field().turn(call, crew, each);
                        if (round >= 0) {
                            place.turns(call).add(shift);
                        }
                    }
                }
            }
            progress("%s: round %d of %d, %.2f s each", axis, round + 1, rounds, each);
        }
        report(axis, label, places, each);
    }

    private void report(String axis, String label, List<Place> places, double each) {
        people.append(line("%n%s, %d rounds of %.2f s", label, rounds, each));
        Place base = places.stream()
                .filter(place -> axis.equals("rows") && place.value() == BASE_ROWS)
                .findFirst()
                .orElse(places.get(0));
        people.append(line(
                "%12s  %-12s%10s%9s%9s  times that of %,.0f (rounds)",
                axis, "operation", "a second", "p50 ms", "p99 ms", base.value()));
        LineChart rates = new LineChart(
                "Operations a second by " + axis, Axis.logarithmic(label), Axis.linear("operations a second"));
        LineChart tails =
                new LineChart("99th percentile by " + axis, Axis.logarithmic(label), Axis.logarithmic("milliseconds"));
        for (Field.Call call : Field.Call.values()) {
            List<Shift> first = base.turns(call);
            for (Place place : places) {
                List<Shift> shifts = place.turns(call);
                double rate = Figures.median(
                        shifts.stream().mapToDouble(Shift::perSecond).sorted().toArray());
                double[] ratios = IntStream.range(0, rounds)
                        .mapToDouble(
                                i -> shifts.get(i).perSecond() / first.get(i).perSecond())
                        .sorted()
                        .toArray();
                long[] all = latencies(shifts);
                double p50 = Figures.milliseconds(all, 0.5);
                double p99 = Figures.milliseconds(all, 0.99);
                people.append(line(
                        "%,12.0f  %-12s%10.0f%9.2f%9.2f  %s",
                        place.value(), call.label, rate, p50, p99, Figures.spread(ratios)));
                tsv.append(line(
                        "%s\t%.0f\t%s\t%.0f\t%.3f\t%.3f\t%.2f",
                        axis, place.value(), call.label, rate, p50, p99, Figures.median(ratios)));
                rates.point(call.label, place.value(), rate);
                tails.point(call.label, place.value(), p99);
            }
        }
        given.chart("growth-" + axis + "-rate", rates.svg());
        given.chart("growth-" + axis + "-p99", tails.svg());
    }

    private static long[] latencies(List<Shift> shifts) {
        return shifts.stream()
                .flatMapToLong(shift -> Arrays.stream(shift.allLatencies()))
                .sorted()
                .toArray();
    }

    private void hot(double seconds) {
        try (TestDatabase database = TestDatabase.migrated("hot");
                HotLease hot = new HotLease(database, threadCounts(2).toArray())) {
            noteConditions(database);
            hot.run(rounds, Math.min(3 * given.decimal("--seconds", 2), seconds / hot.cells(rounds) * 0.9));
            people.append(hot.people());
            tsv.append(hot.tsv());
            given.chart("growth-hot-p99", hot.tails());
            given.chart("growth-hot-shares", hot.shares());
        }
    }

    private void noteConditions(TestDatabase database) {
        if (conditions.isEmpty()) {
            conditions = Conditions.of(
                    database,
                    "a HikariCP pool of as many connections as threads",
                    "whatever is on an axis takes turns in each round; warmed up");
        }
    }

    private double seconds() {
        return (end - System.nanoTime()) / 1e9;
    }

    private static String line(String format, Object... values) {
        return String.format(Locale.ROOT, format + "%n", values);
    }

    private static void progress(String format, Object... values) {
        System.err.println(String.format(Locale.ROOT, format, values));
    }
}
