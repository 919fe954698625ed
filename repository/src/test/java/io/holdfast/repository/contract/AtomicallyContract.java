package io.holdfast.repository.contract;

import static io.holdfast.state.WorkflowStatus.CLOSED;
import static io.holdfast.state.WorkflowStatus.QUEUED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.failure.InvalidValueException;
import io.holdfast.failure.NoTransactionException;
import io.holdfast.idempotency.KeepFor;
import io.holdfast.idempotency.KeyClaim;
import io.holdfast.idempotency.Reservation;
import io.holdfast.lease.Acquisition;
import io.holdfast.lease.Fence;
import io.holdfast.lease.LeaseKey;
import io.holdfast.lease.Loss;
import io.holdfast.lease.Renewal;
import io.holdfast.repository.Holdfast;
import io.holdfast.repository.Stores;
import io.holdfast.state.WorkflowState;
import io.holdfast.step.Begun;
import io.holdfast.step.Step;
import io.holdfast.workflow.Cancellation;
import io.holdfast.workflow.Creation;
import io.holdfast.workflow.Update;
import io.holdfast.workflow.Workflow;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Many calls in one transaction: all of them or none. */
abstract class AtomicallyContract extends Contract {

    private static final LeaseKey WF_1 = LeaseKey.ofWorkflow("wf-1");

    AtomicallyContract(Environment environment) {
        super(environment);
    }

    private <R> R atomically(Function<Holdfast, R> code) {
        return environment.perform(() -> environment.holdfast().atomically(code));
    }

    private void writeSomethingOfEach(Holdfast bound) {
        Stores stores = bound.in(scope);
        stores.workflows().create(WorkflowState.create("wf-1", "req-1"), Map.of());
        stores.leases().acquire(WF_1, "worker", MINUTE);
        stores.idempotencyKeys().reserve("k", "req-1", "wf-1", KeepFor.DEFAULT);
    }

    @Test
    void allThatIsDoneThroughTheBoundFacadeHappens() {
        String answer = atomically(bound -> {
            writeSomethingOfEach(bound);
            Stores stores = bound.in(scope);
            Workflow read = stores.workflows().find("wf-1").orElseThrow(); // sees what was written before
            assertThat(watched.picture()).as("others see nothing yet").isEmpty();
            Fence fence = stores.leases().find(WF_1).orElseThrow().fence();
            assertThat(stores.workflows().updateFenced(read, moved(read, QUEUED), fence))
                    .isInstanceOf(Update.Updated.class);
            return "done";
        });
        assertThat(answer).isEqualTo("done");
        assertThat(stored("wf-1").revision()).isEqualTo(2);
        assertThat(leases.find(WF_1)).isPresent();
        assertThat(keys.find("k")).isPresent();
    }

    @Test
    void anExceptionComesOutAsItIsAndNothingHappens() {
        var broken = new IllegalStateException("the application's own");
        assertThatThrownBy(() -> atomically(bound -> {
                    writeSomethingOfEach(bound);
                    throw broken;
                }))
                .isSameAs(broken);
        assertThat(watched.picture()).isEmpty();
    }

    @Test
    void anErrorRollsBackAsWell() {
        var broken = new StackOverflowError("the application's own");
        assertThatThrownBy(() -> atomically(bound -> {
                    writeSomethingOfEach(bound);
                    throw broken;
                }))
                .isSameAs(broken);
        assertThat(watched.picture()).isEmpty();
    }

    @Test
    void aTransactionInsideATransactionIsTheSameOne() {
        atomically(outer -> {
            outer.atomically(
                    inner -> inner.in(scope).workflows().create(WorkflowState.create("wf-1", "req-1"), Map.of()));
            assertThat(watched.picture()).as("the inner end commits nothing").isEmpty();
            return outer.in(scope).workflows().find("wf-1").orElseThrow();
        });
        assertThat(workflows.find("wf-1")).isPresent();
        assertThatThrownBy(() -> atomically(outer -> {
                    outer.atomically(inner -> inner.in(scope).leases().acquire(WF_1, "worker", MINUTE));
                    throw new IllegalStateException();
                }))
                .isInstanceOf(IllegalStateException.class);
        assertThat(leases.find(WF_1)).isEmpty();
    }

