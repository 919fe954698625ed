package io.holdfast.repository;

import static org.awaitility.Awaitility.await;

import io.holdfast.testing.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.postgresql.PGConnection;

/** A call that has to wait for somebody, in a thread of its own. */
final class Background<T> {

    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final FutureTask<T> task;

    private Background(FutureTask<T> task) {
        this.task = task;
    }

    static <T> Background<T> run(Callable<T> call) {
        Background<T> background = new Background<>(new FutureTask<>(call));
        Thread thread = new Thread(background.task, "background");
        thread.setDaemon(true);
        thread.start();
        return background;
    }

    /** Returns once a statement waits for what {@code blocker} has locked, and answers its server process. */
    static int awaitBlocked(Connection blocker) throws SQLException {
        int pid = blocker.unwrap(PGConnection.class).getBackendPID();
        String waiting = "select pid from pg_stat_activity where " + pid + " = any (pg_blocking_pids(pid))";
        String found = await().atMost(LIMIT)
                .pollInterval(Duration.ofMillis(5))
                .until(() -> TestDatabase.get().value(waiting), v -> v != null);
        return Integer.parseInt(found);
    }

    T get() throws Exception {
        try {
            return task.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        } catch (TimeoutException e) {
            throw new AssertionError("still waiting after " + LIMIT, e);
        }
    }
}
