package io.holdfast.chaos;

import io.holdfast.repository.Holdfast;
import io.holdfast.state.WorkflowEvent;
import io.holdfast.workflow.Workflow;
import io.holdfast.workflow.WorkflowSummary;
import io.holdfast.workflow.Workflows;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.sql.DataSource;

/**
 * What the database holds at the end.
 *
 * @param logs of each workflow, and of each run
 * @param effects of the application's own, in its table
 * @param outcomes of each idempotency key that is completed
 * @param tokens of each lease
 * @param leftOpen transactions that nobody worked on any more when all was done, before workers were told to stop
 * @param runs what runs have besides their logs
 */
record Stored(
        Map<String, Log> logs,
        List<Effect> effects,
        Map<String, String> outcomes,
        Map<String, Long> tokens,
        int leftOpen,
        StoredRuns runs) {

    record Effect(String write, String workflow, long token) {}

    private static final int PAGE = 100;

    /** Of a lease whose row is gone, the floor from which the next one starts. */
    private static final String TOKENS = """
            select l.id, l.token from holdfast.lease l where l.scope in ('chaos', 'passing')
            union all
            select 'passing-' || n, f.floor from holdfast.lease_floor f, generate_series(0, 9) n
             where f.scope = 'passing'
               and not exists (select from holdfast.lease l where l.scope = f.scope and l.id = 'passing-' || n)
            """;

    static Stored read(DataSource source, List<Ledger.Line> ledger, int leftOpen) throws SQLException {
        Map<String, Log> logs = new HashMap<>();
        try (Holdfast holdfast = Holdfast.open(source)) {
            workflowLogs(holdfast.in(Desk.SCOPE).workflows(), logs);
            workflowLogs(holdfast.in(PassingWork.SCOPE).workflows(), logs);
        }
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            List<Effect> effects = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery("select write, workflow, token from chaos_effect")) {
                while (rows.next()) {
                    effects.add(new Effect(rows.getString(1), rows.getString(2), rows.getLong(3)));
                }
            }
            Map<String, String> outcomes = new HashMap<>();
            try (ResultSet rows = statement.executeQuery("select key, outcome from holdfast.idempotency_key"
                    + " where scope = 'chaos' and status = 'completed'")) {
                while (rows.next()) {
                    outcomes.put(rows.getString(1), rows.getString(2));
                }
            }
            Map<String, Long> tokens = new HashMap<>();
            try (ResultSet rows = statement.executeQuery(TOKENS)) {
                while (rows.next()) {
                    tokens.put(rows.getString(1), rows.getLong(2));
                }
            }
            return new Stored(logs, effects, outcomes, tokens, leftOpen, StoredRuns.read(connection, ledger, logs));
        }
    }

    private static void workflowLogs(Workflows workflows, Map<String, Log> logs) {
        String after = "";
        List<WorkflowSummary> page;
        do {
            page = workflows.list(after, PAGE);
            for (WorkflowSummary summary : page) {
                after = summary.id();
                Workflow workflow = workflows.find(summary.id()).orElseThrow();
                List<String> writes = workflow.state().events().stream()
                        .map(WorkflowEvent::eventId)
                        .toList();
                // The first revision is that of its creation.
                logs.put(workflow.id(), Log.of(2, writes, workflow.revision()));
            }
        } while (page.size() == PAGE);
    }

    /** How much of what there is. */
    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%d logs with %d writes, %d effects, %d keys with an outcome, %d grants;%n          %s",
                logs.size(),
                logs.values().stream().mapToInt(log -> log.lines().size()).sum(),
                effects.size(),
                outcomes.size(),
                tokens.entrySet().stream()
                        .filter(lease -> !lease.getKey().startsWith(PassingWork.PREFIX))
                        .mapToLong(Map.Entry::getValue)
                        .sum(),
                runs);
    }
}
