package io.holdfast.example.plain;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** A worker in a JVM of its own, which can be killed and frozen. */
final class WorkerProcess implements AutoCloseable {

    private static final int LAST_LINES = 30;

    private final String name;
    private final Process process;
    private final Deque<String> errors = new ArrayDeque<>();

    private WorkerProcess(String name, Process process) {
        this.name = name;
        this.process = process;
    }

    /**
     * @param notices hears what the worker tells, on a thread of its own
     * @param ended hears when the worker tells no more
     */
    static WorkerProcess start(
            int number,
            String scope,
            Database database,
            BiConsumer<WorkerProcess, Notice> notices,
            Consumer<WorkerProcess> ended)
            throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC", // three of them start at once: the least for each
                "-XX:TieredStopAtLevel=1",
                WorkerMain.class.getName(),
                scope,
                Integer.toString(number)));
        var builder = new ProcessBuilder(command);
        builder.environment().put("CLASSPATH", classPath());
        database.toEnvironment(builder.environment());
        var worker = new WorkerProcess("worker-" + number, builder.start());
        worker.follow(worker.process.getErrorStream(), worker::keep, () -> {});
        worker.follow(
                worker.process.getInputStream(),
                line -> Notice.parse(line).ifPresent(notice -> notices.accept(worker, notice)),
                () -> ended.accept(worker));
        return worker;
    }

    /** Of this JVM: where a build tool runs it inside its own, a class loader has it. */
    private static String classPath() {
        if (!(WorkerProcess.class.getClassLoader() instanceof URLClassLoader loader)) {
            return System.getProperty("java.class.path");
        }
        List<String> entries = new ArrayList<>();
        for (URL url : loader.getURLs()) {
            try {
                entries.add(Path.of(url.toURI()).toString());
            } catch (URISyntaxException e) {
                throw new IllegalStateException("not a class path entry: " + url, e);
            }
        }
        return String.join(File.pathSeparator, entries);
    }

    String name() {
        return name;
    }

    ProcessHandle handle() {
        return process.toHandle();
    }

    /** Lets it start, or go on in mid-step. */
    void go() {
        try {
            process.getOutputStream().write((WorkerMain.GO + "\n").getBytes(StandardCharsets.UTF_8));
            process.getOutputStream().flush();
        } catch (IOException e) {
            keep("could not be told to go on: " + e.getMessage());
        }
    }

    /** SIGKILL: nothing of it runs any more, no hook, no finally. */
    void kill() {
        process.destroyForcibly();
    }

    /** SIGSTOP, if this system has signals: it stands still where it is, connections open. */
    boolean freeze() {
        return signal("-STOP");
    }

    /** SIGCONT: to the process no time has passed. */
    void thaw() {
        signal("-CONT");
    }

    private boolean signal(String signal) {
        try {
            return new ProcessBuilder("kill", signal, Long.toString(process.pid()))
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** The last lines of its error output. */
    List<String> errors() {
        synchronized (errors) {
            return List.copyOf(errors);
        }
    }

    private void keep(String line) {
        synchronized (errors) {
            errors.addLast(line);
            if (errors.size() > LAST_LINES) {
                errors.removeFirst();
            }
        }
    }

    private void follow(InputStream stream, Consumer<String> lines, Runnable atEnd) {
        Thread thread = new Thread(
                () -> {
                    try (var reader = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
                        reader.lines().forEach(lines);
                    } catch (IOException | UncheckedIOException e) {
                        keep("output ended: " + e.getMessage()); // as it does when the process is killed
                    }
                    atEnd.run();
                },
                name);
        thread.setDaemon(true);
        thread.start();
    }

    /** Ends it, frozen or not. */
    @Override
    public void close() {
        process.destroyForcibly();
        try {
            process.waitFor(5, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
