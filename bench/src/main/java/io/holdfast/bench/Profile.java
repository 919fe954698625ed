package io.holdfast.bench;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.Scope;
import io.holdfast.repository.Holdfast;
import io.holdfast.testing.TestDatabase;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.logging.LogManager;
import java.util.stream.Collectors;

/** Where the server's time goes in an operation, by Linux's perf. */
public final class Profile {

    static final String HELP = """
            Samples the server's processes while one thread makes the same call over and over, and says in what they were.

              bench/run profile          a quarter of a minute for each

              --ops step,update-fenced,update
              --seconds 16               of an operation, after a quarter of that which does not count
              --tsv                      lines of: operation, part, share of the samples

            Needs Linux's perf (Debian's linux-perf), and to be root or allowed to use it.
            """;

    private static final List<Operation> KNOWN = List.of(
            new StepOperations.Whole(),
            new StepOperations.Both(),
            new WorkflowOperations.Create(),
            new WorkflowOperations.Write(false),
            new WorkflowOperations.Write(true),
            new LeaseOperations.Acquire(),
            new LeaseOperations.Renew(),
            new KeyOperations.Reserve(),
            new JournalOperations.Commit(true));

    private final Holdfast holdfast;
    private final Rows rows;
    private final double seconds;

    private Profile(Holdfast holdfast, Rows rows, double seconds) {
        this.holdfast = holdfast;
        this.rows = rows;
        this.seconds = seconds;
    }

    public static void main(String[] args) throws Exception {
        Arguments given = Arguments.of(HELP, Set.of("--tsv"), Set.of("--ops", "--seconds"), args);
        if (given == null) {
            return;
        }
        LogManager.getLogManager().reset();
        try {
            run(given);
        } catch (IllegalArgumentException | IOException e) {
            System.err.println(e.getMessage() + "; see --help");
            System.exit(2);
        }
        System.exit(0);
    }

    private static void run(Arguments given) throws Exception {
        List<Operation> operations = given.list("--ops", "step,update-fenced,update").stream()
                .map(Profile::named)
                .toList();
        try (TestDatabase database = TestDatabase.migrated("profile");
                HikariDataSource pool = Pools.of(database.url(), 1);
                Holdfast holdfast = Holdfast.open(pool)) {
            Profile profile = new Profile(holdfast, new Rows(database), given.decimal("--seconds", 16));
            Map<Operation, Map<String, Double>> shares = new LinkedHashMap<>();
            for (Operation operation : operations) {
                System.err.println(operation.name());
                shares.put(operation, profile.of(operation));
            }
            System.out.print(
                    given.has("--tsv")
                            ? tsv(shares)
                            : Conditions.of(database, "a pool of one", "one thread, samples of the server alone")
                                    + people(shares));
        }
    }

    private static Operation named(String name) {
        return KNOWN.stream()
                .filter(operation -> operation.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "--ops takes " + KNOWN.stream().map(Operation::name).collect(Collectors.joining(", "))));
    }

    /** Shares of the samples, of each part of {@link Stacks}. */
    private Map<String, Double> of(Operation operation) throws Exception {
        rows.reset();
        Calls side = new HoldfastSides(holdfast, rows).side(operation);
        Path data = Files.createTempFile("holdfast", ".perf");
        try (Crew crew = new Crew(1, rows.backends())) {
            side.turn(Scope.of("warm-" + operation.name()), crew, seconds / 4);
            Process perf = record(data);
            side.turn(Scope.of("measured-" + operation.name()), crew, seconds);
            perf.destroy(); // SIGTERM: it writes what it has
            if (!perf.waitFor(60, TimeUnit.SECONDS)) {
                throw new IOException("perf does not end");
            }
            return Stacks.shares(script(data));
        } finally {
            Files.delete(data);
        }
    }

    private Process record(Path data) throws IOException, InterruptedException {
        String pids = rows.backends().pids().stream().map(String::valueOf).collect(Collectors.joining(","));
        Process perf = new ProcessBuilder(
                        "perf",
                        "record",
                        "-q",
                        "-e",
                        "cpu-clock",
                        "-F",
                        "700",
                        "--call-graph",
                        "dwarf",
                        "-o",
                        data.toString(),
                        "-p",
                        pids)
                .redirectErrorStream(true)
                .start();
        if (perf.waitFor(1, TimeUnit.SECONDS)) { // else it is at work
            throw new IOException(
                    "perf: " + new String(perf.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip());
        }
        return perf;
    }

    private static List<String> script(Path data) throws IOException, InterruptedException {
        Path out = Files.createTempFile("holdfast", ".stacks");
        try {
            Process script = new ProcessBuilder("perf", "script", "--no-inline", "-F", "ip,sym", "-i", data.toString())
                    .redirectOutput(out.toFile())
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (script.waitFor() != 0) {
                throw new IOException("perf script ends with " + script.exitValue());
            }
            return Files.readAllLines(out);
        } finally {
            Files.delete(out);
        }
    }

    private static String people(Map<Operation, Map<String, Double>> shares) {
        StringBuilder out = new StringBuilder(String.format("%n%-52s", "samples, in hundredths"));
        shares.keySet().forEach(operation -> out.append(String.format("%16s", operation.name())));
        for (String part : Stacks.parts()) {
            out.append(String.format("%n%-52s", part));
            shares.values()
                    .forEach(of -> out.append(String.format(Locale.ROOT, "%16.0f", 100 * of.getOrDefault(part, 0.0))));
        }
        return out.append(String.format("%n")).toString();
    }

    private static String tsv(Map<Operation, Map<String, Double>> shares) {
        List<String> lines = new ArrayList<>();
        shares.forEach((operation, of) -> Stacks.parts()
                .forEach(part -> lines.add(String.format(
                        Locale.ROOT, "%s\t%s\t%.3f%n", operation.name(), part, of.getOrDefault(part, 0.0)))));
        return String.join("", lines);
    }
}
