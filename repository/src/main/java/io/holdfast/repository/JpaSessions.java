package io.holdfast.repository;

import io.holdfast.Scope;
import io.holdfast.codec.Given;
import io.holdfast.codec.Identifier;
import io.holdfast.failure.InvalidValueException;
import io.holdfast.repository.Transactions.Effect;
import io.holdfast.session.Message;
import io.holdfast.session.SessionPayload;
import io.holdfast.session.SessionSave;
import io.holdfast.session.SessionSummary;
import io.holdfast.session.WorkspaceSession;
import io.holdfast.session.WorkspaceSessions;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Chat transcripts in table {@code workspace_session}. One statement each; the guard is in the statement. */
final class JpaSessions implements WorkspaceSessions {

    private final Transactions transactions;
    private final Scope scope;

    JpaSessions(Transactions transactions, Scope scope) {
        this.transactions = transactions;
        this.scope = scope;
    }

    private record Row(long revision, String payload, Instant updatedAt) {}

    private static final Statement<Row> FIND = Statement.returning(Row.class, """
            select t.revision, t.payload, t.updated_at from {workspace_session} t where t.scope = :scope and t.id = :id
            """);

    @Override
    public Optional<WorkspaceSession> find(String id) {
        if (!Identifier.isText(Given.value("id", id), 1, MAX_ID_BYTES)) {
            return Optional.empty();
        }
        return transactions
                .single(
                        "session.find",
                        Effect.READ,
                        s -> s.call(FIND).set("scope", scope.id()).set("id", id).first())
                .map(row -> new WorkspaceSession(
                        id, SessionPayload.read(id, row.payload()), row.revision(), row.updatedAt()));
    }

    private record Saved(String verdict, long revision) {}

    private static final Statement<Saved> SAVE = Statement.returning(Saved.class, """
            with {patience},
            given as materialized (select cast(:payload as text) as payload),   -- sent once
            stored as materialized (
              select t.revision, t.payload = g.payload as same
                from {workspace_session} t, given g, (select count(*) from patience) first
               where t.scope = :scope and t.id = :id for no key update of t),
            judged as materialized (   -- patience here too: of a new session no row is locked, and its insert may wait
              select case
                when t.revision is null then case when :expected = 0 then 'NEW' else 'CONFLICT' end
                when t.revision - 1 = :expected and t.same then 'SAME'
                when t.revision <> :expected then 'CONFLICT'
                else 'NEXT' end as verdict
                from (select count(*) from stored) first cross join (select count(*) from patience) second
                left join stored t on true),
            fresh as (   -- do nothing on a conflict: a violated key would end a caller's transaction
              insert into {workspace_session} as t (scope, id, message_count, payload)
              select :scope, :id, :count, g.payload from judged j, given g where j.verdict = 'NEW'
              on conflict (scope, id) do nothing
              returning t.revision),
            moved as (
              update {workspace_session} t set revision = t.revision + 1, message_count = :count, payload = g.payload,
                     updated_at = clock_timestamp(), emptied_at = null
                from judged j, given g where j.verdict = 'NEXT' and t.scope = :scope and t.id = :id
              returning t.revision)
            select case when n.revision is not null then 'SAVED' when j.verdict = 'NEW' then 'AGAIN' else j.verdict end as verdict,
                   coalesce(n.revision, t.revision, 0) as revision
              from judged j left join stored t on true
              left join (select revision from fresh union all select revision from moved) n on true
            """);

    @Override
    public SessionSave save(String id, List<Message> messages, long expectedRevision) {
        Identifier.text("id", id, 1, MAX_ID_BYTES);
        String payload = SessionPayload.write(id, Given.value("messages", messages), expectedRevision + 1);
        return Again.until("session.save", () -> {
            Saved row = transactions.single(
                    "session.save",
                    Effect.WRITE,
                    s -> s.call(SAVE)
                            .set("scope", scope.id())
                            .set("id", id)
                            .set("payload", payload)
                            .set("count", (long) messages.size())
                            .set("expected", expectedRevision)
                            .row());
            return switch (row.verdict()) {
                case "SAVED" -> Optional.of(new SessionSave.Saved(row.revision()));
                case "SAME" -> Optional.of(new SessionSave.AlreadySaved(row.revision()));
                case "CONFLICT" -> Optional.of(new SessionSave.Conflict(expectedRevision, row.revision()));
                default -> Optional.empty();
            };
        });
    }

    private static final Statement<SessionSummary> LIST = Statement.returning(SessionSummary.class, """
            select t.id, t.revision, t.message_count, t.created_at, t.updated_at from {workspace_session} t
             where t.scope = :scope and t.id > :after order by t.id limit :limit
            """);

    @Override
    public List<SessionSummary> list(String after, int limit) {
        if (limit < 1 || limit > MAX_PAGE) {
            throw new InvalidValueException("limit", "be 1 to " + MAX_PAGE);
        }
        Identifier.text("after", after, 0, MAX_ID_BYTES);
        return transactions.single(
                "session.list",
                Effect.READ,
                s -> s.call(LIST)
                        .set("scope", scope.id())
                        .set("after", after)
                        .set("limit", (long) limit)
                        .rows());
    }
}
