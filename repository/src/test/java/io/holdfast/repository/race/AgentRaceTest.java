package io.holdfast.repository.race;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.agent.AgentPhase;
import io.holdfast.agent.AgentState;
import io.holdfast.agent.AgentStatus;
import io.holdfast.agent.Ended;
import io.holdfast.agent.Saved;
import io.holdfast.failure.CorruptRecordException;
import io.holdfast.lease.Fence;
import io.holdfast.lease.Lease;
import io.holdfast.lease.LeaseKey;
import io.holdfast.lease.Loss;
import io.holdfast.lease.Renewal;
import io.holdfast.repository.Stores;
import io.holdfast.step.StepResult.LeaseAfter;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Checkpoints of an agent that two want to write at once, or one too late. */
@ExtendWith(Race.Parameter.class)
class AgentRaceTest {

    private static final String RUN = "run";
    private static final LeaseKey LEASE = LeaseKey.ofRun(RUN);

    private final Race race;

    AgentRaceTest(Race race) {
        this.race = race;
    }

    private static AgentState said(String said) {
        return AgentState.of(AgentPhase.MODEL_NEXT, "{\"run_id\":\"run\",\"said\":\"" + said + "\"}");
    }

    private static Lease acquired(Stores stores) {
        return Race.granted(stores.leases().acquire(LEASE, "a", Race.TTL));
    }

    private static Saved save(Stores stores, long revision, String said, Fence fence) {
        return stores.agentCheckpoints().save(RUN, revision, said(said), fence);
    }

    private static Ended finish(Stores stores, Fence fence) {
        return stores.agentCheckpoints().finish(RUN, LeaseAfter.KEEP, fence);
    }

    /** Saved once. */
    private Fence begun() {
        Fence fence = acquired(race.stores).fence();
        assertThat(save(race.stores, 0, "a", fence)).isEqualTo(new Saved.Done(1));
        return fence;
    }

    private Background<Saved> saving(long revision, Fence fence) {
        return blocked(race.inBackground(() -> save(race.stores, revision, "late", fence)));
    }

    private Background<Ended> finishing(Fence fence) {
        return blocked(race.inBackground(() -> finish(race.stores, fence)));
    }

    private <T> Background<T> blocked(Background<T> call) {
        race.awaitBlockedOrDone(call);
        return call;
    }

    private void assertRefused(Background<Saved> call, String stood, Saved answer) {
        assertThat(call.result()).isEqualTo(answer);
        race.assertStands(stood);
    }

    @Test
    void aSaveThatWaitedLongerThanItsLeaseHadWhileTheHeartbeatWentOnIsWritten() {
        Fence fence = begun();
        assertThat(race.outliving(LEASE, fence, "agent_checkpoint", RUN, () -> save(race.stores, 1, "b", fence)))
                .isEqualTo(new Saved.Done(2));
    }

    @Test
    void anEndThatWaitedLongerThanItsLeaseHadWhileTheHeartbeatWentOnIsWritten() {
        Fence fence = begun();
        assertThat(race.outliving(LEASE, fence, "agent_checkpoint", RUN, () -> finish(race.stores, fence)))
                .isEqualTo(new Ended.Done());
    }

    @Test
    void aSaveThatWaitedForTheEndComesTooLate() {
        Fence fence = begun();
        Caller first = race.caller();
        assertThat(finish(first.stores, fence)).isEqualTo(new Ended.Done());
        Background<Saved> waiting = saving(1, fence);
        assertRefused(waiting, first.commit(), new Saved.Over(AgentStatus.FINISHED));
    }

    @Test
    void aSaveThatWaitedForAPurgeComesTooLate() {
        Fence fence = begun();
        Caller first = race.caller();
        assertThat(first.stores.agentCheckpoints().purge(RUN)).isTrue();
        Background<Saved> waiting = saving(1, fence);
        assertRefused(waiting, first.commit(), new Saved.Over(AgentStatus.PURGED));
    }

    @Test
    void aFirstSaveThatWaitedForTheEndOfANeverSavedRunComesTooLate() {
        Fence fence = acquired(race.stores).fence();
        Caller first = race.caller();
        assertThat(finish(first.stores, fence)).isEqualTo(new Ended.Done());
        Background<Saved> waiting = saving(0, fence);
        assertRefused(waiting, first.commit(), new Saved.Over(AgentStatus.FINISHED));
    }

