package io.holdfast.repository;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Scope;
import io.holdfast.agent.AgentStatus;
import io.holdfast.approval.ApprovalState;
import io.holdfast.checkpoint.CheckpointStatus;
import io.holdfast.cleanup.Cutoff;
import io.holdfast.cleanup.Keep;
import io.holdfast.cleanup.Removed;
import io.holdfast.cleanup.RetentionPace;
import io.holdfast.cleanup.RetentionPolicy;
import io.holdfast.cleanup.RetentionReport;
import io.holdfast.cleanup.RetentionRule;
import io.holdfast.idempotency.Completion;
import io.holdfast.idempotency.KeepFor;
import io.holdfast.idempotency.Reservation;
import io.holdfast.journal.RunStatus;
import io.holdfast.lease.Acquisition;
import io.holdfast.lease.Lease;
import io.holdfast.lease.LeaseKey;
import io.holdfast.lease.Renewal;
import io.holdfast.state.WorkflowRules;
import io.holdfast.state.WorkflowState;
import io.holdfast.state.WorkflowStatus;
import io.holdfast.step.Begun;
import io.holdfast.step.Finished;
import io.holdfast.step.Step;
import io.holdfast.step.StepResult;
import io.holdfast.testing.TestDatabase;
import io.holdfast.workflow.Cancellation;
import io.holdfast.workflow.Creation;
import io.holdfast.workflow.Update;
import io.holdfast.workflow.Workflow;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** One workflow through every operation once. */
class TourTest {

    private static final String OUTCOME = "sha256:" + "a".repeat(64);
    private static final Instant AT = Instant.parse("2026-01-01T00:00:00Z");

    @Test
    void aWorkflowGoesThroughEveryOperation() {
        try (TestDatabase database = TestDatabase.migrated("tour");
                Holdfast holdfast = Holdfast.open(database.dataSource())) {
            Stores stores = holdfast.in(Scope.of("acme"));
            Creation created = stores.workflows().create(WorkflowState.create("wf-1", "req-1"), Map.of("team", "blue"));
            assertThat(created).isInstanceOf(Creation.Created.class);
            assertThat(stores.workflows().create(WorkflowState.create("wf-1", "req-1"), Map.of("team", "blue")))
                    .isInstanceOf(Creation.AlreadyCreated.class);
            Workflow read = stores.workflows().find("wf-1").orElseThrow();
            assertThat(read).isEqualTo(((Creation.Created) created).workflow());

            WorkflowState queued = WorkflowRules.transition(read.state(), WorkflowStatus.QUEUED, "e1", AT);
            Update updated = stores.workflows().update(read, queued);
            assertThat(updated).isInstanceOf(Update.Updated.class);
            assertThat(stores.workflows().update(read, queued)).isInstanceOf(Update.AlreadyApplied.class);
            assertThat(stores.workflows().find("wf-1").orElseThrow())
                    .usingRecursiveComparison()
                    .ignoringFields("updatedAt")
                    .isEqualTo(((Update.Updated) updated).workflow());

            Acquisition acquired = stores.leases().acquire(LeaseKey.ofWorkflow("wf-1"), "w1", Duration.ofSeconds(60));
            assertThat(acquired).isInstanceOf(Acquisition.Granted.class);
            Lease lease = ((Acquisition.Granted) acquired).lease();
            assertThat(stores.leases().acquire(lease.key(), "w2", Duration.ofSeconds(60)))
                    .isInstanceOf(Acquisition.Busy.class);
            assertThat(stores.leases().renew(lease.key(), lease.fence())).isInstanceOf(Renewal.Renewed.class);
            assertThat(stores.leases().renewAll(Map.of(lease.key(), lease.fence())))
                    .hasEntrySatisfying(lease.key(), r -> assertThat(r).isInstanceOf(Renewal.Renewed.class));
            assertThat(stores.leases().find(lease.key())).isPresent();

            Workflow second = ((Update.Updated) updated).workflow();
            WorkflowState running = WorkflowRules.transition(second.state(), WorkflowStatus.RUNNING, "e2", AT);
            Update fenced = stores.workflows().updateFenced(second, running, lease.fence());
            assertThat(fenced).isInstanceOf(Update.Updated.class);
            Workflow third = ((Update.Updated) fenced).workflow();

            assertThat(stores.workflows().requestCancel("wf-1", "why not")).isInstanceOf(Cancellation.Requested.class);

            Reservation reserved = stores.idempotencyKeys().reserve("k0", "req-1", "wf-1", KeepFor.DEFAULT);
            assertThat(reserved).isInstanceOf(Reservation.New.class);
            assertThat(stores.idempotencyKeys().reserve("k0", "req-1", "wf-1", KeepFor.DEFAULT))
                    .isInstanceOf(Reservation.InProgress.class);
            assertThat(stores.idempotencyKeys().find("k0")).contains(reserved.key());
            assertThat(stores.idempotencyKeys().complete(reserved.key().claim(), OUTCOME))
                    .isInstanceOf(Completion.Done.class);

            Step step = new Step("wf-1", "wf-1:one", "req-1");
            Begun begun = stores.steps().begin(step, lease.fence());
            assertThat(begun).isInstanceOf(Begun.New.class);
            WorkflowState one = WorkflowRules.checkpoint(third.state(), "memory", "e3", AT);
            Finished done = stores.steps()
                    .finish(
                            ((Begun.New) begun).claim(),
                            new StepResult(third, one, OUTCOME, StepResult.LeaseAfter.KEEP),
                            lease.fence());
            assertThat(done).isInstanceOf(Finished.Done.class);
            Workflow fourth = ((Finished.Done) done).workflow();
            assertThat(fourth.cancelRequest()).isPresent();
            WorkflowState end = WorkflowRules.transition(fourth.state(), WorkflowStatus.SUCCEEDED, "e4", AT);
            assertThat(stores.steps()
                            .step(
                                    new Step("wf-1", "wf-1:two", "req-1"),
                                    new StepResult(fourth, end, OUTCOME, StepResult.LeaseAfter.RELEASE),
                                    lease.fence()))
                    .isInstanceOf(Finished.Done.class);
            assertThat(stores.workflows().list("", 10)).hasSize(1);
            assertThat(stores.leases().find(lease.key())).isEmpty();
            assertThat(holdfast.cleanup().pass(new Cutoff(Duration.ZERO, Duration.ZERO, 10)))
                    .isEqualTo(new Removed(1, 0, 1));
        }
    }

