package io.holdfast.repository.race;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.agent.AgentPhase;
import io.holdfast.agent.AgentState;
import io.holdfast.agent.Ended;
import io.holdfast.agent.Saved;
import io.holdfast.checkpoint.HistoryEntry;
import io.holdfast.checkpoint.Saving;
import io.holdfast.failure.TransactionLostException;
import io.holdfast.lease.Fence;
import io.holdfast.lease.LeaseKey;
import io.holdfast.lease.Loss;
import io.holdfast.repository.Stores;
import io.holdfast.session.Message;
import io.holdfast.step.StepResult.LeaseAfter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Saves of a run's checkpoint and of an agent's, whose lease is given back with what they wait for, and saves in an application's
 * transaction.
 */
@ExtendWith(Race.Parameter.class)
class SaveRaceTest {

    private static final LeaseKey LEASE = LeaseKey.ofRun("r");

    private final Race race;

    SaveRaceTest(Race race) {
        this.race = race;
    }

    private static AgentState said(String said) {
        return AgentState.of(AgentPhase.MODEL_NEXT, "{\"run_id\":\"r\",\"said\":\"" + said + "\"}");
    }

    private static Saved save(Stores stores, long revision, String said, Fence fence) {
        return stores.agentCheckpoints().save("r", revision, said(said), fence);
    }

    /** An agent, saved once. */
    private Fence begun() {
        Fence fence =
                Race.granted(race.stores.leases().acquire(LEASE, "a", Race.TTL)).fence();
        assertThat(save(race.stores, 0, "one", fence)).isEqualTo(new Saved.Done(1));
        return fence;
    }

    /** The call waits for the first, and is judged by what that has left. */
    private <T> void assertRefused(Callable<T> call, Caller first, T answer) {
        Background<T> waiting = race.inBackground(call);
        race.awaitBlocked(waiting);
        String stood = first.commit();
        assertThat(waiting.result()).isEqualTo(answer);
        race.assertStands(stood);
    }

    @Test // the same fence, in two hands: whoever pauses gives the lease back for both
    void anAgentsSaveThatWaitedForAPauseIsRefused() {
        Fence fence = begun();
        Caller first = race.caller();
        assertThat(first.stores.agentCheckpoints().pause("r", 1, said("two"), fence))
                .isEqualTo(new Saved.Done(2));
        assertRefused(() -> save(race.stores, 2, "three", fence), first, new Saved.FenceLost(Loss.NONE));
    }

    @Test
    void anAgentsSaveThatWaitedForWhoGaveTheLeaseBackIsRefused() {
        Fence fence = begun();
        Caller first = savedAndGivenBack(fence);
        assertRefused(() -> save(race.stores, 2, "three", fence), first, new Saved.FenceLost(Loss.NONE));
    }

    @Test
    void anAgentsEndThatWaitedForWhoGaveTheLeaseBackIsRefused() {
        Fence fence = begun();
        Caller first = savedAndGivenBack(fence);
        assertRefused(
                () -> race.stores.agentCheckpoints().finish("r", LeaseAfter.KEEP, fence),
                first,
                new Ended.FenceLost(Loss.NONE));
    }

    private Caller savedAndGivenBack(Fence fence) {
        Caller first = race.caller();
        assertThat(save(first.stores, 1, "two", fence)).isEqualTo(new Saved.Done(2));
        assertThat(first.stores.leases().release(LEASE, fence)).isTrue();
        return first;
    }

    @Test
    void aSaveThatWaitedForWhoGaveTheLeaseBackIsRefused() {
        Saver saver = Saver.at(race, "r");
        Caller first = race.caller();
        Saver next = saver.after((Saving.Saved) saver.in(first.stores).save());
        assertThat(first.stores.leases().release(LEASE, saver.lease().fence())).isTrue();
        assertRefused(next::save, first, new Saving.FenceLost(Loss.NONE));
    }

    @Test
    void aSaveThatIsTakenBackToASavepointIsMadeAgain() {
        Saver saver = Saver.at(race, "r");
        Caller caller = race.caller().run("savepoint before");
        Saver within = saver.in(caller.stores);
        assertThat(within.saveOther()).isInstanceOf(Saving.Saved.class);
        caller.run("rollback to savepoint before");
        Saving saved = within.save();
        assertThat(saved).isInstanceOf(Saving.Saved.class);
        assertThat(within.save()).isEqualTo(new Saving.AlreadySaved(((Saving.Saved) saved).saved()));
        caller.commit();
        assertThat(race.stores.checkpoints().history("r", 0, 10))
                .extracting(HistoryEntry::revision)
                .containsExactly(2L);
        assertThat(saver.saveOther()).isEqualTo(new Saving.RevisionConflict(2));
    }

    @Test
    void anAgentsPauseThatIsTakenBackToASavepointIsMadeAgain() {
        Fence fence = begun();
        Caller caller = race.caller().run("savepoint before");
        assertThat(caller.stores.agentCheckpoints().pause("r", 1, said("two"), fence))
                .isEqualTo(new Saved.Done(2));
        caller.run("rollback to savepoint before");
        assertThat(save(caller.stores, 1, "another", fence)).isEqualTo(new Saved.Done(2));
        assertThat(caller.stores.agentCheckpoints().finish("r", LeaseAfter.RELEASE, fence))
                .isEqualTo(new Ended.Done());
        caller.commit();
        assertThat(race.stores.leases().find(LEASE)).isEmpty();
    }

    @Test
    void atAHigherIsolationASaveBehindAnotherIsTypedAndRetryable() {
        Saver saver = Saver.at(race, "r");
        Fence fence = saver.lease().fence();
        save(race.stores, 0, "one", fence);
        assertLost(() -> saver.save(), caller -> saver.in(caller.stores).saveOther());
        assertLost(() -> save(race.stores, 1, "two", fence), caller -> save(caller.stores, 1, "other", fence));
    }

    @Test // what it cannot see stands in its way
    void atAHigherIsolationWhatIsBegunBehindAnotherIsTypedAndRetryable() {
        Fence fence =
                Race.granted(race.stores.leases().acquire(LEASE, "a", Race.TTL)).fence();
        assertLost(() -> save(race.stores, 0, "one", fence), caller -> save(caller.stores, 0, "one", fence));
        assertLost(() -> Saver.create(race.stores, "r", "one"), caller -> Saver.create(caller.stores, "r", "one"));
        assertLost(() -> started(race.stores), caller -> started(caller.stores));
        assertLost(() -> spoken(race.stores), caller -> spoken(caller.stores));
    }

    private static Object started(Stores stores) {
        return stores.runs().create("r", Map.of(), Map.of());
    }

    private static Object spoken(Stores stores) {
        return stores.workspaceSessions().save("s", List.of(Message.of("user", "hello")), 0);
    }

    private interface Late {
        Object by(Caller caller);
    }

    /** Whoever looked before the first had written writes nothing. */
    private void assertLost(Runnable first, Late late) {
        Caller caller = race.caller().isolated("repeatable read").run("select count(*) from holdfast.lease");
        first.run();
        String stood = race.dump();
        assertThatThrownBy(() -> late.by(caller))
                .isInstanceOfSatisfying(
                        TransactionLostException.class,
                        e -> assertThat(e.retryable()).isTrue());
        caller.rollback();
        race.assertStands(stood);
    }
}
