package io.holdfast.chaos;

import io.holdfast.codec.JsonText;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the tables of runs, journals, what belongs to them and transcripts hold at the end, read without the library; and the
 * ledger.
 *
 * @param states of runs that have no journal
 * @param journals of runs that have one
 * @param saves of workflows: the writes in the history of each, and where it stands
 * @param agents of each agent, how often it was saved and where it stands
 */
record StoredRuns(
        Map<String, State> states,
        Map<String, Journal> journals,
        Map<String, Saves> saves,
        Map<String, Agent> agents,
        Map<String, Approval> approvals,
        List<Ledger.Line> ledger) {

    /** A run's state, by the updates that it says have made it. */
    record State(String status, long revision, List<String> writes) {}

    record Journal(String status, List<Step> steps) {}

    /** @param outcome completed, failed, or empty for none; approval likewise */
    record Step(String key, String outcome, String approval, List<Sent> effects) {}

    /** @param status of the effect; of a resolved one, what was found */
    record Sent(String key, String status) {}

    record Saves(String status, long revision, List<String> writes) {}

    /** @param write that saved it last; empty once it is over */
    record Agent(String status, long saves, String write) {}

    /** @param by who decided, or withdrew it; step that consumed it, empty for none */
    record Approval(String run, String status, String verdict, String by, String step, long token) {}

    static final StoredRuns NONE = new StoredRuns(Map.of(), Map.of(), Map.of(), Map.of(), Map.of(), List.of());

    interface Row {
        void read(ResultSet row) throws SQLException;
    }

    static StoredRuns read(Connection connection, List<Ledger.Line> ledger, Map<String, Log> logs) throws SQLException {
        Map<String, State> states = new HashMap<>();
        Map<String, Journal> journals = new HashMap<>();
        Map<String, Saves> saves = new HashMap<>();
        Map<String, Agent> agents = new HashMap<>();
        Map<String, Approval> approvals = new HashMap<>();
        Map<String, Long> last = new HashMap<>();
        each(connection, "select id, status, revision, state, last_seq from holdfast.run", row -> {
            states.put(
                    row.getString(1), new State(row.getString(2), row.getLong(3), texts(row.getString(4), "writes")));
            last.put(row.getString(1), row.getLong(5));
        });
        runLogs(connection, last, logs);
        each(
                connection,
                """
                select id, run_id, status, coalesce(verdict, ''), coalesce(withdrawn_by, decided_by, ''),
                       coalesce(consumed_by, ''), coalesce(consumed_token, 0) from holdfast.approval
                """,
                row -> approvals.put(
                        row.getString(1),
                        new Approval(
                                row.getString(2),
                                row.getString(3),
                                row.getString(4),
                                row.getString(5),
                                row.getString(6),
                                row.getLong(7))));
        journalLogs(connection, approvals, logs);
        sessionLogs(connection, logs);
        Map<String, List<Sent>> sent = new HashMap<>();
        each(
                connection,
                """
                select run_id, step_key, idempotency_key, coalesce(resolution, status) from holdfast.execution_effect
                 order by ordinal
                """,
                row -> sent.computeIfAbsent(row.getString(1) + "/" + row.getString(2), step -> new ArrayList<>())
                        .add(new Sent(row.getString(3), row.getString(4))));
        Map<String, List<Step>> steps = new HashMap<>();
        each(
                connection,
                """
                select run_id, step_key, coalesce(outcome, ''), coalesce(approval_id, '') from holdfast.execution_step
                 order by ordinal
                """,
                row -> steps.computeIfAbsent(row.getString(1), run -> new ArrayList<>())
                        .add(new Step(
                                row.getString(2),
                                row.getString(3),
                                row.getString(4),
                                sent.getOrDefault(row.getString(1) + "/" + row.getString(2), List.of()))));
        each(
                connection,
                "select id, status from holdfast.execution",
                row -> journals.put(
                        row.getString(1),
                        new Journal(row.getString(2), steps.getOrDefault(row.getString(1), List.of()))));
        Map<String, List<String>> entries = new HashMap<>();
        each(
                connection,
                // The first is that of its creation.
                "select run_id, state from holdfast.checkpoint_entry where revision > 1 order by revision",
                row -> entries.computeIfAbsent(row.getString(1), run -> new ArrayList<>())
                        .add(text(row.getString(2), "write")));
        each(
                connection,
                "select run_id, status, revision from holdfast.checkpoint",
                row -> saves.put(
                        row.getString(1),
                        new Saves(
                                row.getString(2), row.getLong(3), entries.getOrDefault(row.getString(1), List.of()))));
        each(
                connection,
                "select run_id, status, revision, coalesce(payload, '') from holdfast.agent_checkpoint",
                row -> agents.put(
                        row.getString(1), new Agent(row.getString(2), row.getLong(3), saved(row.getString(4)))));
        return new StoredRuns(states, journals, saves, agents, approvals, ledger);
    }

    /** Those of one write are its lines together, if all of them are there in a row. */
    private static void runLogs(Connection connection, Map<String, Long> last, Map<String, Log> logs)
            throws SQLException {
        Map<String, List<Log.Line>> lines = new HashMap<>();
        last.keySet().forEach(run -> lines.put(run, new ArrayList<>()));
        each(connection, "select run_id, seq, payload from holdfast.run_event order by run_id, seq", row -> {
            String write = text(row.getString(3), "write");
            long index = number(row.getString(3), "index");
            long count = number(row.getString(3), "count");
            List<Log.Line> log = lines.computeIfAbsent(row.getString(1), run -> new ArrayList<>());
            long seq = row.getLong(2);
            Optional<Log.Line> before = log.isEmpty() ? Optional.empty() : Optional.of(log.get(log.size() - 1));
            if (index > 0
                    && before.filter(line -> isBefore(line, write, index, seq)).isPresent()) {
                log.remove(log.size() - 1);
                String whole = index == count - 1 ? write : part(write, index);
                log.add(new Log.Line(whole, seq - index, seq));
            } else {
                log.add(new Log.Line(count == 1 ? write : part(write, index), seq, seq));
            }
        });
        lines.forEach((run, log) -> logs.put(run, new Log(1, log, last.getOrDefault(run, 0L))));
    }

    /** A write nobody has sent. */
    private static String part(String write, long index) {
        return write + " up to its event " + index;
    }

    private static boolean isBefore(Log.Line line, String write, long index, long seq) {
        return line.write().equals(part(write, index - 1)) && line.to() == seq - 1;
    }

    private static void journalLogs(Connection connection, Map<String, Approval> approvals, Map<String, Log> logs)
            throws SQLException {
        Map<String, List<Log.Line>> lines = new HashMap<>();
        each(
                connection,
                "select run_id, sequence, type, payload from holdfast.execution_event order by run_id, sequence",
                row -> {
                    String payload = row.getString(4);
                    String write = switch (row.getString(3)) {
                        case "approval_consumed" -> used(text(payload, "approval_id"), approvals);
                        case "effect_resolved" -> text(payload, "actor");
                        default -> text(payload, "write");
                    };
                    lines.computeIfAbsent(row.getString(1), run -> new ArrayList<>())
                            .add(new Log.Line(write, row.getLong(2), row.getLong(2)));
                });
        each(
                connection,
                "select id, events from holdfast.execution",
                row -> logs.put(
                        row.getString(1), new Log(1, lines.getOrDefault(row.getString(1), List.of()), row.getLong(2))));
    }

    /** A message is a write, and its place the revision that it has made. */
    private static void sessionLogs(Connection connection, Map<String, Log> logs) throws SQLException {
        each(connection, "select id, revision, payload from holdfast.workspace_session", row -> {
            List<String> writes = field(row.getString(3), "messages") instanceof List<?> messages
                    ? messages.stream().map(StoredRuns::content).toList()
                    : List.of();
            logs.put(row.getString(1), Log.of(1, writes, row.getLong(2)));
        });
    }

    private static String content(@Nullable Object message) {
        return message instanceof Map<?, ?> fields ? String.valueOf(fields.get("content")) : "no message";
    }

    private static String saved(String agent) {
        return agent.isEmpty() ? "" : text(text(agent, "interruption"), "write");
    }

    private static String used(String id, Map<String, Approval> approvals) {
        Approval approval = approvals.get(id);
        return id + "@" + (approval == null ? 0 : approval.token());
    }

    static void each(Connection connection, String query, Row reader) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            while (rows.next()) {
                reader.read(rows);
            }
        }
    }

    private static @Nullable Object field(String json, String name) {
        return JsonText.read("stored", json, 1 << 20) instanceof Map<?, ?> object ? object.get(name) : null;
    }

    static String text(String json, String name) {
        return String.valueOf(field(json, name));
    }

    private static long number(String json, String name) {
        return field(json, name) instanceof Long number ? number : -1;
    }

    private static List<String> texts(String json, String name) {
        return field(json, name) instanceof List<?> list
                ? list.stream().map(String::valueOf).toList()
                : List.of();
    }

    /** How much of what there is. */
    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%d runs with a state, %d with a journal and %d steps;%n          approvals %s;%n          outside %s",
                states.size(),
                journals.size(),
                journals.values().stream()
                        .mapToInt(journal -> journal.steps().size())
                        .sum(),
                counted(approvals.values().stream().map(Approval::status)),
                counted(ledger.stream().map(line -> line.word().name().toLowerCase(Locale.ROOT))));
    }

    private static Map<String, Long> counted(Stream<String> words) {
        return words.collect(Collectors.groupingBy(word -> word, TreeMap::new, Collectors.counting()));
    }
}
