package io.holdfast.chaos;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A worker in a JVM of its own, which lives again after it was killed. */
final class WorkerProcess implements AutoCloseable {

    private static final List<String> FAKETIME = List.of(
            "/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1",
            "/usr/lib/aarch64-linux-gnu/faketime/libfaketime.so.1");

    private static final int LAST_LINES = 150;

    /** What a worker says, a line each: first, what its wall clock shows, in milliseconds. */
    static final String CLOCK = "clock ";

    /** It has a server, and begins. */
    static final String AT_WORK = "at work";

    /** It has had all connections of its pool for as long as it was told to. */
    static final String EXHAUSTED = "exhausted";

    private static final long HOUR_MILLIS = 3_600_000;

    final String name;
    private final boolean hourAhead;
    private final String url;
    private final Path directory;
    private final long seed;
    private final boolean planted;
    private final Set<Long> clocks = new ConcurrentSkipListSet<>();
    private final AtomicInteger exhausted = new AtomicInteger();
    private volatile int lives;
    private volatile int livesAtWork;
    private volatile @Nullable Process process;

    /** @param hourAhead its wall clock is to be, if there is libfaketime */
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

    private Path log() {
        return directory.resolve(name + ".log");
    }

    /** Of all of them. */
    static Path ledger(Path directory) {
        return directory.resolve("ledger");
    }

    /** By how many hours its wall clock has been ahead of ours, in all of its lives. */
    Set<Long> hoursAhead() {
        return Set.copyOf(clocks);
    }

    /** Whether it is what it was to be in each life; the clock is right without libfaketime. */
    boolean clockIsAsMeant() {
        return hoursAhead().equals(Set.of(hourAhead ? 1L : 0L));
    }

    void start() {
        int life = lives + 1;
        lives = life;
        ProcessBuilder builder = new ProcessBuilder(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx160m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Dslf4j.internal.verbosity=ERROR",
                Worker.class.getName(),
                name + "." + life,
                url,
                history().toString(),
                ledger(directory).toString(),
                Long.toString(seed + life),
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
        builder.redirectError(ProcessBuilder.Redirect.appendTo(log().toFile()));
        try {
            Process started = builder.start();
            process = started;
            Thread ear = new Thread(() -> hear(started, life), name + " says");
            ear.setDaemon(true);
            ear.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Until it ends. */
    private void hear(Process speaker, int life) {
        try (BufferedReader words = speaker.inputReader(StandardCharsets.UTF_8)) {
            for (String line = words.readLine(); line != null; line = words.readLine()) {
                if (line.startsWith(CLOCK)) {
                    long ahead = Long.parseLong(line.substring(CLOCK.length())) - System.currentTimeMillis();
                    clocks.add(Math.round((double) ahead / HOUR_MILLIS));
                } else if (line.equals(AT_WORK)) {
                    livesAtWork = life;
                } else if (line.equals(EXHAUSTED)) {
                    exhausted.incrementAndGet();
                } else { // as a dump of its threads is
                    Files.writeString(log(), line + "\n", StandardOpenOption.APPEND);
                }
            }
        } catch (IOException e) {
            // Closed by whoever killed it.
        }
    }

    private Process process() {
        Process started = process;
        if (started == null) {
            throw new IllegalStateException(name + " has not been started");
        }
        return started;
    }

    /** Until it is alive, and past its start; whether it is. */
    boolean awaitAtWork(Duration patience) throws InterruptedException {
        long end = System.nanoTime() + patience.toNanos();
        while (livesAtWork != lives || !isAlive()) {
            if (System.nanoTime() > end) {
                return false;
            }
            TimeUnit.MILLISECONDS.sleep(20);
        }
        return true;
    }

    boolean isAlive() {
        return process().isAlive();
    }

    /** SIGKILL: nothing of it runs any more, no hook, no finally. */
    void kill() {
        process().destroyForcibly();
    }

    /** SIGSTOP: it stands still where it is, connections open. */
    boolean freeze() {
        return Signals.send("STOP", process().pid());
    }

    /** SIGCONT: to the process no time has passed. */
    void thaw() {
        Signals.send("CONT", process().pid());
    }

    /** Whether it could be told. */
    boolean order(String order) {
        try {
            process().getOutputStream().write((order + "\n").getBytes(StandardCharsets.UTF_8));
            process().getOutputStream().flush();
            return true;
        } catch (IOException e) {
            System.err.println(name + " could not be told to " + order + ": " + e.getMessage());
            return false;
        }
    }

    /** Returns when it had all connections of its pool for so long; false if it did not come to that. */
    boolean exhausts(long millis, Duration patience) throws InterruptedException {
        int before = exhausted.get();
        if (!order("exhaust " + millis)) {
            return false;
        }
        Process told = process();
        long end = System.nanoTime() + patience.toNanos() + TimeUnit.MILLISECONDS.toNanos(millis);
        while (exhausted.get() == before && told.isAlive() && System.nanoTime() < end) {
            TimeUnit.MILLISECONDS.sleep(20);
        }
        return exhausted.get() > before;
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
            List<String> lines = Files.readAllLines(log());
            return lines.subList(Math.max(0, lines.size() - LAST_LINES), lines.size()).stream()
                    .map(line -> "\n    " + name + " | " + line)
                    .collect(Collectors.joining());
        } catch (IOException e) {
            return "";
        }
    }

    @Override
    public void close() {
        Process started = process;
        if (started != null) {
            started.destroyForcibly();
        }
    }
}
