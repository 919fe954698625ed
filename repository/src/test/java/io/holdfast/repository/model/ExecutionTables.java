package io.holdfast.repository.model;

import io.holdfast.codec.Canonical;
import io.holdfast.journal.Intent;
import io.holdfast.repository.model.ExecutionRows.Journaled;
import io.holdfast.testing.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The tables of runs, journal, approvals and leases as lines of text, and the same of the model. */
final class ExecutionTables implements AutoCloseable {

    private static final String LINES = """
            select concat_ws('|', 'run', scope, id, status, revision, last_seq, state) from holdfast.run
            union all
            select concat_ws('|', 'logged', scope, run_id, seq, type) from holdfast.run_event
            union all
            select concat_ws('|', 'journal', scope, id, status, watched, opened_token, coalesce(cursor, '-'), state, revision, steps,
                   effects, events) from holdfast.execution
            union all
            select concat_ws('|', 'step', scope, run_id, ordinal, step_key, coalesce(payload_digest, '-'),
                   coalesce(idempotency_key, '-'), coalesce(approval_id, '-'), coalesce(outcome, '-')) from holdfast.execution_step
            union all
            select concat_ws('|', 'effect', scope, run_id, ordinal, step_key, index, idempotency_key, status,
                   coalesce(resolution, '-'), coalesce(resolved_by, '-')) from holdfast.execution_effect
            union all
            select concat_ws('|', 'event', scope, run_id, sequence, type) from holdfast.execution_event
            union all
            select concat_ws('|', 'approval', scope, id, run_id, status, coalesce(verdict, '-'), coalesce(decided_by, '-'),
                   coalesce(consumed_by, '-'), coalesce(consumed_token, 0), coalesce(withdrawn_by, '-'),
                   coalesce(withdrawn_reason, '-'), heard,
                   coalesce(cast(round(extract(epoch from expires_at - clock_timestamp()) / 3600) as text), '-'))
              from holdfast.approval
            union all
            select concat_ws('|', 'lease', scope, id, coalesce(owner, '-'), token, ttl_ms,
                   round(extract(epoch from expires_at - clock_timestamp()) / 3600))
              from holdfast.lease
            """;

    private final Connection connection;

    ExecutionTables(TestDatabase database) throws SQLException {
        connection = database.connect();
    }

    void clear() throws SQLException {
        execute("truncate holdfast.run, holdfast.run_event, holdfast.execution, holdfast.execution_step,"
                + " holdfast.execution_effect, holdfast.execution_event, holdfast.approval, holdfast.lease,"
                + " holdfast.lease_floor");
    }

    /** Nothing is waited for: what is stored becomes older. */
    void age(int hours) throws SQLException {
        String by = " - interval '" + hours + " hours'";
        execute("update holdfast.lease set granted_at = granted_at" + by + ", expires_at = expires_at" + by);
        execute("update holdfast.approval set created_at = created_at" + by + ", expires_at = expires_at" + by);
    }

    List<String> lines() throws SQLException {
        List<String> lines = new ArrayList<>();
        try (var statement = connection.createStatement();
                var rows = statement.executeQuery(LINES)) {
            while (rows.next()) {
                lines.add(rows.getString(1).replace("|-0", "|0"));
            }
        }
        return lines;
    }

    static List<String> lines(ExecutionModel model) {
        List<String> lines = new ArrayList<>();
        String scope = model.scope.id();
        model.rows.runs.forEach((id, run) -> {
            int last = run.events().size();
            lines.add(
                    line("run", scope, id, run.status(), run.revision(), last, Canonical.write("state", run.state())));
            for (int seq = 1; seq <= last; seq++) {
                lines.add(line("logged", scope, id, seq, run.events().get(seq - 1)));
            }
        });
        model.rows.journals.forEach((id, run) -> journal(lines, scope, id, run));
        model.rows.approvals.forEach((id, asked) -> lines.add(line(
                "approval",
                scope,
                id,
                asked.request().run(),
                asked.state().wire(),
                asked.decision() == null ? "-" : asked.decision().verdict().wire(),
                asked.decision() == null ? "-" : asked.decision().actor(),
                or(asked.step()),
                asked.step() == null ? 0 : asked.token(),
                or(asked.withdrawnBy()),
                or(asked.reason()),
                asked.heard() ? "t" : "f",
                hours(asked.expires(), model.now()))));
        model.rows.leases.forEach((id, held) -> lines.add(line(
                "lease", scope, id, or(held.owner()), held.token(), held.ttl(), hours(held.expires(), model.now()))));
        return lines;
    }

    private static void journal(List<String> lines, String scope, String id, Journaled run) {
        lines.add(line(
                "journal",
                scope,
                id,
                run.status().wire(),
                run.watched() ? "t" : "f",
                run.openedToken(),
                or(run.cursor()),
                run.state(),
                run.revision(),
                run.steps().size(),
                run.effects().size(),
                run.events().size()));
        int[] ordinal = {0, 0};
        run.steps().forEach((key, step) -> {
            Intent intent = step.intent();
            lines.add(line(
                    "step",
                    scope,
                    id,
                    ++ordinal[0],
                    key,
                    intent == null ? "-" : intent.payloadDigest(),
                    intent == null ? "-" : intent.idempotencyKey(),
                    intent == null ? "-" : intent.approvalId().orElse("-"),
                    step.outcome() == null ? "-" : step.outcome().ending().wire()));
        });
        run.effects()
                .forEach((place, sent) -> lines.add(line(
                        "effect",
                        scope,
                        id,
                        ++ordinal[1],
                        sent.step(),
                        sent.index(),
                        sent.key(),
                        sent.status().wire(),
                        sent.finding() == null ? "-" : sent.finding().wire(),
                        or(sent.by()))));
        for (int sequence = 1; sequence <= run.events().size(); sequence++) {
            lines.add(line("event", scope, id, sequence, run.events().get(sequence - 1)));
        }
    }

    private static String or(@Nullable String text) {
        return text == null ? "-" : text;
    }

    private static String line(Object... fields) {
        return Stream.of(fields).map(String::valueOf).collect(Collectors.joining("|"));
    }

    private static String hours(@Nullable Long time, long now) {
        return time == null ? "-" : Long.toString(Math.round((time - now) / (double) ExecutionModel.HOUR));
    }

    private void execute(String sql) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
