package io.holdfast.bench;

import static java.util.Objects.requireNonNull;

import io.holdfast.Scope;
import io.holdfast.codec.Canonical;
import io.holdfast.codec.JsonText;
import io.holdfast.lease.Fence;
import io.holdfast.repository.SentStatements;
import io.holdfast.state.Snapshots;
import io.holdfast.state.WorkflowState;
import io.holdfast.workflow.CancelRequest;
import io.holdfast.workflow.Cancellation;
import io.holdfast.workflow.Creation;
import io.holdfast.workflow.Update;
import io.holdfast.workflow.Workflow;
import io.holdfast.workflow.WorkflowFilter;
import io.holdfast.workflow.WorkflowPage;
import io.holdfast.workflow.WorkflowSummary;
import io.holdfast.workflow.Workflows;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;

/** The workflow store's statements in plain JDBC, into the same values. */
final class JdbcWorkflows implements Workflows {

    private static final int MAX_LABELS_BYTES = 65_536;

    /** Shared by all scopes. */
    record Texts(Sql create, Sql find, Sql update, Sql updateFenced) {

        /** @param update what Hibernate sends to write the entity */
        static Texts of(SentStatements sent, String update) {
            return new Texts(
                    Sql.named(
                            sent.text("JpaWorkflows", "CREATE"),
                            "lock_timeout",
                            "scope",
                            "id",
                            "request",
                            "status",
                            "snapshot",
                            "labels"),
                    Sql.named(sent.text("StoredWorkflow", "FIND"), "scope", "id"),
                    Sql.update(
                            update,
                            "revision",
                            "snapshot",
                            "status",
                            "updated_at",
                            "where.scope",
                            "where.id",
                            "where.incarnation",
                            "where.revision"),
                    Sql.named(
                            sent.text("JpaWorkflows", "UPDATE_FENCED"),
                            "lock_timeout",
                            "scope",
                            "id",
                            "incarnation",
                            "revision",
                            "was",
                            "becomes",
                            "snapshot",
                            "legal",
                            "owner",
                            "token"));
        }
    }

    private final DataSource source;
    private final Texts texts;
    private final String scope;

    JdbcWorkflows(DataSource source, Texts texts, Scope scope) {
        this.source = source;
        this.texts = texts;
        this.scope = scope.id();
    }

    @Override
    public Creation create(WorkflowState state, Map<String, String> labels) {
        return texts.create()
                .row(
                        source,
                        row -> {
                            Sql.expect("CREATED", row.getString("verdict"));
                            return new Creation.Created(new Workflow(
                                    state,
                                    row.getLong("revision"),
                                    UUID.fromString(row.getString("incarnation")),
                                    cancelRequest(row),
                                    labels,
                                    Sql.time(row, "created_at"),
                                    Sql.time(row, "updated_at")));
                        },
                        Contender.PATIENCE,
                        scope,
                        state.workflowId(),
                        state.requestId(),
                        state.status().wire(),
                        Snapshots.write(state),
                        labels.isEmpty() ? "{}" : json(labels));
    }

    @Override
    public Optional<Workflow> find(String id) {
        return Optional.ofNullable(texts.find()
                .first(
                        source,
                        row -> new Workflow(
                                Snapshots.readStored(
                                        id,
                                        row.getString("request_id"),
                                        row.getString("status"),
                                        row.getString("snapshot")),
                                row.getLong("revision"),
                                UUID.fromString(row.getString("incarnation")),
                                cancelRequest(row),
                                labels(row.getString("labels")),
                                Sql.time(row, "created_at"),
                                Sql.time(row, "updated_at")),
                        scope,
                        id));
    }

    @Override
    public Update update(Workflow read, WorkflowState next) {
        int written = texts.update()
                .update(
                        source,
                        read.revision() + 1,
                        Snapshots.write(next),
                        next.status().wire(),
                        Sql.Absent.TIME,
                        scope,
                        read.id(),
                        read.incarnation(),
                        read.revision());
        Sql.expect("1", Integer.toString(written));
        return new Update.Updated(after(read, next, read.revision() + 1, read.cancelRequest(), read.updatedAt()));
    }

    @Override
    public Update updateFenced(Workflow read, WorkflowState next, Fence fence) {
        return texts.updateFenced()
                .row(
                        source,
                        row -> new Update.Updated(written(row, read, next)),
                        Contender.PATIENCE,
                        scope,
                        read.id(),
                        read.incarnation().toString(),
                        read.revision(),
                        read.state().status().wire(),
                        next.status().wire(),
                        Snapshots.write(next),
                        Boolean.TRUE,
                        fence.owner(),
                        fence.token());
    }

    /** What the statements answer that write a state: verdict, revision, status, cancel request, time of the update. */
    static Workflow written(ResultSet row, Workflow read, WorkflowState next) throws SQLException {
        Sql.expect("DONE", row.getString("verdict"));
        return after(read, next, row.getLong("revision"), cancelRequest(row), Sql.time(row, "updated_at"));
    }

    static Workflow after(
            Workflow read, WorkflowState next, long revision, Optional<CancelRequest> cancel, Instant updatedAt) {
        return new Workflow(next, revision, read.incarnation(), cancel, read.labels(), read.createdAt(), updatedAt);
    }

    static Optional<CancelRequest> cancelRequest(ResultSet row) throws SQLException {
        Instant at = Sql.timeOrNull(row, "cancel_requested_at");
        return at == null
                ? Optional.empty()
                : Optional.of(new CancelRequest(at, Optional.ofNullable(row.getString("cancel_reason"))));
    }

    private static String json(Map<String, String> labels) {
        return Canonical.write("labels", labels);
    }

    private static Map<String, String> labels(String json) {
        Map<String, String> labels = new HashMap<>();
        ((Map<?, ?>) requireNonNull(JsonText.read("labels", json, MAX_LABELS_BYTES)))
                .forEach((name, value) -> labels.put((String) name, (String) value));
        return labels;
    }

    @Override
    public Optional<Workflow> findCheckpoint(String id, String requestId) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Cancellation requestCancel(String id, String reason) {
        throw new UnsupportedOperationException();
    }

    @Override
    public List<WorkflowSummary> list(String after, int limit) {
        throw new UnsupportedOperationException();
    }

    @Override
    public WorkflowPage search(WorkflowFilter filter, Optional<WorkflowPage.Place> after, int limit) {
        throw new UnsupportedOperationException();
    }
}
