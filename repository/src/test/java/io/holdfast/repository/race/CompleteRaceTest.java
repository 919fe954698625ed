package io.holdfast.repository.race;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.idempotency.Binding;
import io.holdfast.idempotency.Completion;
import io.holdfast.idempotency.Completion.AlreadyCompleted;
import io.holdfast.idempotency.Completion.Conflict;
import io.holdfast.idempotency.Completion.Done;
import io.holdfast.idempotency.Completion.FenceLost;
import io.holdfast.idempotency.KeepFor;
import io.holdfast.lease.Lease;
import io.holdfast.lease.Loss;
import io.holdfast.lease.Renewal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(Race.Parameter.class)
class CompleteRaceTest {

    private static final String KEY = "wf:step";

    private final Race race;

    CompleteRaceTest(Race race) {
        this.race = race;
    }

    private Background<Completion> completing(Worker worker) {
        return blocked(race.inBackground(() -> race.stores.idempotencyKeys().complete(worker.claim(), Worker.OUTCOME)));
    }

    private Background<Completion> completingFenced(Worker worker) {
        return blocked(race.inBackground(() -> fenced(worker)));
    }

    private static Completion fenced(Worker worker) {
        return worker.stores()
                .idempotencyKeys()
                .completeFenced(worker.claim(), Worker.OUTCOME, worker.lease().fence());
    }

    private Background<Completion> blocked(Background<Completion> call) {
        race.awaitBlockedOrDone(call);
        return call;
    }

    private void assertRefused(Background<Completion> call, Rival rival, Completion answer) {
        String stood = rival.commit();
        assertThat(call.result()).isEqualTo(answer);
        race.assertStands(stood);
    }

    @Test
    void aCompletionThatWaitedLongerThanItsLeaseHadWhileTheHeartbeatWentOnIsMade() {
        Worker worker = Worker.at(race, "wf");
        Lease lease = worker.lease();
        assertThat(race.outliving(lease.key(), lease.fence(), "idempotency_key", KEY, () -> fenced(worker)))
                .isInstanceOf(Done.class);
    }

    // H10
    @Test
    void aKeyThatWasReservedAnewMeanwhileIsNotCompletedByItsFormerHolder() {
        Worker worker = Worker.at(race, "wf");
        race.expire("idempotency_key", KEY);
        race.expire("lease", "wf");
        Caller rival = race.caller();
        rival.stores.idempotencyKeys().reserve(KEY, "req", "wf", KeepFor.DEFAULT);
        Background<Completion> waiting = completing(worker);
        String stood = rival.commit();
        assertThat(waiting.result()).isEqualTo(new Conflict(Binding.RESERVATION));
        race.assertStands(stood);
    }

    // H09
    @Test
    void aKeyThatIsAnotherWorkflowsByNowIsNotCompleted() {
        Worker worker = Worker.at(race, "wf");
        Rival rival = race.rival().update("idempotency_key", KEY, "workflow_id = 'other'");
        assertRefused(completing(worker), rival, new Conflict(Binding.WORKFLOW));
    }

    @Test
    void aKeyThatWasRemovedMeanwhileIsNotFound() {
        Worker worker = Worker.at(race, "wf");
        Rival rival = race.rival().delete("idempotency_key", KEY);
        assertRefused(completing(worker), rival, new Completion.NotFound());
    }

    @Test
    void ofTwoOutcomesTheFirstStands() {
        Worker worker = Worker.at(race, "wf");
        Caller rival = race.caller();
        rival.stores.idempotencyKeys().complete(worker.claim(), Worker.OTHER_OUTCOME);
        Background<Completion> waiting = completing(worker);
        String stood = rival.commit();
        assertThat(waiting.result()).isInstanceOfSatisfying(AlreadyCompleted.class, answer -> {
            assertThat(answer.same()).isFalse();
            assertThat(answer.key().outcome()).contains(Worker.OTHER_OUTCOME);
        });
        race.assertStands(stood);
    }

    @Test
    void aTwinThatWaitedForTheFirstHearsThatItWasTheSame() {
        Worker worker = Worker.at(race, "wf");
        Caller rival = race.caller();
        rival.stores.idempotencyKeys().complete(worker.claim(), Worker.OUTCOME);
        Background<Completion> waiting = completing(worker);
        String stood = rival.commit();
        assertThat(waiting.result())
                .isInstanceOfSatisfying(
                        AlreadyCompleted.class,
                        answer -> assertThat(answer.same()).isTrue());
        race.assertStands(stood);
    }

    @Test
    void aCompletionThatWaitedForTheKeyPastTheEndOfTheLeaseIsRefused() {
        Worker worker = Worker.at(race, "wf");
        race.expireSoon("lease", "wf");
        Rival rival = race.rival().lock("idempotency_key", KEY);
        Background<Completion> waiting = completingFenced(worker);
        race.awaitExpired("lease", "wf");
        assertRefused(waiting, rival, new FenceLost(Loss.EXPIRED));
    }

    @Test
    void aCompletionThatWaitedForATakeoverIsRefused() {
        Worker worker = Worker.at(race, "wf");
        race.expire("lease", "wf");
        assertSuperseded(worker, "b");
    }

    @Test
    void aCompletionThatWaitedForARestartOfItsOwnerIsRefused() {
        assertSuperseded(Worker.at(race, "wf"), "a");
    }

    private void assertSuperseded(Worker worker, String owner) {
        Caller successor = race.caller();
        Race.granted(successor.stores.leases().acquire(worker.lease().key(), owner, Race.TTL));
        Background<Completion> waiting = completingFenced(worker);
        String stood = successor.commit();
        assertThat(waiting.result()).isEqualTo(new FenceLost(Loss.SUPERSEDED));
        race.assertStands(stood);
    }

    @Test
    void aCompletionThatWaitsForTheKeyCannotBeOvertakenByATakeover() {
        Worker worker = Worker.at(race, "wf");
        Rival rival = race.rival().lock("idempotency_key", KEY);
        Background<Completion> waiting = completingFenced(worker);
        Background<Lease> successor = race.inBackground(() -> race.granted("wf", "a"));
        race.awaitBlockedOrDone(successor);
        rival.rollback();
        assertThat(waiting.result())
                .isInstanceOfSatisfying(
                        Done.class,
                        done -> assertThat(done.key().updatedAt())
                                .as("completed under token 1 before token 2 was granted")
                                .isBefore(successor.result().grantedAt()));
    }

    @Test
    void aHeartbeatRunsDuringAnOpenFencedCompletion() {
        Worker worker = Worker.at(race, "wf");
        Caller business = race.caller();
        assertThat(fenced(worker.in(business.stores))).isInstanceOf(Done.class);
        assertThat(race.withoutWaiting(() -> race.stores
                        .leases()
                        .renew(worker.lease().key(), worker.lease().fence())))
                .isInstanceOf(Renewal.Renewed.class);
        business.commit();
    }
}
