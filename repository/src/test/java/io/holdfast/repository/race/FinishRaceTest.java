package io.holdfast.repository.race;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.step.Finished;
import io.holdfast.step.StepResult.LeaseAfter;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class FinishRaceTest extends FencedWriteRaces {

    FinishRaceTest(Race race) {
        super(race);
    }

    @Override
    Object write(Worker worker) {
        return worker.finish();
    }

    @Override
    Object writeOther(Worker worker) {
        return worker.finish(worker.otherCheckpoint(), Worker.OUTCOME, LeaseAfter.KEEP);
    }

    @Test
    void aFinishThatWaitedForTheKeyPastTheEndOfTheLeaseIsRefused() {
        Worker worker = Worker.at(race, "wf");
        race.expireSoon("lease", "wf");
        Rival rival = race.rival().lock("idempotency_key", "wf:step");
        Background<Object> waiting = waiting(worker);
        race.awaitExpired("lease", "wf");
        assertRefused(waiting, rival, "FenceLost[reason=EXPIRED]");
    }

    // H10
    @Test
    void aKeyThatWasReservedAnewMeanwhileIsNotCompletedByItsFormerHolder() {
        Worker worker = Worker.at(race, "wf");
        Rival rival = race.rival().update("idempotency_key", "wf:step", "reservation = reservation + 1");
        assertRefused(waiting(worker), rival, "KeyConflict[field=RESERVATION]");
    }

    @Test
    void aKeyThatIsAnotherWorkflowsByNowIsNotCompleted() {
        Worker worker = Worker.at(race, "wf");
        Rival rival = race.rival()
                .update("idempotency_key", "wf:step", "reservation = reservation + 1, workflow_id = 'other'");
        assertRefused(waiting(worker), rival, "KeyConflict[field=WORKFLOW]");
    }

    @Test
    void aKeyThatWasCompletedMeanwhileKeepsItsOutcome() {
        Worker worker = Worker.at(race, "wf");
        Rival rival = race.rival()
                .update("idempotency_key", "wf:step", "status = 'completed', outcome = '" + Worker.OTHER_OUTCOME + "'");
        assertRefused(waiting(worker), rival, "KeyCompleted[outcome=" + Worker.OTHER_OUTCOME + "]");
    }

    @Test
    void aKeyThatWasRemovedMeanwhileIsNotFound() {
        Worker worker = Worker.at(race, "wf");
        Rival rival = race.rival().delete("idempotency_key", "wf:step");
        assertRefused(waiting(worker), rival, "KeyNotFound[]");
    }

    // H20
    @Test
    void aFinishWritesStateKeyAndLeaseTogether() {
        Worker worker = Worker.at(race, "wf");
        assertThat(verdict(worker.finish(worker.end(), Worker.OUTCOME, LeaseAfter.RELEASE)))
                .isEqualTo("Written");
        assertThat(race.value(
                        "select count(distinct xmin::text) from (select xmin from holdfast.workflow where scope = :scope"
                                + " union all select xmin from holdfast.idempotency_key where scope = :scope"
                                + " union all select xmin from holdfast.lease where scope = :scope) rows"))
                .as("transactions that wrote the three rows")
                .isEqualTo("1");
        assertThat(race.stores.leases().find(worker.lease().key())).isEmpty();
        assertThat(verdict(race.changingNothing(() -> worker.finish(worker.end(), Worker.OUTCOME, LeaseAfter.RELEASE))))
                .isEqualTo("AlreadyApplied");
    }

    @Test
    void twoFinishesOfOneWorkflowThatBothReleaseDoNotDeadlock() {
        for (int round = 0; round < 20; round++) {
            String id = "wf-" + round;
            Worker worker = Worker.at(race, id);
            CyclicBarrier start = new CyclicBarrier(2);
            List<Background<Finished>> calls = Stream.of(worker.checkpoint(), worker.otherCheckpoint())
                    .map(next -> race.inBackground(() -> {
                        start.await();
                        return worker.finish(next, Worker.OUTCOME, LeaseAfter.RELEASE);
                    }))
                    .toList();
            assertThat(calls.stream().map(Background::result).map(FencedWriteRaces::verdict))
                    .containsExactlyInAnyOrder("Written", "FenceLost[reason=NONE]");
        }
    }

    @Test
    void twoOpenTransactionsThatBothFinishDoNotDeadlock() {
        Worker worker = Worker.at(race, "wf");
        Caller one = race.caller();
        Caller two = race.caller();
        assertThat(verdict(worker.in(one.stores).finish())).isEqualTo("Written");
        Background<Finished> waiting =
                race.inBackground(two, () -> worker.in(two.stores).finish());
        race.awaitBlocked(waiting);
        one.commit();
        assertThat(verdict(waiting.result())).isEqualTo("AlreadyApplied");
        two.commit();
    }
}
