package io.holdfast.chaos;

import io.holdfast.testing.ServerProxy;
import io.holdfast.testing.TestDatabase;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The chaos run: {@code bench/chaos --help} says how it is called. */
final class Main {

    private static final String USAGE = """
            bench/chaos [--seconds N] [--seed S] [--planted-bug]

              --seconds N     how long from when all are at work, 20 or more; 45 unless given
              --seed S        the plan of faults and the workers' choices; another each time unless given
              --planted-bug   takes three locks out, those on a lease, a run and a transcript: each must be found

            Ends with "violations: N"; exit status 1 if there are any, 2 if it could not be run, or so little was done or went
            wrong that it says nothing.
            """;

    private static final int WORKERS = 3;
    private static final int CANNOT = 2;

    /** Less has no room for each kind of fault, and for what workers do meanwhile. */
    private static final long LEAST_SECONDS = 20;

    private static final long FIRST_MILLIS = 500;
    private static final long CALM_MILLIS = 5_000;

    /** On a machine that has little time for three more processes. */
    private static final int START_SECONDS = 240;

    static final int PATIENCE_SECONDS = 60;

    /** Violations of one rule. */
    private static final int SHOWN = 5;

    private final Options options;
    private final Path directory;
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    private final List<WorkerProcess> workers = new ArrayList<>();
    private final List<ServerProxy> proxies = new ArrayList<>();

    private record Options(long seconds, long seed, boolean planted) {

        static Options of(String[] arguments) {
            long seconds = 45;
            long seed = System.nanoTime() % 1_000_000;
            boolean planted = false;
            for (int i = 0; i < arguments.length; i++) {
                switch (arguments[i]) {
                    case "--seconds" -> seconds = Long.parseLong(arguments[++i]);
                    case "--seed" -> seed = Long.parseLong(arguments[++i]);
                    case "--planted-bug" -> planted = true;
                    default -> throw new IllegalArgumentException(arguments[i]);
                }
            }
            if (seconds < LEAST_SECONDS) {
                throw new IllegalArgumentException(
                        "--seconds " + seconds + ": not below " + LEAST_SECONDS + ", or too little can go wrong");
            }
            return new Options(seconds, seed, planted);
        }
    }

    private Main(Options options) throws IOException {
        this.options = options;
        this.directory = Files.createTempDirectory("holdfast-chaos");
    }

