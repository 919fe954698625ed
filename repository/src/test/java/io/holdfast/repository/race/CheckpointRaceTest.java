package io.holdfast.repository.race;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.checkpoint.CheckpointCreation;
import io.holdfast.checkpoint.CheckpointStatus;
import io.holdfast.checkpoint.Purged;
import io.holdfast.checkpoint.Saving;
import io.holdfast.cleanup.Cutoff;
import io.holdfast.lease.Lease;
import io.holdfast.lease.LeaseKey;
import io.holdfast.lease.Loss;
import io.holdfast.lease.Renewal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Savers of one run against each other, against the end of the lease, the end of the run, and its purge. */
@ExtendWith(Race.Parameter.class)
class CheckpointRaceTest {

    private static final LeaseKey RUN = LeaseKey.ofRun("r");

    private final Race race;

    CheckpointRaceTest(Race race) {
        this.race = race;
    }

    private <T> Background<T> begun(Callable<T> call) {
        Background<T> background = race.inBackground(call);
        race.awaitBlockedOrDone(background);
        return background;
    }

    private Background<Saving> waiting(Saver saver) {
        Background<Saving> waiting = race.inBackground(saver::save);
        race.awaitBlocked(waiting);
        return waiting;
    }

    private Purged purge() {
        return race.stores.checkpoints().purge(Duration.ZERO, 0, 10);
    }

    private void assertRefused(Background<Saving> waiting, Rival rival, Saving answer) {
        String stood = rival.commit();
        assertThat(waiting.result()).isEqualTo(answer);
        race.assertStands(stood);
    }

    private long revision() {
        return race.stores.checkpoints().find("r").orElseThrow().revision();
    }

    @Test
    void aSaveThatWaitedLongerThanItsLeaseHadWhileTheHeartbeatWentOnIsSaved() {
        Saver saver = Saver.at(race, "r");
        assertThat(race.outliving(RUN, saver.lease().fence(), "checkpoint", "r", saver::save))
                .isInstanceOf(Saving.Saved.class);
    }

    @Test
    void ofTwoSaversOfOneRevisionTheSecondIsAConflict() {
        Saver saver = Saver.at(race, "r");
        Caller first = race.caller();
        assertThat(saver.in(first.stores).saveOther()).isInstanceOf(Saving.Saved.class);
        Background<Saving> waiting = waiting(saver);
        String stood = first.commit();
        assertThat(waiting.result()).isEqualTo(new Saving.RevisionConflict(2));
        race.assertStands(stood);
    }

    @Test
    void anIdenticalOneThatWaitedForTheFirstHearsThatItIsSaved() {
        Saver saver = Saver.at(race, "r");
        Caller first = race.caller();
        Saving saved = saver.in(first.stores).save();
        Background<Saving> waiting = waiting(saver);
        String stood = first.commit();
        assertThat(waiting.result()).isEqualTo(new Saving.AlreadySaved(((Saving.Saved) saved).saved()));
        race.assertStands(stood);
    }

    @Test
    void ofManyIdenticalAtOnceOneIsSaved() {
        Saver saver = Saver.at(race, "r");
        CyclicBarrier start = new CyclicBarrier(16);
        List<Background<Saving>> calls = IntStream.range(0, 16)
                .mapToObj(i -> race.inBackground(() -> {
                    start.await();
                    return saver.save();
                }))
                .toList();
        List<Saving> answers = calls.stream().map(Background::result).toList();
        assertThat(answers).filteredOn(Saving.Saved.class::isInstance).hasSize(1);
        assertThat(answers).filteredOn(Saving.AlreadySaved.class::isInstance).hasSize(15);
        assertThat(revision()).isEqualTo(2);
        assertThat(race.stores.checkpoints().history("r", 0, 10)).hasSize(1);
    }

    @Test
    void aSaveThatWaitedForATakeoverIsRefused() {
        Saver saver = Saver.at(race, "r");
        race.expire("lease", "r");
        Caller rival = race.caller();
        Race.granted(rival.stores.leases().acquire(RUN, "b", Race.TTL));
        Background<Saving> waiting = waiting(saver);
        String stood = rival.commit();
        assertThat(waiting.result()).isEqualTo(new Saving.FenceLost(Loss.SUPERSEDED));
        race.assertStands(stood);
    }

    @Test
    void aSaveThatWaitedForARestartOfItsOwnerIsRefused() {
        Saver saver = Saver.at(race, "r");
        Caller restarted = race.caller();
        Race.granted(restarted.stores.leases().acquire(RUN, "a", Race.TTL));
        Background<Saving> waiting = waiting(saver);
        String stood = restarted.commit();
        assertThat(waiting.result()).isEqualTo(new Saving.FenceLost(Loss.SUPERSEDED));
        race.assertStands(stood);
    }

