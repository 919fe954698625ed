package io.holdfast.example.plain;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/**
 * A directory that one run at a time has, and what a run that was killed leaves behind in it: a server that goes on, its
 * data, and a worker that was frozen.
 */
final class Leftovers implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final Path directory;
    private final FileChannel lockFile;

    private Leftovers(Path directory, FileChannel lockFile) {
        this.directory = directory;
        this.lockFile = lockFile;
    }

    /** Takes the directory; empty if another run has it. */
    static Optional<Leftovers> take(Path directory) throws IOException {
        Files.createDirectories(directory);
        FileChannel channel =
                FileChannel.open(directory.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock lock = channel.tryLock(); // ends with the process, however that ends
        if (lock == null) {
            channel.close();
            return Optional.empty();
        }
        return Optional.of(new Leftovers(directory, channel));
    }

    Path data() {
        return directory.resolve("data");
    }

    /** Ends what a former run left, removes its data, and says what there was. */
    List<String> clear() throws IOException {
        List<String> found = new ArrayList<>();
        for (ProcessHandle worker : workers()) {
            worker.destroyForcibly();
            found.add("worker process " + worker.pid());
        }
        Optional<ProcessHandle> server = server();
        if (server.isPresent()) {
            stop(server.get());
            found.add("PostgreSQL process " + server.get().pid());
        }
        delete(data());
        Files.deleteIfExists(workersFile());
        return found;
    }

    /** Notes the workers of this run for the next one. */
    void note(List<ProcessHandle> workers) throws IOException {
        Files.write(
                workersFile(),
                workers.stream().map(w -> w.pid() + " " + started(w)).toList());
    }

    private List<ProcessHandle> workers() throws IOException {
        if (!Files.exists(workersFile())) {
            return List.of();
        }
        // By its start as well: the number alone may be another's by now.
        return Files.readAllLines(workersFile()).stream()
                .map(line -> line.split(" "))
                .flatMap(entry -> ProcessHandle.of(Long.parseLong(entry[0])).stream()
                        .filter(worker -> started(worker) == Long.parseLong(entry[1])))
                .toList();
    }

    private static long started(ProcessHandle process) {
        return process.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
    }

    /** The server that {@code postmaster.pid} names: process id, data directory, time of start in seconds. */
    private Optional<ProcessHandle> server() throws IOException {
        Path file = data().resolve("postmaster.pid");
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        List<String> lines = Files.readAllLines(file);
        if (lines.size() < 3) {
            return Optional.empty();
        }
        long since = Long.parseLong(lines.get(2).trim());
        return ProcessHandle.of(Long.parseLong(lines.get(0).trim()))
                .filter(process -> Math.abs(started(process) / 1_000 - since) <= 30);
    }

    private static void stop(ProcessHandle server) throws IOException {
        try {
            // SIGINT: a shutdown that does not wait for clients.
            new ProcessBuilder("kill", "-INT", Long.toString(server.pid()))
                    .start()
                    .waitFor();
            server.onExit().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } catch (TimeoutException | ExecutionException e) {
            server.destroyForcibly();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void delete(Path directory) throws IOException {
        if (!Files.exists(directory)) {
            return;
        }
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }

    private Path workersFile() {
        return directory.resolve("workers");
    }

    @Override
    public void close() {
        try {
            Files.deleteIfExists(workersFile());
            lockFile.close();
        } catch (IOException e) {
            System.err.println("Could not tidy up: " + e.getMessage());
        }
    }
}
