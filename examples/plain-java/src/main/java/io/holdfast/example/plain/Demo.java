package io.holdfast.example.plain;

import io.holdfast.Scope;
import io.holdfast.example.plain.Invariants.Verdict;
import io.holdfast.example.plain.Terminal.Colour;
import io.holdfast.failure.SqlStates;
import io.holdfast.idempotency.IdempotencyKey;
import io.holdfast.idempotency.KeepFor;
import io.holdfast.idempotency.Reservation;
import io.holdfast.migrations.Component;
import io.holdfast.migrations.Migrator;
import io.holdfast.repository.Holdfast;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/** One run: orders in, workers through, tables looked at. */
final class Demo {

    private final Terminal terminal;
    private final Server server;
    private final Leftovers leftovers;

    Demo(Terminal terminal, Server server, Leftovers leftovers) {
        this.terminal = terminal;
        this.server = server;
        this.leftovers = leftovers;
    }

    /** Whether everything held. */
    boolean run(List<Order> orders) throws IOException, InterruptedException {
        try (var dataSource = server.database().connect()) {
            return run(orders, dataSource);
        }
    }

    private boolean run(List<Order> orders, DataSource dataSource) throws IOException, InterruptedException {
        terminal.print(description(dataSource));
        Migrator.of(dataSource, "holdfast").migrate(Component.core());
        RunClock clock = RunClock.of(dataSource);
        String scope = "demo-" + clock.start().toEpochMilli(); // each run for itself, in a database that stays
        var book = new OrderBook(dataSource, scope);
        book.createTables();
        book.add(orders);

        var timeline = new Timeline(clock);
        var director = new Director(clock, orders.size(), timeline, new Progress(terminal, orders.size()));
        director.run(scope, server.database(), leftovers);

        terminal.heading("Who held what: seconds since the start, by the database's clock");
        timeline.print(terminal);
        terminal.heading("Where the orders stand, in scope " + scope);
        FinalStates.print(dataSource, scope, terminal);
        terminal.heading("The first order, asked for again");
        Verdict again = askAgain(dataSource, scope, orders.get(0));
        terminal.heading("What must hold, asked of the tables by SQL");
        List<Verdict> verdicts = new ArrayList<>(Invariants.check(dataSource, scope));
        verdicts.add(new Verdict(
                "the frozen worker's write was refused", director.wasRefused() ? List.of() : List.of("it was not")));
        verdicts.add(again);
        return report(verdicts, terminal);
    }

    private Verdict askAgain(DataSource dataSource, String scope, Order order) {
        String promise = "a finished order that is asked for again is answered with its outcome";
        try (Holdfast holdfast = Holdfast.open(dataSource)) {
            Reservation answer = holdfast.in(Scope.of(scope))
                    .idempotencyKeys()
                    .reserve(order.request(), order.request(), order.workflowId(), KeepFor.DEFAULT);
            IdempotencyKey key = answer.key();
            terminal.print("  " + order.request() + ": " + answer.getClass().getSimpleName() + ", "
                    + key.outcome().orElse("without an outcome") + "; nothing runs");
            return new Verdict(
                    promise,
                    answer instanceof Reservation.Completed
                            ? List.of()
                            : List.of(answer.getClass().getSimpleName()));
        }
    }

    /** Prints the verdicts and says whether all hold. */
    static boolean report(List<Verdict> verdicts, Terminal terminal) {
        boolean all = true;
        for (Verdict verdict : verdicts) {
            if (verdict.holds()) {
                terminal.print("  " + terminal.in(Colour.GREEN, "holds  ") + verdict.promise());
                continue;
            }
            all = false;
            terminal.print("  " + terminal.in(Colour.RED, "BROKEN ") + verdict.promise());
            verdict.breaches().stream().limit(5).forEach(breach -> terminal.print("           " + breach));
            if (verdict.breaches().size() > 5) {
                terminal.print("           and " + (verdict.breaches().size() - 5) + " more");
            }
        }
        return all;
    }

    /** Which PostgreSQL, and whether what it has committed is on the disk. */
    private static String description(DataSource dataSource) {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement();
                var rows = statement.executeQuery("select current_setting('server_version'), current_setting('fsync'),"
                        + " current_setting('synchronous_commit')")) {
            rows.next();
            return "PostgreSQL " + rows.getString(1) + ", fsync " + rows.getString(2) + ", synchronous_commit "
                    + rows.getString(3);
        } catch (SQLException e) {
            throw SqlStates.classify("connect", e);
        }
    }
}