    @Test
    void aSaveThatWaitsForTheRunCannotBeOvertakenByATakeover() {
        Saver saver = Saver.at(race, "r");
        Rival rival = race.rival().lock("checkpoint", "r");
        Background<Saving> waiting = waiting(saver);
        Background<Lease> successor =
                begun(() -> Race.granted(race.stores.leases().acquire(RUN, "a", Race.TTL)));
        rival.rollback();
        assertThat(waiting.result())
                .isInstanceOfSatisfying(
                        Saving.Saved.class,
                        saved -> assertThat(saved.saved().updatedAt())
                                .as("saved under token 1 before token 2 was granted")
                                .isBefore(successor.result().grantedAt()));
        assertThat(successor.result().fence().token()).isEqualTo(2);
    }

    @Test
    void aSaveThatWaitedForTheRunPastTheEndOfTheLeaseIsRefused() {
        Saver saver = Saver.at(race, "r");
        race.expireSoon("lease", "r");
        Rival rival = race.rival().lock("checkpoint", "r");
        Background<Saving> waiting = waiting(saver);
        race.awaitExpired("lease", "r");
        assertRefused(waiting, rival, new Saving.FenceLost(Loss.EXPIRED));
    }

    @Test
    void aSaveThatWaitedForTheLeasePastItsEndIsRefused() {
        Saver saver = Saver.at(race, "r");
        race.expireSoon("lease", "r");
        Rival rival = race.rival().lock("lease", "r");
        Background<Saving> waiting = waiting(saver);
        race.awaitExpired("lease", "r");
        assertRefused(waiting, rival, new Saving.FenceLost(Loss.EXPIRED));
    }

    @Test
    void aSaveThatWaitedForAPurgeOfTheLeaseIsRefused() {
        Saver saver = Saver.at(race, "r");
        race.expire("lease", "r");
        Caller rival = race.caller();
        assertThat(rival.stores
                        .cleanup()
                        .pass(new Cutoff(Duration.ZERO, Duration.ZERO, 10))
                        .leases())
                .isEqualTo(1);
        Background<Saving> waiting = waiting(saver);
        String stood = rival.commit();
        assertThat(waiting.result()).isEqualTo(new Saving.FenceLost(Loss.NONE));
        race.assertStands(stood);
    }

    @Test
    void aSaveUnderALeaseThatWasRenewedMeanwhileIsSaved() {
        Saver saver = Saver.at(race, "r");
        race.expireSoon("lease", "r");
        Rival rival = race.rival()
                .lock("lease", "r")
                .update("lease", "r", "expires_at = clock_timestamp() + interval '1 minute'");
        Background<Saving> waiting = waiting(saver);
        race.awaitExpired("lease", "r");
        rival.commit();
        assertThat(waiting.result()).isInstanceOf(Saving.Saved.class);
    }

    @Test
    void aHeartbeatRunsDuringAnOpenSave() {
        Saver saver = Saver.at(race, "r");
        Caller saving = race.caller();
        assertThat(saver.in(saving.stores).save()).isInstanceOf(Saving.Saved.class);
        assertThat(race.withoutWaiting(
                        () -> race.stores.leases().renew(RUN, saver.lease().fence())))
                .isInstanceOf(Renewal.Renewed.class);
        saving.commit();
    }

    @Test // 2.10 2: a late write
    void aSaveThatWaitedForTheEndOfTheRunComesTooLate() {
        Saver saver = Saver.at(race, "r");
        Caller ending = race.caller();
        assertThat(saver.in(ending.stores).complete()).isInstanceOf(Saving.Saved.class);
        Background<Saving> waiting = waiting(saver);
        String stood = ending.commit();
        assertThat(waiting.result()).isEqualTo(new Saving.Finished(CheckpointStatus.COMPLETED));
        race.assertStands(stood);
    }

    @Test
    void theEndThatWaitedForASaveIsAConflict() {
        Saver saver = Saver.at(race, "r");
        Caller saving = race.caller();
        saver.in(saving.stores).save();
        Background<Saving> ending = begun(saver::complete);
        String stood = saving.commit();
        assertThat(ending.result()).isEqualTo(new Saving.RevisionConflict(2));
        race.assertStands(stood);
    }

    @Test
    void anOperatorThatWaitedForASaveOverrulesNothingUnseen() {
        Saver saver = Saver.at(race, "r");
        Caller saving = race.caller();
        saver.in(saving.stores).save();
        Background<Saving> overruling = begun(saver::abandon);
        String stood = saving.commit();
        assertThat(overruling.result()).isEqualTo(new Saving.RevisionConflict(2));
        race.assertStands(stood);
    }

    @Test
    void anOperatorDoesNotWaitForTheLease() {
        Saver saver = Saver.at(race, "r");
        race.rival().lock("lease", "r");
        assertThat(race.withoutWaiting(saver::abandon)).isInstanceOf(Saving.Saved.class);
    }

