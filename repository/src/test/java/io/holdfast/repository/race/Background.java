package io.holdfast.repository.race;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.postgresql.PGConnection;

/** A call on a thread of its own, of which is known which backend of the server works on it. */
final class Background<T> {

    private static final ThreadLocal<Background<?>> CURRENT = new ThreadLocal<>();

    private final FutureTask<T> task;
    private volatile int backend;

    private Background(Callable<T> call, int backend) {
        this.backend = backend;
        this.task = new FutureTask<>(() -> {
            CURRENT.set(this);
            return call.call();
        });
    }

    static <T> Background<T> start(Callable<T> call) {
        return start(call, 0);
    }

    /** @param backend that works on it, if it has its connection already */
    static <T> Background<T> start(Callable<T> call, int backend) {
        Background<T> background = new Background<>(call, backend);
        Thread thread = new Thread(background.task, "race");
        thread.setDaemon(true);
        thread.start();
        return background;
    }

    static void connected(Connection connection) throws SQLException {
        Background<?> background = CURRENT.get();
        if (background != null) {
            background.backend = backendOf(connection);
        }
    }

    static int backendOf(Connection connection) throws SQLException {
        return connection.unwrap(PGConnection.class).getBackendPID();
    }

    /** 0 as long as it has no connection. */
    int backend() {
        return backend;
    }

    boolean isDone() {
        return task.isDone();
    }

    T result() {
        try {
            return task.get(20, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new AssertionError("The call failed", e.getCause());
        } catch (InterruptedException | TimeoutException e) {
            throw new AssertionError("The call did not come to an end", e);
        }
    }

    void awaitEnd() {
        try {
            task.get(20, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            return; // whoever asked for its result has heard it
        } catch (InterruptedException | TimeoutException e) {
            throw new AssertionError("The call did not come to an end", e);
        }
    }

    /** What it threw; that it did not is an error. */
    Throwable failure() {
        try {
            throw new AssertionError("Answered: " + task.get(20, TimeUnit.SECONDS));
        } catch (ExecutionException e) {
            return e.getCause();
        } catch (InterruptedException | TimeoutException e) {
            throw new AssertionError("The call did not come to an end", e);
        }
    }
}