    @Test
    void aPurgeThatWaitedForASaveRemovesWhatWasSaved() {
        Fence fence = begun();
        Caller first = race.caller();
        assertThat(save(first.stores, 1, "b", fence)).isEqualTo(new Saved.Done(2));
        Background<Boolean> waiting =
                blocked(race.inBackground(() -> race.stores.agentCheckpoints().purge(RUN)));
        first.commit();
        assertThat(waiting.result()).isTrue();
        assertThat(race.stores.agentCheckpoints().load(RUN)).isEmpty();
    }

    @Test
    void aPurgeThatWaitedForTheEndFindsNothing() {
        Fence fence = begun();
        Caller first = race.caller();
        assertThat(finish(first.stores, fence)).isEqualTo(new Ended.Done());
        Background<Boolean> waiting =
                blocked(race.inBackground(() -> race.stores.agentCheckpoints().purge(RUN)));
        String stood = first.commit();
        assertThat(waiting.result()).isFalse();
        race.assertStands(stood);
    }

    /** A process of a newer release is at it meanwhile, and leaves it in a status of its own. */
    private void namesTheRun(Callable<?> call) {
        race.unchecked("agent_checkpoint", "agent_checkpoint_status_known");
        Rival rival = race.rival().update("agent_checkpoint", RUN, "status = 'suspended'");
        Background<?> waiting = race.inBackground(call);
        race.awaitBlocked(waiting);
        String stood = rival.commit();
        assertThat(waiting.failure()).isInstanceOf(CorruptRecordException.class).hasMessageContaining(RUN);
        race.assertStands(stood);
    }

    @Test
    void whatANewerReleaseHasLeftIsNotSavedOver() {
        Fence fence = begun();
        namesTheRun(() -> save(race.stores, 1, "b", fence));
    }

    @Test
    void whatANewerReleaseHasLeftIsNotFinished() {
        Fence fence = begun();
        namesTheRun(() -> finish(race.stores, fence));
    }

    @Test
    void whatANewerReleaseHasLeftIsNotPurged() {
        begun();
        namesTheRun(() -> race.stores.agentCheckpoints().purge(RUN));
    }

    @Test
    void ofTwoSavesOnOneRevisionTheSecondIsAConflict() {
        Fence fence = begun();
        Caller first = race.caller();
        assertThat(save(first.stores, 1, "b", fence)).isEqualTo(new Saved.Done(2));
        Background<Saved> waiting = saving(1, fence);
        assertRefused(waiting, first.commit(), new Saved.RevisionConflict(2));
    }

    @Test
    void ofTwoFirstSavesTheSecondIsAConflict() {
        Fence fence = acquired(race.stores).fence();
        Caller first = race.caller();
        assertThat(save(first.stores, 0, "a", fence)).isEqualTo(new Saved.Done(1));
        Background<Saved> waiting = saving(0, fence);
        assertRefused(waiting, first.commit(), new Saved.RevisionConflict(1));
    }

    @Test
    void aTwinThatWaitedForTheFirstHearsThatItWasTheSame() {
        Fence fence = begun();
        Caller first = race.caller();
        assertThat(save(first.stores, 1, "late", fence)).isEqualTo(new Saved.Done(2));
        Background<Saved> waiting = saving(1, fence);
        assertRefused(waiting, first.commit(), new Saved.AlreadyApplied(2));
    }

    @Test // A10
    void aSaveThatWaitedPastTheEndOfTheLeaseIsRefused() {
        Fence fence = begun();
        race.expireSoon("lease", RUN);
        Rival rival = race.rival().lock("agent_checkpoint", RUN);
        Background<Saved> waiting = saving(1, fence);
        race.awaitExpired("lease", RUN);
        assertRefused(waiting, rival.commit(), new Saved.FenceLost(Loss.EXPIRED));
    }

    @Test // A10, A14
    void anEndThatWaitedPastTheEndOfTheLeaseIsRefused() {
        Fence fence = begun();
        race.expireSoon("lease", RUN);
        Rival rival = race.rival().lock("agent_checkpoint", RUN);
        Background<Ended> waiting = finishing(fence);
        race.awaitExpired("lease", RUN);
        String stood = rival.commit();
        assertThat(waiting.result()).isEqualTo(new Ended.FenceLost(Loss.EXPIRED));
        race.assertStands(stood);
    }

