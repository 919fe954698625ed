package io.holdfast.repository.race;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cleanup.Cutoff;
import io.holdfast.cleanup.Removed;
import io.holdfast.idempotency.KeepFor;
import io.holdfast.lease.Lease;
import io.holdfast.repository.Stores;
import io.holdfast.step.StepResult.LeaseAfter;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(Race.Parameter.class)
class CleanupRaceTest {

    private static final Removed NOTHING = new Removed(0, 0, 0);

    private final Race race;

    CleanupRaceTest(Race race) {
        this.race = race;
    }

    private static Removed pass(Stores stores, int limit) {
        return stores.cleanup().pass(new Cutoff(Duration.ZERO, Duration.ZERO, limit));
    }

    private Background<Removed> passing() {
        Background<Removed> pass = race.inBackground(() -> pass(race.stores, 100));
        race.awaitBlockedOrDone(pass);
        return pass;
    }

    // H07
    @Test
    void aLeaseThatIsJustBeingRenewedStays() {
        Lease lease = race.granted("wf", "a");
        race.expireSoon("lease", "wf");
        Caller renewing = race.caller();
        renewing.stores.leases().renew(lease.key(), lease.fence());
        race.awaitExpired("lease", "wf");
        Background<Removed> pass = passing();
        String stood = renewing.commit();
        assertThat(pass.result()).isEqualTo(NOTHING);
        race.assertStands(stood);
        assertThat(pass(race.stores, 100)).isEqualTo(NOTHING);
    }

    // H07
    @Test
    void aLeaseThatIsJustBeingTakenOverStays() {
        race.granted("wf", "a");
        race.expire("lease", "wf");
        Caller taking = race.caller();
        taking.stores.leases().acquire(race.key("wf"), "b", Race.TTL);
        Background<Removed> pass = passing();
        String stood = taking.commit();
        assertThat(pass.result()).isEqualTo(NOTHING);
        race.assertStands(stood);
        assertThat(pass(race.stores, 100)).isEqualTo(NOTHING);
    }

    @Test
    void aPassWaitsForNobodyWhateverIsLocked() {
        Worker worker = Worker.at(race, "wf");
        worker.finish(worker.end(), Worker.OUTCOME, LeaseAfter.RELEASE);
        race.expire("idempotency_key", "wf:step");
        race.rival()
                .lock("workflow", "wf")
                .lock("idempotency_key", "wf:step")
                .lock("lease", "wf")
                .run("select from holdfast.lease_floor where scope = :scope for update");
        assertThat(race.changingNothing(() -> race.withoutWaiting(() -> pass(race.stores, 100))))
                .isEqualTo(NOTHING);
    }

    /** An acquire has read the floor and is about to insert above it: the floor must not rise in between. */
    @Test
    void aFirstGrantThatIsUnderWayPutsAPurgeOff() {
        race.granted("old", "a");
        race.expire("lease", "old");
        Caller acquiring = race.caller();
        Race.granted(acquiring.stores.leases().acquire(race.key("new"), "b", Race.TTL));
        assertThat(race.changingNothing(() -> race.withoutWaiting(() -> pass(race.stores, 100))))
                .isEqualTo(NOTHING);
        acquiring.commit();
        assertThat(pass(race.stores, 100)).isEqualTo(new Removed(0, 0, 1));
    }

    @Test
    void theFloorRisesToTheHighestTokenThatGoes() {
        race.granted("wf-1", "a");
        race.granted("wf-2", "a");
        race.granted("wf-2", "a");
        race.granted("wf-2", "a");
        race.expire("lease", "wf-1");
        race.expire("lease", "wf-2");
        assertThat(pass(race.stores, 100)).isEqualTo(new Removed(0, 0, 2));
        assertThat(race.granted("wf-1", "b").fence().token()).isEqualTo(4);
        assertThat(race.granted("wf-2", "b").fence().token()).isEqualTo(4);
    }

    // H07
    @Test
    void aKeyThatIsJustBeingCompletedStays() {
        Worker worker = Worker.at(race, "wf");
        race.expire("idempotency_key", "wf:step");
        Caller completing = race.caller();
        completing.stores.idempotencyKeys().complete(worker.claim(), Worker.OUTCOME);
        Background<Removed> pass = passing();
        String stood = completing.commit();
        assertThat(pass.result()).isEqualTo(NOTHING);
        race.assertStands(stood);
        assertThat(pass(race.stores, 100)).isEqualTo(NOTHING);
    }

    @Test
    void aKeyThatIsJustBeingReservedAnewStays() {
        Worker.at(race, "wf");
        race.expire("idempotency_key", "wf:step");
        Caller reserving = race.caller();
        reserving.stores.idempotencyKeys().reserve("wf:step", "other", "wf-2", KeepFor.DEFAULT);
        Background<Removed> pass = passing();
        String stood = reserving.commit();
        assertThat(pass.result()).isEqualTo(NOTHING);
        race.assertStands(stood);
    }

    /** Its lease has expired as far as anybody can see, but who has it locked may be renewing it. */
    @Test
    void aKeyWhoseWorkflowIsJustBeingRenewedStays() {
        Worker worker = Worker.at(race, "wf");
        race.expire("idempotency_key", "wf:step");
        race.sql("update holdfast.lease set granted_at = granted_at - interval '1 hour' where scope = :scope");
        race.expireSoon("lease", "wf");
        Caller renewing = race.caller();
        renewing.stores.leases().renew(worker.lease().key(), worker.lease().fence());
        race.awaitExpired("lease", "wf");
        Background<Removed> pass = passing();
        String stood = renewing.commit();
        assertThat(pass.result()).isEqualTo(NOTHING);
        race.assertStands(stood);
    }

    // D-26
    @Test
    void aKeyWhoseWorkflowIsAtWorkSinceBeforeItExpiredStays() {
        Worker.at(race, "wf");
        race.expire("idempotency_key", "wf:step");
        race.sql("update holdfast.lease set granted_at = granted_at - interval '1 hour' where scope = :scope");
        assertThat(race.changingNothing(() -> pass(race.stores, 100))).isEqualTo(NOTHING);
        race.expire("lease", "wf");
        assertThat(pass(race.stores, 100)).isEqualTo(new Removed(0, 1, 1));
    }

    // H46
    @Test
    void twoCleanersShareTheWork() {
        for (int i = 0; i < 10; i++) {
            Worker worker = Worker.at(race, "wf-" + i);
            worker.finish(worker.end(), Worker.OUTCOME, LeaseAfter.RELEASE);
            race.expire("idempotency_key", "wf-" + i + ":step");
        }
        Caller first = race.caller();
        assertThat(pass(first.stores, 5)).isEqualTo(new Removed(5, 5, 5));
        assertThat(race.withoutWaiting(() -> pass(race.stores, 100)))
                .as("the other half; leases are purged by one at a time")
                .isEqualTo(new Removed(5, 5, 0));
        first.commit();
        assertThat(pass(race.stores, 100)).isEqualTo(new Removed(0, 0, 5));
        assertThat(race.dump()).doesNotContain("workflow").startsWith("lease_floor");
    }

    // H46
    @Test
    void aRowThatSomebodyElseIsRemovingKeepsNoOtherFromBeingRemoved() {
        for (int i = 0; i < 5; i++) {
            race.stores.workflows().create(Worker.running("wf-" + i), Map.of());
        }
        race.sql("update holdfast.workflow set status = 'closed' where scope = :scope");
        race.rival().delete("workflow", "wf-2");
        assertThat(race.withoutWaiting(() -> pass(race.stores, 100))).isEqualTo(new Removed(4, 0, 0));
    }
}
