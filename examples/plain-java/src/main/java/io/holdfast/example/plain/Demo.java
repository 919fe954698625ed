package io.holdfast.example.plain;

import io.holdfast.example.plain.Invariants.Verdict;
import io.holdfast.example.plain.Terminal.Colour;
import io.holdfast.failure.SqlStates;
import io.holdfast.migrations.Components;
import io.holdfast.migrations.Migrator;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
        Migrator.of(dataSource, "holdfast").migrate(Components.own());
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
        terminal.heading("What must hold, asked of the tables by SQL");
        boolean tables = report(Invariants.check(dataSource, scope), terminal);
        terminal.heading("What must hold, by what the workers said");
        List<String> breaches = director.wasRefused() ? List.of() : List.of("it was not");
        boolean workers = report(
                List.of(
                        new Verdict("the write of the worker that was frozen was refused", breaches),
                        answered(dataSource, scope, director.answers())),
                terminal);
        return tables && workers;
    }

    /** Whether who asked for a finished order heard how it had ended. */
    private static Verdict answered(DataSource dataSource, String scope, Map<String, List<String>> answers) {
        Map<String, String> outcomes = new HashMap<>();
        try (Connection connection = dataSource.getConnection();
                PreparedStatement select = connection.prepareStatement(
                        "select key, outcome from holdfast.idempotency_key where scope = ?")) {
            select.setString(1, scope);
            try (var rows = select.executeQuery()) {
                while (rows.next()) {
                    outcomes.put(rows.getString(1), rows.getString(2));
                }
            }
        } catch (SQLException e) {
            throw SqlStates.classify("read the keys", e);
        }
        List<String> breaches = new ArrayList<>();
        answers.forEach((order, heard) -> heard.stream()
                .filter(outcome -> !outcome.equals(outcomes.get(order)))
                .forEach(outcome -> breaches.add(order + ": answered with another outcome")));
        if (answers.isEmpty()) {
            breaches.add("nobody asked");
        }
        int times = answers.values().stream().mapToInt(List::size).sum();
        return new Verdict("who asked for a finished order heard its outcome (asked " + times + " times)", breaches);
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