    @Test // A5
    void aSaveThatWaitedForATakeoverIsRefused() {
        assertSuperseded(fence -> saving(1, fence), "b", new Saved.FenceLost(Loss.SUPERSEDED));
    }

    @Test // A5
    void aSaveThatWaitedForARestartOfItsOwnerIsRefused() {
        assertSuperseded(fence -> saving(1, fence), "a", new Saved.FenceLost(Loss.SUPERSEDED));
    }

    @Test // saved before, and the lease that would be given back is the new one's
    void aPauseOfWhatIsSavedThatWaitedForARestartOfItsOwnerGivesNothingBack() {
        assertSuperseded(
                fence -> blocked(
                        race.inBackground(() -> race.stores.agentCheckpoints().pause(RUN, 0, said("a"), fence))),
                "a",
                new Saved.AlreadyApplied(1));
    }

    @Test // A5
    void anEndThatWaitedForATakeoverIsRefused() {
        assertSuperseded(this::finishing, "b", new Ended.FenceLost(Loss.SUPERSEDED));
    }

    @Test // A5
    void anEndThatWaitedForARestartOfItsOwnerIsRefused() {
        assertSuperseded(this::finishing, "a", new Ended.FenceLost(Loss.SUPERSEDED));
    }

    private <T> void assertSuperseded(Function<Fence, Background<T>> call, String owner, T answer) {
        Fence fence = begun();
        if (!owner.equals("a")) {
            race.expire("lease", RUN);
        }
        Caller successor = race.caller();
        Race.granted(successor.stores.leases().acquire(LEASE, owner, Race.TTL));
        Background<T> waiting = call.apply(fence);
        String stood = successor.commit();
        assertThat(waiting.result()).isEqualTo(answer);
        race.assertStands(stood);
    }

    @Test
    void anEndThatWaitedForASaveRemovesWhatWasSaved() {
        Fence fence = begun();
        Caller first = race.caller();
        assertThat(save(first.stores, 1, "b", fence)).isEqualTo(new Saved.Done(2));
        Background<Ended> waiting = finishing(fence);
        first.commit();
        assertThat(waiting.result()).isEqualTo(new Ended.Done());
        assertThat(race.stores.agentCheckpoints().load(RUN)).isEmpty();
    }

    @Test
    void anEndThatWaitedForAPurgeSaysSo() {
        Fence fence = begun();
        Caller first = race.caller();
        assertThat(first.stores.agentCheckpoints().purge(RUN)).isTrue();
        Background<Ended> waiting = finishing(fence);
        String stood = first.commit();
        assertThat(waiting.result()).isEqualTo(new Ended.AlreadyOver(AgentStatus.PURGED));
        race.assertStands(stood);
    }

    @Test
    void aPauseThatWaitedPastTheEndOfTheLeaseIsRefused() {
        Fence fence = begun();
        race.expireSoon("lease", RUN);
        Rival rival = race.rival().lock("agent_checkpoint", RUN);
        Background<Saved> waiting =
                blocked(race.inBackground(() -> race.stores.agentCheckpoints().pause(RUN, 1, said("b"), fence)));
        race.awaitExpired("lease", RUN);
        assertRefused(waiting, rival.commit(), new Saved.FenceLost(Loss.EXPIRED));
    }

    @Test
    void aSaveThatWaitsForTheCheckpointCannotBeOvertakenByATakeover() {
        Fence fence = begun();
        Rival rival = race.rival().lock("agent_checkpoint", RUN);
        Background<Saved> waiting = saving(1, fence);
        Background<Lease> successor = blocked(race.inBackground(() -> acquired(race.stores)));
        rival.rollback();
        assertThat(waiting.result()).isEqualTo(new Saved.Done(2));
        assertThat(race.stores.agentCheckpoints().load(RUN).orElseThrow().updatedAt())
                .as("saved under token 1 before token 2 was granted")
                .isBefore(successor.result().grantedAt());
    }

    @Test
    void aHeartbeatRunsDuringAnOpenSave() {
        Fence fence = begun();
        Caller business = race.caller();
        assertThat(save(business.stores, 1, "b", fence)).isEqualTo(new Saved.Done(2));
        assertThat(race.withoutWaiting(() -> race.stores.leases().renew(LEASE, fence)))
                .isInstanceOf(Renewal.Renewed.class);
        business.commit();
    }
}