    @Test
    void afterItsEndTheBoundFacadeIsRefused() {
        Holdfast[] kept = new Holdfast[1];
        Stores bound = atomically(holdfast -> {
            kept[0] = holdfast;
            return holdfast.in(scope);
        });
        assertThatThrownBy(() -> bound.workflows().find("wf-1")).isInstanceOf(NoTransactionException.class);
        assertThatThrownBy(() -> bound.leases().acquire(WF_1, "worker", MINUTE))
                .isInstanceOf(NoTransactionException.class);
        assertThatThrownBy(() -> kept[0].in(scope).idempotencyKeys().find("k"))
                .isInstanceOf(NoTransactionException.class);
        assertThatThrownBy(() ->
                        kept[0].atomically(inner -> inner.in(scope).workflows().find("wf-1")))
                .isInstanceOf(NoTransactionException.class);
        assertThat(watched.picture()).isEmpty();
    }

    @Test // BL-24, H13: no answer costs the transaction, and no constraint is violated on the way
    void afterEveryLosingAnswerTheTransactionGoesOn() {
        Workflow stale = created("wf-1");
        updated(stale, checkpointed(stale, "memory"));
        Fence held = granted("wf-1", "worker").fence();
        KeyClaim claim = reserved("k", "wf-1");
        atomically(bound -> {
            Stores stores = bound.in(scope);
            assertThat(stores.workflows().create(WorkflowState.create("wf-1", "req-9"), Map.of()))
                    .isInstanceOf(Creation.Taken.class);
            assertThat(stores.workflows().update(stale, moved(stale, QUEUED)))
                    .isEqualTo(new Update.RevisionConflict(2));
            assertThat(stores.workflows().updateFenced(stale, moved(stale, CLOSED), new Fence("rival", 9)))
                    .isEqualTo(new Update.FenceLost(Loss.SUPERSEDED));
            assertThat(stores.workflows().requestCancel("wf-9", "")).isEqualTo(new Cancellation.NotFound());
            assertThat(stores.leases().acquire(WF_1, "rival", MINUTE)).isInstanceOf(Acquisition.Busy.class);
            assertThat(stores.leases().renew(WF_1, new Fence("rival", 9))).isEqualTo(new Renewal.Lost(Loss.SUPERSEDED));
            assertThat(stores.idempotencyKeys().reserve("k", "req-9", "wf-9", KeepFor.DEFAULT))
                    .isInstanceOf(Reservation.Conflict.class);
            assertThat(stores.steps().begin(new Step("wf-1", "k", "req-9"), held))
                    .isInstanceOf(Begun.Conflict.class);
            assertThatThrownBy(() -> stores.workflows().list("", 0)).isInstanceOf(InvalidValueException.class);
            return stores.idempotencyKeys().complete(claim, fingerprint('a'));
        });
        assertThat(keys.find("k").orElseThrow().isCompleted()).isTrue();
    }

    @Test // H20: what belongs together can be one transaction, also over several scopes
    void oneTransactionMaySpanScopes() {
        Tenant other = new Tenant(environment, io.holdfast.Scope.of(scope.id() + "-other"));
        assertThatThrownBy(() -> atomically(bound -> {
                    bound.in(other.scope()).leases().acquire(WF_1, "worker", MINUTE);
                    bound.in(scope).leases().acquire(WF_1, "worker", MINUTE);
                    throw new IllegalStateException();
                }))
                .isInstanceOf(IllegalStateException.class);
        assertThat(other.picture() + watched.picture()).isEmpty();
    }
}
