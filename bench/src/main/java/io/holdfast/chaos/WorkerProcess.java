package io.holdfast.chaos;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A worker in a JVM of its own, which lives again after it was killed. */
final class WorkerProcess implements AutoCloseable {

    private static final List<String> FAKETIME = List.of(
            "/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1",
            "/usr/lib/aarch64-linux-gnu/faketime/libfaketime.so.1");

    private static final int LAST_LINES = 150;

    final String name;
    final boolean hourAhead;
    private final String url;
    private final Path directory;
    private final long seed;
    private final boolean planted;
    private int lives;
    private @Nullable Process process;

    /** @param hourAhead its wall clock is, if there is libfaketime */
    WorkerProcess(String name, String url, Path directory, long seed, boolean planted, boolean hourAhead) {
        this.name = name;
        this.url = url;
        this.directory = directory;
        this.seed = seed;
        this.planted = planted;
        this.hourAhead = hourAhead && faketime() != null;
    }

    private static @Nullable String faketime() {
        return FAKETIME.stream()
                .filter(library -> Files.exists(Path.of(library)))
                .findFirst()
                .orElse(null);
    }

    Path history() {
        return directory.resolve(name + ".history");
    }

    /** Of all of them. */
    static Path ledger(Path directory) {
        return directory.resolve("ledger");
    }

    void start() {
        lives++;
        ProcessBuilder builder = new ProcessBuilder(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx160m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Dslf4j.internal.verbosity=ERROR",
                Worker.class.getName(),
                name + "." + lives,
                url,
                history().toString(),
                ledger(directory).toString(),
                Long.toString(seed + lives),
                Boolean.toString(planted)));
        builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
        String library = faketime();
        if (hourAhead && library != null) {
            builder.environment().put("LD_PRELOAD", library);
            builder.environment().put("FAKETIME", "+1h");
            // What is measured by it, waits and the history, must not be off.
            builder.environment().put("FAKETIME_DONT_FAKE_MONOTONIC", "1");
            builder.environment().put("FAKETIME_FORCE_MONOTONIC_FIX", "0"); // or each of the JVM's waits ends at once
        }
        File log = directory.resolve(name + ".log").toFile();
        builder.redirectOutput(ProcessBuilder.Redirect.appendTo(log));
        builder.redirectError(ProcessBuilder.Redirect.appendTo(log));
        try {
            process = builder.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Process process() {
        if (process == null) {
            throw new IllegalStateException(name + " has not been started");
        }
        return process;
    }

    boolean isAlive() {
        return process().isAlive();
    }

    /** SIGKILL: nothing of it runs any more, no hook, no finally. */
    void kill() {
        process().destroyForcibly();
    }

    /** SIGSTOP: it stands still where it is, connections open. */
    void freeze() {
        Signals.send("STOP", process().pid());
    }

    /** SIGCONT: to the process no time has passed. */
    void thaw() {
        Signals.send("CONT", process().pid());
    }

    void order(String order) {
        try {
            process().getOutputStream().write((order + "\n").getBytes(StandardCharsets.UTF_8));
            process().getOutputStream().flush();
        } catch (IOException e) {
            System.err.println(name + " could not be told to " + order + ": " + e.getMessage());
        }
    }

    /** Waits for its end after it was told to stop; whether it came. */
    boolean ended(long seconds) throws InterruptedException {
        return process().waitFor(seconds, TimeUnit.SECONDS);
    }

    /** With which it ended. */
    int status() {
        return process().exitValue();
    }

    /** To its log, for whoever wants to know why it does not stop. */
    void dumpThreads() throws InterruptedException {
        Signals.send("QUIT", process().pid());
        TimeUnit.SECONDS.sleep(2);
    }

    /** Its last words. */
    String complaints() {
        try {
            List<String> lines = Files.readAllLines(directory.resolve(name + ".log"));
            return lines.subList(Math.max(0, lines.size() - LAST_LINES), lines.size()).stream()
                    .map(line -> "\n    " + name + " | " + line)
                    .collect(Collectors.joining());
        } catch (IOException e) {
            return "";
        }
    }

    @Override
    public void close() {
        if (process != null) {
            process.destroyForcibly();
        }
    }
}
