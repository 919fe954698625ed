package io.holdfast.example.agent;

import io.holdfast.Scope;
import io.holdfast.repository.Holdfast;
import io.holdfast.repository.LeaseKeeper;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** An agent in a JVM of its own, {@code AgentProcess URL SCOPE RUN LAST}, which ends at a point as a killed process does. */
final class AgentProcess {

    private static final int KILLED = 137; // what a shell says of a process that was killed
    private static final long PATIENCE_SECONDS = 120;

    private AgentProcess() {}

    public static void main(String[] arguments) {
        Main.quietLogs();
        Scope scope = Scope.of(arguments[1]);
        try (var dataSource = new Database(arguments[0]).connect();
                Holdfast holdfast = Holdfast.open(dataSource);
                LeaseKeeper keeper = LeaseKeeper.over(holdfast)) {
            // No hook, no finally: the operating system closes the connections.
            Points points = Points.until(
                    Integer.parseInt(arguments[3]), () -> Runtime.getRuntime().halt(KILLED));
            Life.live(holdfast.in(scope), keeper, new World(dataSource), arguments[2], points);
        }
    }

    /** Lives in a process until that point, counted from 1. Returns when the process is dead. */
    static void live(Database database, Scope scope, String run, int last) throws IOException, InterruptedException {
        var builder = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC", // for one that lives for seconds
                "-XX:TieredStopAtLevel=1",
                AgentProcess.class.getName(),
                database.url(),
                scope.id(),
                run,
                Integer.toString(last));
        builder.environment().put("CLASSPATH", classPath());
        Process process = builder.redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) || process.exitValue() != KILLED) {
                throw new IOException("The process of " + run + " was to die at point " + last + ", and did not");
            }
        } finally {
            process.destroyForcibly();
        }
    }

    /** Of this JVM: where a build tool runs it inside its own, a class loader has it. */
    private static String classPath() {
        if (!(AgentProcess.class.getClassLoader() instanceof URLClassLoader loader)) {
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
}