    @Test
    void aPolicySaysWhatStays() {
        try (TestDatabase database = TestDatabase.migrated("tour");
                Holdfast holdfast = Holdfast.open(database.dataSource())) {
            WorkflowState ended = WorkflowState.builder("wf-1", "req-1")
                    .status(WorkflowStatus.SUCCEEDED)
                    .build();
            for (String scope : List.of("acme", "audited")) {
                holdfast.in(Scope.of(scope)).workflows().create(ended, Map.of());
            }
            database.execute("update holdfast.workflow set created_at = created_at - interval '31 days',"
                    + " updated_at = updated_at - interval '31 days'");
            List<Removed> told = new ArrayList<>();
            // snippet: retention
            RetentionRule usual = RetentionRule.DEFAULT // what expired goes after a day
                    .with(
                            WorkflowStatus.SUCCEEDED,
                            Keep.during(Duration.ofDays(30)).atMost(100_000))
                    .with(WorkflowStatus.FAILED, Keep.during(Duration.ofDays(90)));
            RetentionPolicy policy = RetentionPolicy.of(usual).with(Scope.of("audited"), RetentionRule.KEEP_ALL);
            RetentionReport plan = holdfast.cleanup().plan(policy); // counts, and writes nothing
            RetentionReport done = holdfast.cleanup().run(policy, RetentionPace.DEFAULT, told::add);
            // end
            assertThat(done).isEqualTo(plan);
            assertThat(done.scopes()).containsExactly(Map.entry(Scope.of("acme"), new Removed(1, 0, 0)));
            assertThat(told).containsExactly(new Removed(1, 0, 0));
            // snippet: run-retention
            Keep month = Keep.during(Duration.ofDays(30));
            RetentionRule runs = usual.withJournals(RunStatus.COMPLETED, month)
                    .withCheckpoints(CheckpointStatus.COMPLETED, month)
                    .withHistories(Keep.newest(10)) // entries of each run that has ended
                    .withAgents(AgentStatus.FINISHED, month)
                    .withApprovals(ApprovalState.CONSUMED, Keep.during(Duration.ofDays(90)))
                    .withRuns("cancelled", month.atMost(1_000)) // a status of the application's own
                    .withSessions(Keep.during(Duration.ofDays(180)));
            // end
            assertThat(holdfast.cleanup()
                            .plan(RetentionPolicy.of(runs).with(Scope.of("audited"), RetentionRule.KEEP_ALL))
                            .total())
                    .isEqualTo(Removed.NOTHING);
        }
    }
}
