package io.holdfast.bench;

import io.holdfast.Scope;
import io.holdfast.idempotency.Completion;
import io.holdfast.idempotency.IdempotencyKey;
import io.holdfast.idempotency.IdempotencyKeys;
import io.holdfast.idempotency.KeepFor;
import io.holdfast.idempotency.KeyClaim;
import io.holdfast.idempotency.Reservation;
import io.holdfast.lease.Fence;
import io.holdfast.repository.SentStatements;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import javax.sql.DataSource;

/** The key store's statements in plain JDBC, into the same values. */
final class JdbcKeys implements IdempotencyKeys {

    record Texts(Sql reserve, Sql complete, Sql find) {

        static Texts of(SentStatements sent) {
            return new Texts(
                    Sql.named(
                            sent.text("JpaIdempotencyKeys", "RESERVE"),
                            "lock_timeout",
                            "scope",
                            "key",
                            "request",
                            "workflow",
                            "any_workflow",
                            "keep"),
                    Sql.named(
                            sent.text("JpaIdempotencyKeys", "COMPLETE"),
                            "lock_timeout",
                            "scope",
                            "key",
                            "workflow",
                            "reservation",
                            "outcome",
                            "owner",
                            "token"),
                    Sql.named(sent.text("JpaIdempotencyKeys", "FIND"), "scope", "key"));
        }
    }

    private final DataSource source;
    private final Texts texts;
    private final String scope;

    JdbcKeys(DataSource source, Texts texts, Scope scope) {
        this.source = source;
        this.texts = texts;
        this.scope = scope.id();
    }

    @Override
    public Reservation reserve(String key, String requestId, String workflowId, KeepFor keepFor) {
        return texts.reserve()
                .row(
                        source,
                        row -> new Reservation.New(key("NEW", row, key)),
                        Contender.PATIENCE,
                        scope,
                        key,
                        requestId,
                        workflowId,
                        Boolean.FALSE,
                        Contender.millis(keepFor));
    }

    @Override
    public Completion complete(KeyClaim claim, String outcome) {
        return texts.complete()
                .row(
                        source,
                        row -> new Completion.Done(key("DONE", row, claim.key())),
                        Contender.PATIENCE,
                        scope,
                        claim.key(),
                        claim.workflowId(),
                        claim.reservation(),
                        outcome,
                        Sql.Absent.TEXT,
                        Sql.Absent.NUMBER);
    }

    private static IdempotencyKey key(String verdict, ResultSet row, String key) throws SQLException {
        Sql.expect(verdict, row.getString("verdict"));
        return key(row, key);
    }

    private static IdempotencyKey key(ResultSet row, String key) throws SQLException {
        return new IdempotencyKey(
                new KeyClaim(key, row.getString("workflow_id"), row.getLong("reservation")),
                row.getString("request_id"),
                Optional.ofNullable(row.getString("outcome")),
                Sql.time(row, "created_at"),
                Sql.time(row, "updated_at"),
                Optional.ofNullable(Sql.timeOrNull(row, "expires_at")));
    }

    @Override
    public Optional<IdempotencyKey> find(String key) {
        return Optional.ofNullable(texts.find().first(source, row -> key(row, key), scope, key));
    }

    @Override
    public Reservation reserve(String key, String requestId, KeepFor keepFor) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Completion completeFenced(KeyClaim claim, String outcome, Fence fence) {
        throw new UnsupportedOperationException();
    }
}
