package io.holdfast.repository.race;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.idempotency.Completion;
import io.holdfast.lease.Fence;
import io.holdfast.lease.Lease;
import io.holdfast.lease.LeaseKey;
import io.holdfast.lease.Loss;
import io.holdfast.lease.Renewal;
import io.holdfast.state.WorkflowRules;
import io.holdfast.state.WorkflowState;
import io.holdfast.workflow.Update;
import io.holdfast.workflow.Update.Updated;
import io.holdfast.workflow.Workflow;
import org.junit.jupiter.api.Test;

class UpdateFencedRaceTest extends FencedWriteRaces {

    UpdateFencedRaceTest(Race race) {
        super(race);
    }

    @Override
    Object write(Worker worker) {
        return worker.update();
    }

    @Override
    Object writeOther(Worker worker) {
        return worker.stores()
                .workflows()
                .updateFenced(
                        worker.read(), worker.otherCheckpoint(), worker.lease().fence());
    }

    @Test
    void aWriteThatWaitedLongerThanItsLeaseHadWhileTheHeartbeatWentOnIsWritten() {
        Worker worker = Worker.at(race, "wf");
        LeaseKey key = worker.lease().key();
        assertThat(race.outliving(key, worker.lease().fence(), "workflow", "wf", worker::update))
                .isInstanceOf(Updated.class);
    }

    @Test // the same fence, in two hands: whoever gives the lease back does so for both
    void aWriteThatWaitedForOneWithWhichTheLeaseWasGivenBackIsRefused() {
        Worker worker = Worker.at(race, "wf");
        Fence fence = worker.lease().fence();
        Caller first = race.caller();
        Workflow written = written(worker.in(first.stores).update());
        assertThat(first.stores.leases().release(worker.lease().key(), fence)).isTrue();
        WorkflowState next = WorkflowRules.checkpoint(written.state(), "planning", "e4", written.createdAt());
        Background<Update> waiting =
                race.inBackground(() -> race.stores.workflows().updateFenced(written, next, fence));
        race.awaitBlocked(waiting);
        String stood = first.commit();
        assertThat(waiting.result()).isEqualTo(new Update.FenceLost(Loss.NONE));
        race.assertStands(stood);
    }

    @Test // the release does not wait for the write; whoever is granted the lease next does
    void aWriteUnderALeaseThatWasReleasedWhileItWaitedComesBeforeAnyOtherGrant() {
        Worker worker = Worker.at(race, "wf");
        LeaseKey key = worker.lease().key();
        Rival rival = race.rival().lock("workflow", "wf");
        Background<Object> waiting = waiting(worker);
        assertThat(race.withoutWaiting(
                        () -> race.stores.leases().release(key, worker.lease().fence())))
                .isTrue();
        Background<Lease> successor = race.inBackground(() -> race.granted("wf", "b"));
        race.awaitBlocked(successor);
        rival.rollback();
        assertThat(written(waiting.result()).updatedAt())
                .isBefore(successor.result().grantedAt());
        assertThat(successor.result().fence().token()).isEqualTo(2);
    }

    @Test
    void twoFencedWritersThatBothGoOnToChangeTheLeaseDoNotDeadlock() {
        Worker worker = Worker.at(race, "wf");
        LeaseKey key = worker.lease().key();
        Fence fence = worker.lease().fence();
        Caller one = race.caller();
        Caller two = race.caller();
        assertThat(worker.in(one.stores).update()).isInstanceOf(Updated.class);
        assertThat(two.stores.idempotencyKeys().completeFenced(worker.claim(), Worker.OUTCOME, fence))
                .isInstanceOf(Completion.Done.class);
        // Both rely on the lease. Were that a lock that excludes changes, each would now wait for the other.
        Background<Boolean> ending =
                race.inBackground(one, () -> one.stores.leases().release(key, fence));
        race.awaitBlockedOrDone(ending);
        assertThat(ending.isDone()).as("released without waiting").isTrue();
        Background<Renewal> keeping =
                race.inBackground(two, () -> two.stores.leases().renew(key, fence));
        race.awaitBlocked(keeping);
        one.commit();
        assertThat(ending.result()).isTrue();
        assertThat(keeping.result()).isEqualTo(new Renewal.Lost(Loss.NONE));
        two.commit();
    }
}
