package io.holdfast.example.spring;

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
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Every operation over Spring's shared {@code EntityManager}, in one transaction. */
class EveryOperationTest extends OnDatabase {

    private static final String OUTCOME = "sha256:" + "a".repeat(64);
    private static final Instant AT = Instant.parse("2026-01-01T00:00:00Z");
    private static final List<String> TABLES = List.of("workflow", "lease", "lease_floor", "idempotency_key");

    @Autowired
    private Holdfast joining;

    @Autowired
    private PlatformTransactionManager manager;

    @Test
    void whatWasDoneInATransactionThatIsRolledBackWasNotDone() {
        String scope = "rolled-back";
        new TransactionTemplate(manager).executeWithoutResult(status -> {
            tour(joining.in(Scope.of(scope)));
            joining.cleanup().pass(new Cutoff(Duration.ZERO, Duration.ZERO, 10));
            status.setRollbackOnly();
        });
        assertThat(TABLES).allSatisfy(table -> assertThat(rows(table, scope)).isEqualTo("0"));
    }

    @Test
    void whatWasDoneInATransactionThatIsCommittedStands() {
        String scope = "committed";
        new TransactionTemplate(manager).executeWithoutResult(status -> tour(joining.in(Scope.of(scope))));
        assertThat(rows("workflow", scope)).isEqualTo("1");
        assertThat(rows("lease", scope)).isEqualTo("1");
        assertThat(rows("idempotency_key", scope)).isEqualTo("3");
    }

    @Test
    void aFacadeBoundToTheTransactionSharesItsFate() {
        String scope = "bound";
        new TransactionTemplate(manager).executeWithoutResult(status -> {
            joining.atomically(bound -> tour(bound.in(Scope.of(scope))));
            status.setRollbackOnly();
        });
        assertThat(TABLES).allSatisfy(table -> assertThat(rows(table, scope)).isEqualTo("0"));
    }

    private static String rows(String table, String scope) {
        return DATABASE.value("select count(*) from holdfast." + table + " where scope = '" + scope + "'");
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
