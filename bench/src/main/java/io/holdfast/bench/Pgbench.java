package io.holdfast.bench;

import io.holdfast.Scope;
import io.holdfast.lease.LeaseKey;
import io.holdfast.repository.SentStatements;
import io.holdfast.state.Snapshots;
import io.holdfast.testing.TestDatabase;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * PostgreSQL's own client with the two statements that {@code begin} and {@code finish} send: what the server gives who does
 * nothing with the answers. Its variables are numbers, so ids are digits here.
 */
final class Pgbench implements Entrant.Outside {

    private static final String INCARNATION = "00000000-0000-4000-8000-000000000001";
    private static final int FIRST_ID = 1_000_000;
    private static final Pattern DONE = Pattern.compile("transactions actually processed: (\\d+)");
    private static final Pattern RATE = Pattern.compile("tps = ([\\d.]+)");

    private final Path program;
    private final TestDatabase database;
    private final String script;
    private double perSecond = 500;

    Pgbench(Path program, TestDatabase database, SentStatements sent) {
        this.program = program;
        this.database = database;
        this.script = """
                \\set n :n + 1
                \\set id %1$d + :client_id * %2$d + :n %% %2$d
                \\set workflow :id
                \\set revision 1 + :n / %2$d
                \\set key %1$d + :client_id * %1$d + :n
                """.formatted(FIRST_ID, Operation.HELD)
                + sent.text("StepBegin", "BEGIN").strip()
                + "\n\\gset begun_\n"
                + sent.text("StepFinish", "FINISH").strip().replace(":reservation", ":begun_reservation")
                + ";\n";
    }

    /** The newest one that is installed. */
    static Optional<Path> installed() {
        Stream<Path> onPath = Arrays.stream(
                        System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
                .map(Path::of);
        File[] versions =
                Optional.ofNullable(new File("/usr/lib/postgresql").listFiles()).orElse(new File[0]);
        Stream<Path> packaged =
                Arrays.stream(versions).map(version -> version.toPath().resolve("bin"));
        return Stream.concat(packaged.sorted((a, b) -> b.compareTo(a)), onPath)
                .map(folder -> folder.resolve("pgbench"))
                .filter(Files::isExecutable)
                .findFirst();
    }

    @Override
    public void prepare(Scope scope, int threads) {
        String ids = " from generate_series(%d, %d) id".formatted(FIRST_ID, FIRST_ID + threads * Operation.HELD - 1);
        String snapshot = Snapshots.write(States.first("pgbench")).replace("'", "''");
        database.execute(
                "insert into holdfast.workflow (scope, id, incarnation, request_id, status, revision, snapshot) select '"
                        + scope.id() + "', id, '" + INCARNATION + "', 'request-1', 'running', 1, '" + snapshot + "'"
                        + ids,
                "insert into holdfast.lease (scope, kind, id, owner, token, ttl_ms, granted_at, expires_at) select '"
                        + scope.id() + "', '" + LeaseKey.WORKFLOW
                        + "', id, 'w0', 1, 7200000, clock_timestamp(), clock_timestamp() + interval '1 hour'" + ids);
    }

    @Override
    public void run(Shift shift, double seconds) {
        int clients = shift.done.length;
        long each = Math.max(50, (long) (perSecond * seconds / clients));
        String said = run(clients, each, variables(shift.scope));
        long done = (long) number(DONE, said);
        perSecond = number(RATE, said);
        Arrays.fill(shift.done, done / clients);
        shift.nanos += (long) (done / perSecond * 1e9);
    }

    private static Map<String, String> variables(Scope scope) {
        return Map.ofEntries(
                Map.entry("n", "-1"),
                Map.entry("scope", scope.id()),
                Map.entry("lock_timeout", Contender.PATIENCE),
                Map.entry("request", States.REQUEST),
                Map.entry("keep", "86400000"),
                Map.entry("owner", "w0"),
                Map.entry("token", "1"),
                Map.entry("incarnation", INCARNATION),
                Map.entry("was", "running"),
                Map.entry("becomes", "running"),
                Map.entry("snapshot", Snapshots.write(States.second("pgbench"))),
                Map.entry("legal", "true"),
                Map.entry("outcome", KeyOperations.OUTCOME),
                Map.entry("release", "false"));
    }

    private String run(int clients, long each, Map<String, String> variables) {
        try {
            Path file = Files.createTempFile("begin-finish", ".sql");
            try {
                Files.writeString(file, script);
                List<String> command =
                        new ArrayList<>(List.of(program.toString(), "-n", "-M", "prepared", "-f", file.toString()));
                command.addAll(List.of("-c", Integer.toString(clients), "-t", Long.toString(each)));
                command.addAll(List.of(
                        "-j",
                        Integer.toString(Math.min(clients, Runtime.getRuntime().availableProcessors()))));
                command.addAll(List.of("-h", database.host(), "-p", Integer.toString(database.port())));
                command.addAll(List.of("-U", database.user()));
                variables.forEach((name, value) -> command.addAll(List.of("-D", name + "=" + value)));
                command.add(database.name());
                return said(new ProcessBuilder(command).redirectErrorStream(true));
            } finally {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String said(ProcessBuilder command) throws IOException {
        command.environment().put("PGPASSWORD", database.password());
        Process process = command.start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            if (process.waitFor() != 0) {
                throw new IllegalStateException("pgbench: " + said);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
        return said;
    }

    private static double number(Pattern pattern, String said) {
        Matcher matcher = pattern.matcher(said);
        if (!matcher.find()) {
            throw new IllegalStateException("pgbench: " + said);
        }
        return Double.parseDouble(matcher.group(1));
    }

    /** Which one it is. */
    String version() {
        try {
            return said(new ProcessBuilder(program.toString(), "--version")).strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