    @Test // 2.10 3
    void aSaveThatWaitedForAPurgeOfTheRunRevivesNothing() {
        Saver saver = Saver.at(race, "r");
        race.stores.leases().release(RUN, saver.lease().fence());
        assertThat(saver.abandon()).isInstanceOf(Saving.Saved.class);
        Caller purging = race.caller();
        assertThat(purging.stores.checkpoints().purge(Duration.ZERO, 0, 10)).isEqualTo(new Purged(1, 2));
        Background<Saving> waiting = waiting(saver);
        String stood = purging.commit();
        assertThat(waiting.result()).isEqualTo(new Saving.NotFound());
        race.assertStands(stood);
    }

    @Test
    void aRunThatWasPurgedAndMadeAnewMeanwhileIsAnother() {
        Saver saver = Saver.at(race, "r");
        Caller rival = race.caller().run("delete from holdfast.checkpoint where scope = :scope");
        assertThat(Saver.create(rival.stores, "r", "first")).isInstanceOf(CheckpointCreation.Created.class);
        Background<Saving> waiting = waiting(saver);
        String stood = rival.commit();
        assertThat(waiting.result()).isEqualTo(new Saving.NotFound());
        race.assertStands(stood);
        assertThat(race.changingNothing(saver::save)).isEqualTo(new Saving.NotFound());
    }

    @Test
    void aPurgeDoesNotTakeARunThatIsJustEnding() {
        Saver saver = Saver.at(race, "r");
        race.stores.leases().release(RUN, saver.lease().fence());
        Caller ending = race.caller();
        saver.in(ending.stores).abandon();
        assertThat(race.changingNothing(() -> race.withoutWaiting(this::purge))).isEqualTo(new Purged(0, 0));
        ending.commit();
        assertThat(purge()).isEqualTo(new Purged(1, 2));
    }

    @Test
    void aPurgeTakesOnlyWhatHasEnded() {
        Saver saver = Saver.at(race, "r");
        race.stores.leases().release(RUN, saver.lease().fence());
        assertThat(race.changingNothing(this::purge)).isEqualTo(new Purged(0, 0));
    }

    @Test
    void aPurgeWaitsForNobody() {
        Saver saver = Saver.at(race, "r");
        race.stores.leases().release(RUN, saver.lease().fence());
        saver.abandon();
        Rival rival = race.rival().lock("checkpoint", "r");
        assertThat(race.changingNothing(() -> race.withoutWaiting(this::purge))).isEqualTo(new Purged(0, 0));
        rival.rollback();
        assertThat(purge()).isEqualTo(new Purged(1, 2));
    }

    @Test
    void aPurgeLeavesAloneWhatSomebodyHolds() {
        Saver saver = Saver.at(race, "r");
        saver.complete();
        assertThat(race.changingNothing(this::purge)).isEqualTo(new Purged(0, 0));
    }

    @Test
    void aTwinThatWaitedForTheFirstIsAlreadyCreated() {
        Caller first = race.caller();
        CheckpointCreation created = Saver.create(first.stores, "r", "first");
        Background<CheckpointCreation> waiting = begun(() -> Saver.create(race.stores, "r", "first"));
        String stood = first.commit();
        assertThat(waiting.result())
                .isEqualTo(new CheckpointCreation.AlreadyCreated(((CheckpointCreation.Created) created).saved()));
        race.assertStands(stood);
    }

    @Test
    void anotherUnderTheSameIdThatWaitedForTheFirstFindsItTaken() {
        Caller first = race.caller();
        Saver.create(first.stores, "r", "first");
        Background<CheckpointCreation> waiting = begun(() -> Saver.create(race.stores, "r", "other"));
        String stood = first.commit();
        assertThat(waiting.result()).isEqualTo(new CheckpointCreation.Taken(CheckpointStatus.RUNNING, 1));
        race.assertStands(stood);
    }

    @Test
    void whoWaitedForACreationThatWasRolledBackCreates() {
        Caller first = race.caller();
        Saver.create(first.stores, "r", "other");
        Background<CheckpointCreation> waiting = begun(() -> Saver.create(race.stores, "r", "first"));
        first.rollback();
        assertThat(waiting.result()).isInstanceOf(CheckpointCreation.Created.class);
    }

    @Test
    void readsAnswerAtOnceWhateverIsLocked() {
        Saver.at(race, "r");
        race.rival().lock("checkpoint", "r").lock("checkpoint_entry", "r").lock("lease", "r");
        race.withoutWaiting(() -> {
            assertThat(race.stores.checkpoints().find("r")).isPresent();
            assertThat(race.stores.checkpoints().history("r", 0, 10)).isEmpty();
            assertThat(race.stores.checkpoints().children("r", "", 10)).isEmpty();
            assertThat(race.stores.checkpoints().identities(List.of("r"))).hasSize(1);
            assertThat(race.stores.checkpoints().incomplete(Optional.empty(), 10))
                    .isEmpty();
            return true;
        });
    }
}
