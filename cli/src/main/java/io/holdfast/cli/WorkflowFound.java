package io.holdfast.cli;

import io.holdfast.Scope;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** A workflow row without its snapshot, which may hold anything. */
record WorkflowFound(
        String scope,
        String id,
        String requestId,
        String status,
        long revision,
        String incarnation,
        Map<String, String> labels,
        long snapshotBytes,
        @Nullable Instant cancelRequestedAt,
        @Nullable String cancelReason,
        Instant createdAt,
        Instant updatedAt,
        @Nullable Instant finishedAt,
        @Nullable String holder) {

    static final Page.Columns<WorkflowFound> COLUMNS = new Page.Columns<>() {
        @Override
        public String[] names() {
            return new String[] {
                "scope", "id", "status", "revision", "cancel_requested", "held_by", "created_at", "updated_at"
            };
        }

        @Override
        public @Nullable Object[] cells(WorkflowFound w) {
            return new @Nullable Object[] {
                w.scope, w.id, w.status, w.revision, w.cancelRequestedAt != null, w.holder, w.createdAt, w.updatedAt
            };
        }

        @Override
        public List<String> place(WorkflowFound w) {
            return List.of(w.scope, w.createdAt.toString(), w.id);
        }
    };

    // In the order of an index: oldest first within a scope.
    private static final String LIST = """
            select w.scope, w.id, w.request_id, w.status, w.revision, w.incarnation, w.labels,
                   octet_length(w.snapshot) as snapshot_bytes, w.cancel_requested_at, w.cancel_reason, w.created_at, w.updated_at,
                   w.finished_at,
                   (select x.owner from {schema}.lease x where x.scope = w.scope and x.kind = 'workflow' and x.id = w.id
                       and x.expires_at > clock_timestamp()) as holder
              from {schema}.workflow w
             where (cast(? as text) is null or w.scope = ?) and (cast(? as text) is null or w.status = ?)
               and (cast(? as text) is null or exists (
                     select from {schema}.workflow_label l
                      where l.scope = w.scope and l.name = ? and l.value = ? and l.created_at = w.created_at and l.id = w.id))
               and (w.scope, w.created_at, w.id) > (?, cast(? as timestamptz), ?) and w.created_at >= '-infinity'   -- for its index
             order by w.scope, w.created_at, w.id limit ?
            """;

    static List<WorkflowFound> list(
            Session session,
            @Nullable String scope,
            @Nullable String status,
            @Nullable String label,
            @Nullable String value,
            List<String> after,
            int limit)
            throws SQLException {
        return session.list(
                LIST,
                WorkflowFound::of,
                scope,
                scope,
                status,
                status,
                label,
                label,
                value,
                after.get(0),
                after.get(1),
                after.get(2),
                limit);
    }

    private static final String FIND = """
            select w.scope, w.id, w.request_id, w.status, w.revision, w.incarnation, w.labels,
                   octet_length(w.snapshot) as snapshot_bytes, w.cancel_requested_at, w.cancel_reason, w.created_at, w.updated_at,
                   w.finished_at,
                   (select x.owner from {schema}.lease x where x.scope = w.scope and x.kind = 'workflow' and x.id = w.id
                       and x.expires_at > clock_timestamp()) as holder
              from {schema}.workflow w where w.scope = ? and w.id = ?
            """;

    static Optional<WorkflowFound> find(Session session, Scope scope, String id) throws SQLException {
        return session.first(FIND, WorkflowFound::of, scope.id(), id);
    }

    private static WorkflowFound of(ResultSet row) throws SQLException {
        return new WorkflowFound(
                row.getString("scope"),
                row.getString("id"),
                row.getString("request_id"),
                row.getString("status"),
                row.getLong("revision"),
                row.getString("incarnation"),
                JsonMapper.shared().readValue(row.getString("labels"), new TypeReference<Map<String, String>>() {}),
                row.getLong("snapshot_bytes"),
                Session.instant(row, "cancel_requested_at"),
                row.getString("cancel_reason"),
                Session.time(row, "created_at"),
                Session.time(row, "updated_at"),
                Session.instant(row, "finished_at"),
                row.getString("holder"));
    }

    boolean hasEnded() {
        return finishedAt != null;
    }

    Map<String, @Nullable Object> facts() {
        Map<String, @Nullable Object> facts = new LinkedHashMap<>();
        facts.put("scope", scope);
        facts.put("id", id);
        facts.put("request_id", requestId);
        facts.put("status", status);
        facts.put("revision", revision);
        facts.put("incarnation", incarnation);
        facts.put("labels", labels);
        facts.put("snapshot_bytes", snapshotBytes);
        facts.put("held_by", holder);
        facts.put("cancel_requested_at", cancelRequestedAt);
        facts.put("cancel_reason", cancelReason);
        facts.put("created_at", createdAt);
        facts.put("updated_at", updatedAt);
        facts.put("finished_at", finishedAt);
        return facts;
    }
}
