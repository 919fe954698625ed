package io.holdfast.repository.race;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.idempotency.KeepFor;
import io.holdfast.idempotency.Reservation;
import io.holdfast.lease.Lease;
import io.holdfast.step.Finished;
import io.holdfast.step.Step;
import io.holdfast.step.StepResult;
import io.holdfast.step.StepResult.LeaseAfter;
import org.junit.jupiter.api.Test;

class StepRaceTest extends FencedWriteRaces {

    StepRaceTest(Race race) {
        super(race);
    }

    @Override
    Object write(Worker worker) {
        return worker.whole();
    }

    @Override
    Object writeOther(Worker worker) {
        return worker.whole(worker.otherCheckpoint(), Worker.OUTCOME);
    }

    /** A step whose key nobody has reserved. */
    private Finished fresh(Worker worker) {
        return fresh(worker, KeepFor.DEFAULT);
    }

    private Finished fresh(Worker worker, KeepFor keepFor) {
        return race.stores
                .steps()
                .step(
                        new Step("wf", "fresh", "req", keepFor),
                        new StepResult(worker.read(), worker.checkpoint(), Worker.OUTCOME, LeaseAfter.RELEASE),
                        worker.lease().fence());
    }

    @Test
    void aStepOnAFreshKeyAndARevisionThatRoseMeanwhileIsAConflict() {
        Worker worker = Worker.at(race, "wf");
        Rival rival = race.rival().update("workflow", "wf", "revision = revision + 1, snapshot = snapshot || ' '");
        Background<Finished> waiting = waitingFresh(worker);
        String stood = rival.commit();
        assertThat(verdict(waiting.result())).isEqualTo("RevisionConflict[actual=2]");
        race.assertStands(stood);
    }

    @Test
    void aStepOnAFreshKeyThatWaitedForARestartOfItsOwnerIsRefused() {
        Worker worker = Worker.at(race, "wf");
        Caller restarted = race.caller();
        Race.granted(restarted.stores.leases().acquire(worker.lease().key(), "a", Race.TTL));
        Background<Finished> waiting = waitingFresh(worker);
        String stood = restarted.commit();
        assertThat(verdict(waiting.result())).isEqualTo("FenceLost[reason=SUPERSEDED]");
        race.assertStands(stood);
    }

    private Background<Finished> waitingFresh(Worker worker) {
        Background<Finished> waiting = race.inBackground(() -> fresh(worker));
        race.awaitBlocked(waiting);
        return waiting;
    }

    @Test
    void aStepThatWaitedForARivalsInsertOfItsKeyLearnsOfItAndWritesNothing() {
        Worker worker = Worker.at(race, "wf");
        Caller rival = race.caller();
        rival.stores.idempotencyKeys().reserve("fresh", "rival", "wf-r", KeepFor.DEFAULT);
        Background<Finished> waiting = waitingFresh(worker);
        String stood = rival.commit();
        assertThat(verdict(waiting.result())).isEqualTo("KeyConflict[field=REQUEST]");
        race.assertStands(stood);
    }

    @Test
    void aStepThatWaitedForARivalsInsertThatWasRolledBackIsWritten() {
        Worker worker = Worker.at(race, "wf");
        Caller rival = race.caller();
        rival.stores.idempotencyKeys().reserve("fresh", "rival", "wf-r", KeepFor.DEFAULT);
        Background<Finished> waiting = waitingFresh(worker);
        rival.rollback();
        assertThat(verdict(waiting.result())).isEqualTo("Written");
        assertThat(race.stores.idempotencyKeys().find("fresh").orElseThrow().isCompleted())
                .isTrue();
        assertThat(race.stores.leases().find(worker.lease().key())).isEmpty();
    }

    @Test
    void aKeyThatWaitedForARivalsLostInsertHasItsWholeTime() {
        Worker worker = Worker.at(race, "wf");
        Caller rival = race.caller();
        rival.stores.idempotencyKeys().reserve("fresh", "rival", "wf-r", KeepFor.DEFAULT);
        Finished answer = race.afterALostInsert(rival, () -> fresh(worker, KeepFor.of(Race.TWO_SECONDS)));
        race.assertWhole("idempotency_key", "fresh");
        assertThat(verdict(answer)).isEqualTo("Written");
    }

    @Test
    void twoStepsOnOneFreshKeyAreWrittenOnce() {
        Worker worker = Worker.at(race, "wf");
        Caller first = race.caller();
        assertThat(verdict(first.stores
                        .steps()
                        .step(
                                new Step("wf", "fresh", "req"),
                                new StepResult(worker.read(), worker.checkpoint(), Worker.OUTCOME, LeaseAfter.RELEASE),
                                worker.lease().fence())))
                .isEqualTo("Written");
        Background<Finished> waiting = waitingFresh(worker);
        String stood = first.commit();
        assertThat(verdict(waiting.result())).isEqualTo("AlreadyApplied");
        race.assertStands(stood);
    }

    @Test
    void aStepOnAFreshKeyThatWaitedForTheLeasePastItsEndIsRefused() {
        Worker worker = Worker.at(race, "wf");
        race.expireSoon("lease", "wf");
        Rival rival = race.rival().lock("lease", "wf");
        Background<Finished> waiting = waitingFresh(worker);
        race.awaitExpired("lease", "wf");
        String stood = rival.commit();
        assertThat(verdict(waiting.result())).isEqualTo("FenceLost[reason=EXPIRED]");
        race.assertStands(stood);
    }

