package io.holdfast.bench;

import static java.util.Objects.requireNonNull;

import io.holdfast.Scope;
import io.holdfast.idempotency.KeyClaim;
import io.holdfast.lease.Fence;
import io.holdfast.lease.Lease;
import io.holdfast.lease.LeaseKey;
import io.holdfast.state.Snapshots;
import io.holdfast.step.Begun;
import io.holdfast.step.Finished;
import io.holdfast.step.Step;
import io.holdfast.step.StepResult;
import io.holdfast.step.Steps;
import io.holdfast.workflow.Workflow;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;

/**
 * A step as one writes it by hand: short statements in a transaction. They are what is fast, not what is right: they judge
 * before they wait for a lock, know no repeat, and tell no reason.
 */
final class HandWrittenSteps implements Steps {

    private static final Sql RENEW = Sql.named("""
            update holdfast.lease set expires_at = clock_timestamp() + ttl_ms * interval '1 millisecond'
             where scope = :scope and kind = 'workflow' and id = :id and owner = :owner and token = :token
               and expires_at > clock_timestamp()
            returning ttl_ms, granted_at, expires_at
            """, "scope", "id", "owner", "token");

    private static final Sql RESERVE = Sql.named("""
            insert into holdfast.idempotency_key
                   (scope, key, reservation, request_id, workflow_id, status, keep_ms, expires_at)
            values (:scope, :key, 1, :request, :workflow, 'reserved', :keep,
                    clock_timestamp() + :keep * interval '1 millisecond')
            on conflict (scope, key) do nothing
            returning reservation
            """, "scope", "key", "request", "workflow", "keep");

    private static final Sql UPDATE =
            Sql.named("""
            update holdfast.workflow
               set revision = revision + 1, status = :status, snapshot = :snapshot, updated_at = clock_timestamp()
             where scope = :scope and id = :id and incarnation = :incarnation and revision = :revision
               and exists (select from holdfast.lease x where x.scope = :scope and x.kind = 'workflow' and x.id = :id
                              and x.owner = :owner and x.token = :token and x.expires_at > clock_timestamp())
            returning revision, cancel_requested_at, cancel_reason, updated_at
            """, "scope", "id", "incarnation", "revision", "status", "snapshot", "owner", "token");

    private static final Sql COMPLETE = Sql.named("""
            update holdfast.idempotency_key
               set status = 'completed', outcome = :outcome, updated_at = clock_timestamp(),
                   expires_at = clock_timestamp() + keep_ms * interval '1 millisecond'
             where scope = :scope and key = :key and reservation = :reservation and status = 'reserved'
            """, "scope", "key", "reservation", "outcome");

    private final DataSource source;
    private final String scope;

    HandWrittenSteps(DataSource source, Scope scope) {
        this.source = source;
        this.scope = scope.id();
    }

    private interface Work<R> {
        R in(Connection connection) throws SQLException;
    }

    private <R> R transaction(Work<R> work) {
        try (Connection connection = source.getConnection()) {
            connection.setAutoCommit(false);
            try {
                R result = work.in(connection);
                connection.commit();
                return result;
            } catch (SQLException | RuntimeException e) {
                connection.rollback();
                throw e;
            } finally {
                connection.setAutoCommit(true);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public Begun begin(Step step, Fence fence) {
        return transaction(connection -> begin(connection, step, fence));
    }

    @Override
    public Finished finish(KeyClaim claim, StepResult result, Fence fence) {
        return transaction(connection -> finish(connection, claim, result, fence));
    }

    @Override
    public Finished step(Step step, StepResult result, Fence fence) {
        return transaction(
                connection -> finish(connection, begin(connection, step, fence).claim(), result, fence));
    }

    private Begun.New begin(Connection connection, Step step, Fence fence) throws SQLException {
        LeaseKey key = LeaseKey.ofWorkflow(step.workflowId());
        Lease lease = RENEW.row(
                connection,
                row -> new Lease(
                        key,
                        fence,
                        Duration.ofMillis(row.getLong("ttl_ms")),
                        Sql.time(row, "granted_at"),
                        Sql.time(row, "expires_at"),
                        Duration.ofMillis(row.getLong("ttl_ms"))),
                scope,
                step.workflowId(),
                fence.owner(),
                fence.token());
        long reservation = RESERVE.row(
                connection,
                row -> row.getLong("reservation"),
                scope,
                step.key(),
                step.requestId(),
                step.workflowId(),
                Contender.millis(step.keepFor()));
        return new Begun.New(new KeyClaim(step.key(), step.workflowId(), reservation), lease);
    }

    private Finished finish(Connection connection, KeyClaim claim, StepResult result, Fence fence) throws SQLException {
        Workflow read = result.read();
        Workflow written = requireNonNull(UPDATE.first(
                connection,
                row -> JdbcWorkflows.after(
                        read,
                        result.next(),
                        row.getLong("revision"),
                        JdbcWorkflows.cancelRequest(row),
                        Sql.time(row, "updated_at")),
                scope,
                read.id(),
                read.incarnation(),
                read.revision(),
                result.next().status().wire(),
                Snapshots.write(result.next()),
                fence.owner(),
                fence.token()));
        int completed = COMPLETE.update(connection, scope, claim.key(), claim.reservation(), result.outcome());
        Sql.expect("1", Integer.toString(completed));
        return new Finished.Done(written);
    }
}
