package io.holdfast.example.agent;

import io.holdfast.HoldfastException;
import io.holdfast.Scope;
import io.holdfast.example.agent.Trials.Sample;
import io.holdfast.example.agent.Trials.Verdict;
import io.holdfast.migrations.Components;
import io.holdfast.migrations.Migrator;
import io.holdfast.repository.Holdfast;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.logging.Level;
import java.util.logging.Logger;

/** The command line. Exit status: 0 if every run came out the same, 1 if one did not, 2 if it could not be tried. */
public final class Main {

    // Held: a logger that nobody holds is forgotten, with its level.
    private static final List<Logger> LOUD =
            List.of(Logger.getLogger("org.postgresql"), Logger.getLogger("io.holdfast"));

    private Main() {}

    public static void main(String[] arguments) throws InterruptedException {
        quietLogs();
        Screen screen = Screen.ofThisProcess();
        int status;
        try {
            screen.progress("starting PostgreSQL", 0, 1);
            try (EmbeddedPostgres server = EmbeddedPostgres.builder()
                    .setPGStartupWait(Duration.ofSeconds(30))
                    .start()) {
                status = run(database(server), Sample.ALL, screen) ? 0 : 1;
            }
        } catch (IOException | IllegalStateException | HoldfastException e) {
            screen.print(String.valueOf(e.getMessage()));
            status = 2;
        }
        System.exit(status); // threads of a build tool's JVM may go on
    }

    static Database database(EmbeddedPostgres server) {
        return new Database("jdbc:postgresql://localhost:" + server.getPort() + "/postgres");
    }

    /** Whether every run came out the same. */
    static boolean run(Database database, Sample sample, Screen screen) throws IOException, InterruptedException {
        long start = System.nanoTime();
        try (var dataSource = database.connect()) {
            Migrator.of(dataSource, "holdfast").migrate(Components.own());
            World world = new World(dataSource);
            world.make();
            try (Holdfast holdfast = Holdfast.open(dataSource)) {
                List<Verdict> verdicts = new Trials(database, holdfast, world, Scope.of("demo"), sample, screen).run();
                return report(verdicts, Duration.ofNanos(System.nanoTime() - start), screen);
            }
        }
    }

    static boolean report(List<Verdict> verdicts, Duration taken, Screen screen) {
        screen.print("");
        screen.print(row("died at point", "how", "restarts", "in doubt", "mail calls", "verdict"));
        for (Verdict verdict : verdicts) {
            screen.print(row(
                    verdict.trial().place(),
                    verdict.trial().how(),
                    verdict.trial().restarts(),
                    verdict.doubts(),
                    verdict.mailCalls(),
                    verdict.differences().isEmpty() ? "same" : "DIFFERS: " + String.join("; ", verdict.differences())));
        }
        long differ = verdicts.stream()
                .filter(verdict -> !verdict.differences().isEmpty())
                .count();
        screen.print("");
        screen.print(
                "Same: transcript, steps and their outcomes, one mail, one transfer, one approval that was used once.");
        screen.print(
                String.format(Locale.ROOT, "%d runs, %d differ, %d s", verdicts.size(), differ, taken.toSeconds()));
        return differ == 0;
    }

    private static String row(Object place, Object how, Object restarts, Object doubts, Object mails, Object verdict) {
        return String.format(Locale.ROOT, "%-62s %-8s %8s %9s %11s  %s", place, how, restarts, doubts, mails, verdict);
    }

    /** What libraries say of connections that are lost on purpose is of no use. */
    static void quietLogs() {
        Logger.getLogger("").setLevel(Level.SEVERE);
        LOUD.forEach(logger -> logger.setLevel(Level.OFF));
    }
}
