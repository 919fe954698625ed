package io.holdfast.example.quarkus;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Scope;
import io.holdfast.cleanup.Cutoff;
import io.holdfast.idempotency.Completion;
import io.holdfast.idempotency.KeepFor;
import io.holdfast.idempotency.Reservation;
import io.holdfast.lease.Acquisition;
import io.holdfast.lease.Lease;
import io.holdfast.lease.LeaseKey;
import io.holdfast.lease.Renewal;
import io.holdfast.repository.Holdfast;
import io.holdfast.repository.Stores;
import io.holdfast.state.WorkflowRules;
import io.holdfast.state.WorkflowState;
import io.holdfast.state.WorkflowStatus;
import io.holdfast.step.Begun;
import io.holdfast.step.Finished;
import io.holdfast.step.Step;
import io.holdfast.step.StepResult;
import io.holdfast.workflow.Cancellation;
import io.holdfast.workflow.Creation;
import io.holdfast.workflow.Update;
import io.holdfast.workflow.Workflow;
import io.quarkus.narayana.jta.QuarkusTransaction;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Every operation in Quarkus's transactions, on entities that Quarkus has enhanced. */
@QuarkusTest
@QuarkusTestResource(OwnDatabase.class)
class EveryOperationTest {

    private static final String OUTCOME = "sha256:" + "a".repeat(64);
    private static final Instant AT = Instant.parse("2026-01-01T00:00:00Z");

    @Inject
    Holdfast joining;

    @Inject
    @CommitsAlone
    Holdfast alone;

    @Inject
    Stored stored;

    @Test
    void whatWasDoneInATransactionThatIsRolledBackWasNotDone() {
        QuarkusTransaction.begin();
        tour(joining.in(Scope.of("rolled-back")));
        joining.cleanup().pass(new Cutoff(Duration.ZERO, Duration.ZERO, 10));
        QuarkusTransaction.rollback();
        assertThat(rows("rolled-back")).isEqualTo("0 0 0");
    }

    @Test
    void whatWasDoneInATransactionThatIsCommittedStands() {
        QuarkusTransaction.requiringNew().run(() -> tour(joining.in(Scope.of("committed"))));
        assertThat(rows("committed")).isEqualTo("1 1 3");
    }

    @Test
    void aFacadeBoundToTheTransactionSharesItsFate() {
        QuarkusTransaction.begin();
        joining.atomically(bound -> tour(bound.in(Scope.of("bound"))));
        QuarkusTransaction.rollback();
        assertThat(rows("bound")).isEqualTo("0 0 0");
    }

    @Test
    void theOtherFacadeCommitsWithOrWithoutATransactionOfTheCaller() {
        tour(alone.in(Scope.of("without")));
        assertThat(rows("without")).isEqualTo("1 1 3");
        QuarkusTransaction.begin();
        alone.atomically(bound -> tour(bound.in(Scope.of("within"))));
        QuarkusTransaction.rollback();
        assertThat(rows("within")).isEqualTo("1 1 3");
    }

    /** How many workflows, leases and idempotency keys are stored. */
    private String rows(String scope) {
        return stored.value("""
                with it (scope) as (values (?))
                select concat_ws(' ', (select count(*) from holdfast.workflow join it using (scope)),
                                      (select count(*) from holdfast.lease join it using (scope)),
                                      (select count(*) from holdfast.idempotency_key join it using (scope)))
                  from it
                """, scope);
    }

    /** All methods of all stores once; each winner's answer. */
    private static Workflow tour(Stores stores) {
        WorkflowState first = WorkflowState.create("wf-1", "req-1");
        Workflow created = ((Creation.Created) stores.workflows().create(first, Map.of("team", "blue"))).workflow();
        assertThat(stores.workflows().find("wf-1")).contains(created);
        assertThat(stores.workflows().findCheckpoint("wf-1", "req-1")).contains(created);
        assertThat(stores.workflows().list("", 10)).hasSize(1);

        WorkflowState queued = WorkflowRules.transition(created.state(), WorkflowStatus.QUEUED, "e1", AT);
        Workflow second = ((Update.Updated) stores.workflows().update(created, queued)).workflow();
        Lease lease = leased(stores);
        WorkflowState running = WorkflowRules.transition(second.state(), WorkflowStatus.RUNNING, "e2", AT);
        Workflow third = ((Update.Updated) stores.workflows().updateFenced(second, running, lease.fence())).workflow();
        assertThat(stores.workflows().requestCancel("wf-1", "why not")).isInstanceOf(Cancellation.Requested.class);

        Reservation reserved = stores.idempotencyKeys().reserve("k0", "req-1", "wf-1", KeepFor.DEFAULT);
        assertThat(stores.idempotencyKeys().find("k0")).contains(reserved.key());
        assertThat(stores.idempotencyKeys().complete(reserved.key().claim(), OUTCOME))
                .isInstanceOf(Completion.Done.class);
        return stepped(stores, lease, third);
    }

    private static Lease leased(Stores stores) {
        LeaseKey key = LeaseKey.ofWorkflow("wf-1");
        Lease lease = ((Acquisition.Granted) stores.leases().acquire(key, "w1", Duration.ofSeconds(60))).lease();
        assertThat(stores.leases().renew(key, lease.fence())).isInstanceOf(Renewal.Renewed.class);
        assertThat(stores.leases().renewAll(Map.of(key, lease.fence()))).hasSize(1);
        assertThat(stores.leases().find(key)).isPresent();
        assertThat(stores.leases().release(key, lease.fence())).isTrue();
        return ((Acquisition.Granted) stores.leases().acquire(key, "w1", Duration.ofSeconds(60))).lease();
    }

    private static Workflow stepped(Stores stores, Lease lease, Workflow read) {
        Begun.New begun = (Begun.New) stores.steps().begin(new Step("wf-1", "wf-1:one", "req-1"), lease.fence());
        WorkflowState one = WorkflowRules.checkpoint(read.state(), "memory", "e3", AT);
        StepResult result = new StepResult(read, one, OUTCOME, StepResult.LeaseAfter.KEEP);
        Workflow next = ((Finished.Done) stores.steps().finish(begun.claim(), result, lease.fence())).workflow();
        WorkflowState end = WorkflowRules.transition(next.state(), WorkflowStatus.SUCCEEDED, "e4", AT);
        StepResult last = new StepResult(next, end, OUTCOME, StepResult.LeaseAfter.RELEASE);
        Finished finished = stores.steps().step(new Step("wf-1", "wf-1:two", "req-1"), last, lease.fence());
        return ((Finished.Done) finished).workflow();
    }
}
