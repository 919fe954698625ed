package io.holdfast.repository;

import io.holdfast.testing.TestDatabase;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How the server carries a statement out.
 *
 * @param text as {@code explain (analyze)} tells it
 */
record Plan(String text) {

    /** That of a named statement, whatever its values, and one that is made for them. */
    static final List<String> MODES = List.of("force_generic_plan", "force_custom_plan");

    private static final Pattern READ = Pattern.compile("rows=(\\d+(?:\\.\\d+)?) loops=(\\d+)");
    private static final Pattern BLOCKS = Pattern.compile("Buffers: shared(?: hit=(\\d+))?(?: read=(\\d+))?");
    private static final Pattern WRITTEN = Pattern.compile("WAL: .*bytes=(\\d+)");
    private static final Pattern PASSED_BY = Pattern.compile("Rows Removed by [A-Za-z ]+: (\\d+)");

    /**
     * Runs a statement, and takes back what it wrote.
     *
     * @param owner the class that holds the statement, and in which field
     * @param values of its parameters, as SQL has them; null for those that are not among them
     * @param numbers which of them are numbers; the others are texts
     */
    static Plan of(
            TestDatabase database,
            Holdfast holdfast,
            String mode,
            String owner,
            String field,
            Map<String, String> values,
            Collection<String> numbers)
            throws Exception {
        var held = Class.forName("io.holdfast.repository." + owner).getDeclaredField(field);
        held.setAccessible(true);
        Tables tables = holdfast.open().single("plan", Transactions.Effect.READ, Statements::tables);
        NamedParameters statement = tables.resolve(((Statement<?>) held.get(null)).sql());
        List<String> arguments = new ArrayList<>(Collections.nCopies(statement.count(), ""));
        List<String> types = new ArrayList<>(Collections.nCopies(statement.count(), ""));
        statement
                .places()
                .forEach((name, places) -> places.forEach(place -> {
                    String value = values.getOrDefault(name, "null");
                    arguments.set(place, value);
                    types.set(
                            place,
                            numbers.contains(name) ? "bigint" : value.matches("true|false") ? "boolean" : "text");
                }));
        StringBuilder sql = new StringBuilder();
        int place = 0;
        for (char c : statement.sql().toCharArray()) {
            sql.append(c == '?' ? "$" + ++place : String.valueOf(c));
        }
        try (Connection connection = database.connect();
                var session = connection.createStatement()) {
            connection.setAutoCommit(false); // rolled back at the end
            session.execute("set plan_cache_mode = " + mode);
            session.execute("prepare planned (" + String.join(", ", types) + ") as " + sql);
            StringBuilder plan = new StringBuilder();
            try (var lines =
                    session.executeQuery("explain (analyze, buffers, wal, costs off, timing off) execute planned ("
                            + String.join(", ", arguments) + ")")) {
                while (lines.next()) {
                    plan.append(lines.getString(1)).append('\n');
                }
            }
            return new Plan(plan.toString());
        }
    }

    /** The most rows that a node of it has handled. */
    double rows() {
        double most = 0;
        for (Matcher node = READ.matcher(text); node.find(); ) {
            most = Math.max(most, Double.parseDouble(node.group(1)) * Integer.parseInt(node.group(2)));
        }
        for (Matcher passedBy = PASSED_BY.matcher(text); passedBy.find(); ) {
            most = Math.max(most, Integer.parseInt(passedBy.group(1)));
        }
        return most;
    }

    /** The most blocks that a node of it, with those below it, has looked at. */
    int blocks() {
        int most = 0;
        for (Matcher node = BLOCKS.matcher(text.split("\nPlanning")[0]); node.find(); ) {
            most = Math.max(most, number(node.group(1)) + number(node.group(2)));
        }
        return most;
    }

    /** The most that a node of it, with those below it, has written to the log. */
    int writtenBytes() {
        int most = 0;
        for (Matcher node = WRITTEN.matcher(text); node.find(); ) {
            most = Math.max(most, number(node.group(1)));
        }
        return most;
    }

    private static int number(String digits) {
        return digits == null ? 0 : Integer.parseInt(digits);
    }
}
