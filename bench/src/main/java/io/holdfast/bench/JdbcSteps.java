package io.holdfast.bench;

import io.holdfast.Scope;
import io.holdfast.idempotency.KeyClaim;
import io.holdfast.lease.Fence;
import io.holdfast.lease.Lease;
import io.holdfast.lease.LeaseKey;
import io.holdfast.repository.SentStatements;
import io.holdfast.state.Snapshots;
import io.holdfast.step.Begun;
import io.holdfast.step.Finished;
import io.holdfast.step.Step;
import io.holdfast.step.StepResult;
import io.holdfast.step.StepResult.LeaseAfter;
import io.holdfast.step.Steps;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import javax.sql.DataSource;

/** The step store's statements in plain JDBC, into the same values. */
final class JdbcSteps implements Steps {

    record Texts(Sql begin, Sql finish, Sql step) {

        static Texts of(SentStatements sent) {
            return new Texts(
                    Sql.named(
                            sent.text("StepBegin", "BEGIN"),
                            "lock_timeout",
                            "scope",
                            "workflow",
                            "key",
                            "request",
                            "keep",
                            "owner",
                            "token"),
                    Sql.named(
                            sent.text("StepFinish", "FINISH"),
                            "lock_timeout",
                            "scope",
                            "id",
                            "incarnation",
                            "revision",
                            "was",
                            "becomes",
                            "snapshot",
                            "legal",
                            "key",
                            "reservation",
                            "outcome",
                            "release",
                            "owner",
                            "token"),
                    Sql.named(
                            sent.text("StepWhole", "STEP"),
                            "lock_timeout",
                            "scope",
                            "id",
                            "incarnation",
                            "revision",
                            "was",
                            "becomes",
                            "snapshot",
                            "legal",
                            "key",
                            "request",
                            "keep",
                            "outcome",
                            "release",
                            "owner",
                            "token"));
        }
    }

    private final DataSource source;
    private final Texts texts;
    private final String scope;

    JdbcSteps(DataSource source, Texts texts, Scope scope) {
        this.source = source;
        this.texts = texts;
        this.scope = scope.id();
    }

    @Override
    public Begun begin(Step step, Fence fence) {
        return texts.begin()
                .row(
                        source,
                        row -> {
                            Sql.expect("NEW", row.getString("verdict"));
                            return new Begun.New(
                                    new KeyClaim(step.key(), step.workflowId(), row.getLong("reservation")),
                                    new Lease(
                                            LeaseKey.ofWorkflow(step.workflowId()),
                                            fence,
                                            Duration.ofMillis(row.getLong("ttl_ms")),
                                            Sql.time(row, "granted_at"),
                                            Sql.time(row, "expires_at"),
                                            Duration.of(row.getLong("remaining_micros"), ChronoUnit.MICROS)));
                        },
                        Contender.PATIENCE,
                        scope,
                        step.workflowId(),
                        step.key(),
                        step.requestId(),
                        Contender.millis(step.keepFor()),
                        fence.owner(),
                        fence.token());
    }

    @Override
    public Finished finish(KeyClaim claim, StepResult result, Fence fence) {
        return texts.finish()
                .row(
                        source,
                        row -> {
                            Sql.expect("DONE", row.getString("verdict"));
                            return new Finished.Done(JdbcWorkflows.written(row, result.read(), result.next()));
                        },
                        Contender.PATIENCE,
                        scope,
                        result.read().id(),
                        result.read().incarnation().toString(),
                        result.read().revision(),
                        result.read().state().status().wire(),
                        result.next().status().wire(),
                        Snapshots.write(result.next()),
                        Boolean.TRUE,
                        claim.key(),
                        claim.reservation(),
                        result.outcome(),
                        result.leaseAfter() == LeaseAfter.RELEASE,
                        fence.owner(),
                        fence.token());
    }

    @Override
    public Finished step(Step step, StepResult result, Fence fence) {
        return texts.step()
                .row(
                        source,
                        row -> {
                            Sql.expect("DONE", row.getString("verdict"));
                            return new Finished.Done(JdbcWorkflows.written(row, result.read(), result.next()));
                        },
                        Contender.PATIENCE,
                        scope,
                        result.read().id(),
                        result.read().incarnation().toString(),
                        result.read().revision(),
                        result.read().state().status().wire(),
                        result.next().status().wire(),
                        Snapshots.write(result.next()),
                        Boolean.TRUE,
                        step.key(),
                        step.requestId(),
                        Contender.millis(step.keepFor()),
                        result.outcome(),
                        result.leaseAfter() == LeaseAfter.RELEASE,
                        fence.owner(),
                        fence.token());
    }
}