    public static void main(String[] arguments) throws IOException {
        Options options;
        try {
            options = Options.of(arguments);
        } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
            boolean asked = List.of(arguments).contains("--help");
            System.err.print((asked ? "" : e.getMessage() + "\n\n") + USAGE);
            System.exit(asked ? 0 : 2);
            return;
        }
        Main main = new Main(options);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> main.workers.forEach(WorkerProcess::close)));
        int status;
        try {
            status = main.run();
        } catch (IOException | SQLException | InterruptedException | RuntimeException | AssertionError e) {
            e.printStackTrace();
            status = CANNOT;
        }
        System.out.flush();
        main.close(status == 0);
        Runtime.getRuntime().halt(status); // what would be cleared up at exit has gone with the server
    }

    /** How a unit is opened is not of interest here; what a worker says is in its own log. */
    private static final Logger ROOT = Logger.getLogger("");

    /** The exit status. */
    private int run() throws IOException, SQLException, InterruptedException {
        ROOT.setLevel(Level.WARNING);
        ChaosServer server = opened(ChaosServer.start(directory));
        // The helpers of the tests, on a server that is ours to stop.
        System.setProperty("holdfast.test.url", "jdbc:postgresql://localhost:" + server.port() + "/postgres");
        TestDatabase database = TestDatabase.migrated("chaos");
        database.execute(FencedEffect.TABLE);
        for (int i = 0; i < WORKERS; i++) {
            ServerProxy proxy = opened(ServerProxy.to(database));
            proxy.keepNoStatements();
            proxies.add(proxy);
            workers.add(opened(new WorkerProcess(
                    "worker-" + (i + 1),
                    proxy.url(),
                    directory,
                    options.seed() * 1_000 + i * 100L,
                    options.planted(),
                    i == WORKERS - 1)));
        }
        long faults = options.seconds() * 1_000 - CALM_MILLIS;
        List<Fault> plan = Fault.plan(options.seed(), FIRST_MILLIS, faults, WORKERS);
        workers.forEach(WorkerProcess::start);
        if (!awaitWrites(0, START_SECONDS)) {
            throw new IllegalStateException("not every worker is at work after " + START_SECONDS + " s: "
                    + String.join(
                            "", workers.stream().map(WorkerProcess::complaints).toList()));
        }
        System.out.printf(
                Locale.ROOT,
                "seed %d, %d s, %d workers; hours that their clocks are ahead: %s%n%d faults:%n",
                options.seed(),
                options.seconds(),
                WORKERS,
                workers.stream()
                        .map(worker -> worker.name + " " + worker.hoursAhead())
                        .collect(Collectors.joining(", ")),
                plan.size());
        plan.forEach(System.out::println);
        long start = System.nanoTime();
        Director director = new Director(new ServerFaults(server, database), workers, proxies);
        director.carryOut(plan, start);
        long over = System.nanoTime();
        TimeUnit.MILLISECONDS.sleep(CALM_MILLIS);
        boolean calm = awaitWrites(over, PATIENCE_SECONDS);
        long end = System.nanoTime();
        List<String> violations = new ArrayList<>();
        Finish finish = Finish.of(database, workers, violations);
        for (WorkerProcess worker : workers) {
            worker.order("stop");
        }
        for (WorkerProcess worker : workers) {
            if (!worker.ended(PATIENCE_SECONDS)) {
                worker.dumpThreads();
                violations.add("stuck: " + worker.name + " does not stop: " + worker.complaints());
                worker.kill();
            } else if (worker.status() != 0) {
                violations.add("run: " + worker.name + " ended with status " + worker.status() + worker.complaints());
            }
            if (!worker.clockIsAsMeant()) {
                violations.add("run: the clock of " + worker.name + " was ahead by hours " + worker.hoursAhead());
            }
        }
        if (!calm) {
            violations.add("stuck: not every worker writes again, " + PATIENCE_SECONDS + " s after the last fault: "
                    + String.join(
                            "", workers.stream().map(WorkerProcess::complaints).toList()));
        }
        violations.addAll(
                director.troubles().stream().map(trouble -> "run: " + trouble).toList());
        List<Entry> history = history();
        Stored stored = Stored.read(
                database.directDataSource(), Ledger.lines(WorkerProcess.ledger(directory)), finish.leftOpen());
        violations.addAll(Checker.violations(history, stored));
        Tally tally = new Tally(history, start, end);
        report(history, plan, director.ended());
        System.out.println(tally);
        System.out.println("stored    " + stored);
        System.out.println(finish);
        violations.stream()
                .collect(Collectors.groupingBy(line -> line.replaceAll(":.*", ""), TreeMap::new, Collectors.toList()))
                .values()
                .forEach(rule -> rule.stream().limit(SHOWN).forEach(System.out::println));
        List<String> shortfalls =
                new ArrayList<>(Director.shortfalls(plan, director.ended().keySet()));
        shortfalls.addAll(tally.shortfalls(options.planted()));
        shortfalls.forEach(shortfall -> System.out.println("too little: " + shortfall));
        boolean counts = shortfalls.isEmpty() || !violations.isEmpty();
        System.out.println(
                counts ? "violations: " + violations.size() : "could not be run: too little was done or went wrong");
        return !counts ? CANNOT : violations.isEmpty() ? 0 : 1;
    }

    private <T extends AutoCloseable> T opened(T resource) {
        opened.push(resource);
        return resource;
    }

    /** Until every worker was told that it wrote something after that moment; whether it was. */
    private boolean awaitWrites(long after, int seconds) throws IOException, InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        while (true) {
            if (Recovery.writes(history(), names()).values().stream().allMatch(at -> at.higher(after) != null)) {
                return true;
            }
            if (System.nanoTime() > end) {
                return false;
            }
            TimeUnit.SECONDS.sleep(1);
        }
    }

    private List<String> names() {
        return workers.stream().map(worker -> worker.name).toList();
    }

    private List<Entry> history() throws IOException {
        List<Entry> entries = new ArrayList<>();
        for (WorkerProcess worker : workers) {
            if (Files.exists(worker.history())) {
                try (Stream<String> lines = Files.lines(worker.history(), StandardCharsets.UTF_8)) {
                    lines.forEach(line -> Entry.parse(line).ifPresent(entries::add));
                }
            }
        }
        return entries;
    }

    private void report(List<Entry> history, List<Fault> plan, Map<Fault, Long> ended) {
        System.out.println();
        Map<String, NavigableSet<Long>> writes = Recovery.writes(history, names());
        List<Entry> inOrder =
                history.stream().sorted(Comparator.comparingLong(Entry::at)).toList();
        for (Fault fault : plan) {
            Long at = ended.get(fault);
            System.out.println(
                    at == null
                            ? fault + "  | did not strike"
                            : Recovery.of(fault, at, writes, names()).with(inOrder, at, names()));
        }
        System.out.println();
    }

    /** @param well if not, what workers wrote down is kept for whoever wants to know why */
    private void close(boolean well) throws IOException {
        while (!opened.isEmpty()) {
            try {
                opened.pop().close();
            } catch (Exception e) {
                System.err.println("not closed: " + e);
            }
        }
        try (Stream<Path> files = Files.walk(directory)) {
            files.filter(path -> well || path.startsWith(directory.resolve("data")))
                    .sorted(Comparator.reverseOrder())
                    .forEach(path -> path.toFile().delete());
        }
        if (!well) {
            System.err.println("what workers were told, and their logs: " + directory);
        }
    }
}
