package io.holdfast.repository;

import io.holdfast.HoldfastException;
import io.holdfast.migrations.Component;
import io.holdfast.migrations.Components;
import io.holdfast.migrations.SchemaCheck;
import io.holdfast.migrations.SchemaName;
import io.holdfast.migrations.SchemaStatus;
import io.holdfast.repository.Transactions.Effect;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Looks on a thread of its own, because neither a host's pool nor a network that swallows packets can be bounded from here.
 * There is one look at a time: who asks meanwhile shares it, so that a server that hangs holds one thread and one connection.
 */
final class ReadinessCheck {

    private static final int BOUND_SECONDS = 3;

    // Answers "on" on a replica, in a failover, and where an administrator has stopped the writes.
    private static final String READ_ONLY =
            "select current_setting('transaction_read_only') = 'on' or pg_is_in_recovery()";

    private final AtomicReference<CompletableFuture<Readiness>> running = new AtomicReference<>();
    private final Transactions transactions;

    ReadinessCheck(Transactions transactions) {
        this.transactions = transactions;
    }

    Readiness ask() {
        CompletableFuture<Readiness> mine = new CompletableFuture<>();
        CompletableFuture<Readiness> others = running.compareAndExchange(null, mine);
        if (others == null) {
            start(mine);
        }
        try {
            return (others == null ? mine : others).get(BOUND_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            return Readiness.no(
                    "the database did not answer in " + BOUND_SECONDS + " seconds", "STORE_TIMEOUT", Map.of());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Readiness.no("the thread was interrupted", "INTERRUPTED", Map.of());
        } catch (ExecutionException e) {
            return Readiness.no("the check failed", "FAILED", Map.of());
        }
    }

    private void start(CompletableFuture<Readiness> answer) {
        try {
            Thread looks = new Thread(() -> look(answer), "holdfast-readiness");
            looks.setDaemon(true);
            looks.start();
        } catch (RuntimeException | Error e) { // no thread to be had: nobody would end what the next ones share
            answer.completeExceptionally(e);
            running.set(null);
        }
    }

    private void look(CompletableFuture<Readiness> answer) {
        try {
            answer.complete(transactions.single(
                    "readiness",
                    Effect.READ,
                    s -> s.session().doReturningWork(connection -> judged(connection, s.tables()))));
        } catch (HoldfastException e) {
            answer.complete(
                    Readiness.no(String.valueOf(e.getMessage()), e.code().name(), Map.of()));
        } catch (Throwable e) {
            answer.completeExceptionally(e);
        } finally {
            running.set(null);
        }
    }

    private static Readiness judged(Connection connection, Tables tables) throws SQLException {
        Map<String, String> facts = new TreeMap<>();
        if (!tables.schema().isEmpty()) {
            SchemaName schema = new SchemaName(tables.schema());
            for (Component component : Components.own()) {
                SchemaStatus status = SchemaCheck.status(connection, schema, component);
                facts.put("schema." + component.name(), status.toString());
                if (!status.works()) {
                    return Readiness.no("the tables are not as this release needs them", "SCHEMA_MISMATCH", facts);
                }
            }
        }
        try (var select = connection.prepareStatement(READ_ONLY);
                ResultSet row = select.executeQuery()) {
            return row.next() && row.getBoolean(1)
                    ? Readiness.no("the server takes no writes", "READ_ONLY", facts)
                    : Readiness.yes(facts);
        }
    }
}
