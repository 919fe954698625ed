package io.holdfast.repository.race;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.workflow.Update;
import io.holdfast.workflow.Update.Updated;
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
    void twoFencedWritersOfOneLeaseThatBothFinishDoNotDeadlock() {
        Worker worker = Worker.at(race, "wf");
        Caller one = race.caller();
        Caller two = race.caller();
        assertThat(worker.in(one.stores).update()).isInstanceOf(Updated.class);
        Background<Update> waiting = race.inBackground(two, () -> worker.in(two.stores).update());
        race.awaitBlocked(waiting);
        // Each has relied on the lease, and now each ends it: with locks that are upgraded this would be a deadlock.
        assertThat(race.withoutWaiting(() -> race.stores
                        .leases()
                        .renew(worker.lease().key(), worker.lease().fence())))
                .isNotNull();
        one.commit();
        assertThat(waiting.result()).isInstanceOf(Update.AlreadyApplied.class);
        two.commit();
    }
}