    @Test
    void aStepOnAFreshKeyThatWaitedForTheStatePastTheEndOfTheLeaseIsRefused() {
        Worker worker = Worker.at(race, "wf");
        race.expireSoon("lease", "wf");
        Rival rival = race.rival().lock("workflow", "wf");
        Background<Finished> waiting = waitingFresh(worker);
        race.awaitExpired("lease", "wf");
        String stood = rival.commit();
        assertThat(verdict(waiting.result())).isEqualTo("FenceLost[reason=EXPIRED]");
        race.assertStands(stood);
    }

    @Test
    void aStepWhoseStateAnotherWroteWithoutItsKeyIsAConflict() {
        Worker worker = Worker.at(race, "wf");
        Caller operator = race.caller();
        operator.stores.workflows().update(worker.read(), worker.checkpoint());
        Background<Finished> waiting = waitingFresh(worker);
        String stood = operator.commit();
        assertThat(verdict(waiting.result())).isEqualTo("RevisionConflict[actual=2]");
        race.assertStands(stood);
    }

    @Test
    void aStepThatWaitedForTheKeyPastTheEndOfTheLeaseIsRefused() {
        Worker worker = Worker.at(race, "wf");
        race.expireSoon("lease", "wf");
        Rival rival = race.rival().lock("idempotency_key", "wf:step");
        Background<Object> waiting = waiting(worker);
        race.awaitExpired("lease", "wf");
        assertRefused(waiting, rival, "FenceLost[reason=EXPIRED]");
    }

    @Test
    void aKeyThatIsAnotherRequestsByNowIsNotCompleted() {
        Worker worker = Worker.at(race, "wf");
        Rival rival = race.rival()
                .update("idempotency_key", "wf:step", "reservation = reservation + 1, request_id = 'other'");
        assertRefused(waiting(worker), rival, "KeyConflict[field=REQUEST]");
    }

    @Test
    void aKeyThatWasCompletedMeanwhileKeepsItsOutcome() {
        Worker worker = Worker.at(race, "wf");
        Rival rival = race.rival()
                .update("idempotency_key", "wf:step", "status = 'completed', outcome = '" + Worker.OTHER_OUTCOME + "'");
        assertRefused(waiting(worker), rival, "KeyCompleted[outcome=" + Worker.OTHER_OUTCOME + "]");
    }

    @Test
    void aKeyThatWasRemovedMeanwhileIsStoredAnew() {
        Worker worker = Worker.at(race, "wf");
        Rival rival = race.rival().delete("idempotency_key", "wf:step");
        Background<Object> waiting = waiting(worker);
        rival.commit();
        assertThat(verdict(waiting.result())).isEqualTo("Written");
        assertThat(race.stores.idempotencyKeys().find("wf:step").orElseThrow().isCompleted())
                .isTrue();
    }

    @Test
    void aKeyOfAnotherRequestThatWasRemovedMeanwhileIsNoConflict() {
        Worker worker = Worker.at(race, "wf");
        Rival rival = race.rival().delete("idempotency_key", "wf:step");
        Background<Finished> waiting = race.inBackground(() -> race.stores
                .steps()
                .step(
                        new Step("wf", "wf:step", "another"),
                        new StepResult(worker.read(), worker.checkpoint(), Worker.OUTCOME, LeaseAfter.RELEASE),
                        worker.lease().fence()));
        race.awaitBlockedOrDone(waiting);
        rival.commit();
        assertThat(verdict(waiting.result())).isEqualTo("Written");
    }

    @Test
    void aKeyOfAnotherWorkflowThatIsJustBeingRenewedIsKept() {
        Worker worker = Worker.at(race, "wf");
        Lease other = race.granted("other", "x");
        race.stores.idempotencyKeys().reserve("fresh", "other", "other", KeepFor.DEFAULT);
        race.expire("idempotency_key", "fresh");
        race.sql("update holdfast.lease set granted_at = granted_at - interval '1 hour' where scope = :scope");
        race.expireSoon("lease", "other");
        Caller renewing = race.caller();
        renewing.stores.leases().renew(other.key(), other.fence());
        race.awaitExpired("lease", "other");
        Background<Finished> call = race.inBackground(() -> fresh(worker));
        race.awaitBlockedOrDone(call);
        String stood = renewing.commit();
        assertThat(verdict(call.result())).isEqualTo("KeyConflict[field=REQUEST]");
        race.assertStands(stood);
    }

    @Test
    void aKeyOfAnotherWorkflowWhoseLeaseIsDeadLapses() {
        Worker worker = Worker.at(race, "wf");
        race.granted("other", "x");
        Reservation former = race.stores.idempotencyKeys().reserve("fresh", "other", "other", KeepFor.DEFAULT);
        race.expire("idempotency_key", "fresh");
        race.expire("lease", "other");
        assertThat(verdict(fresh(worker))).isEqualTo("Written");
        assertThat(race.stores
                        .idempotencyKeys()
                        .find("fresh")
                        .orElseThrow()
                        .claim()
                        .reservation())
                .isEqualTo(former.key().claim().reservation() + 1);
    }
}
