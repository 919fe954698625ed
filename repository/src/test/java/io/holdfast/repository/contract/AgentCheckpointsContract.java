package io.holdfast.repository.contract;

import static io.holdfast.agent.AgentStatus.COMPLETED;
import static io.holdfast.agent.AgentStatus.FINISHED;
import static io.holdfast.agent.AgentStatus.PAUSED;
import static io.holdfast.agent.AgentStatus.PURGED;
import static io.holdfast.agent.AgentStatus.RUNNING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Scope;
import io.holdfast.agent.AgentCheckpoint;
import io.holdfast.agent.AgentCheckpoints;
import io.holdfast.agent.AgentPage;
import io.holdfast.agent.AgentPhase;
import io.holdfast.agent.AgentState;
import io.holdfast.agent.AgentStatus;
import io.holdfast.agent.Ended;
import io.holdfast.agent.Saved;
import io.holdfast.failure.CorruptRecordException;
import io.holdfast.failure.InvalidValueException;
import io.holdfast.lease.Fence;
import io.holdfast.lease.LeaseKey;
import io.holdfast.lease.Loss;
import io.holdfast.step.StepResult.LeaseAfter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Checkpoints of agents: saved under the lease, over for good once finished. */
abstract class AgentCheckpointsContract extends Contract {

    private static final String RUN = "run-1";

    AgentCheckpointsContract(Environment environment) {
        super(environment);
    }

    private static AgentState state(String run, AgentPhase phase, String said) {
        return AgentState.of(phase, "{ \"run_id\": \"" + run + "\", \"said\": \"" + said + "\" }");
    }

    private static AgentState said(String said) {
        return state(RUN, AgentPhase.MODEL_NEXT, said);
    }

    private Fence held(String run) {
        return granted(LeaseKey.ofRun(run), "worker", MINUTE).fence();
    }

    private long saved(long revision, AgentState state, Fence fence) {
        return ((Saved.Done) agents.save(RUN, revision, state, fence)).revision();
    }

    private AgentCheckpoint loaded() {
        return agents.load(RUN).orElseThrow();
    }

    private static Saved lost(Loss reason) {
        return new Saved.FenceLost(reason);
    }

    @Test
    void whatIsSavedIsLoadedByteForByte() {
        AgentState state = new AgentState(
                AgentPhase.TOOLS_PENDING,
                "{\"run_id\" : \"run-1\", \"x\": \"\\u0000\u00e9\ud83d\ude00\", \"n\": 1.0}",
                Optional.of("the end\n"),
                3,
                1_700_000_000.25);
        assertThat(saved(0, state, held(RUN))).isEqualTo(1);
        AgentCheckpoint first = loaded();
        assertThat(first.run()).isEqualTo(RUN);
        assertThat(first.revision()).isEqualTo(1);
        assertThat(first.state()).isEqualTo(state);
        assertThat(first.updatedAt()).isEqualTo(first.createdAt());
    }

    @Test // A1
    void whatIsNotThereIsEmpty() {
        for (String run : List.of("run-9", "", "\0", "x".repeat(1_025))) {
            assertThat(agents.load(run)).isEmpty();
            assertThat(agents.purge(run)).isFalse();
        }
    }

    @Test
    void eachSaveFollowsTheOneThatWasRead() {
        Fence fence = held(RUN);
        assertThat(saved(0, said("a"), fence)).isEqualTo(1);
        assertThat(saved(1, said("b"), fence)).isEqualTo(2);
        AgentCheckpoint second = loaded();
        assertThat(second.state()).isEqualTo(said("b"));
        assertThat(second.createdAt()).isBefore(second.updatedAt());
        assertThat(agents.save(RUN, 0, said("c"), fence)).isEqualTo(new Saved.RevisionConflict(2));
        for (long none : new long[] {3, Long.MAX_VALUE}) {
            assertThat(agents.save(RUN, none, said("c"), fence)).isEqualTo(new Saved.RevisionConflict(2));
        }
        assertThat(agents.save("run-2", 7, state("run-2", AgentPhase.PAUSED, "x"), held("run-2")))
                .isEqualTo(new Saved.RevisionConflict(0));
    }

    @Test
    void aRepeatIsKnownWhateverHasBecomeOfTheLease() {
        Fence fence = held(RUN);
        saved(0, said("a"), fence);
        assertThat(agents.save(RUN, 0, said("a"), fence)).isEqualTo(new Saved.AlreadyApplied(1));
        leases.release(LeaseKey.ofRun(RUN), fence);
        assertThat(agents.save(RUN, 0, said("a"), fence)).isEqualTo(new Saved.AlreadyApplied(1));
        assertThat(agents.save(RUN, 0, said("b"), fence)).isEqualTo(lost(Loss.NONE));
    }

    @Test // a call that was held up while its worker went on
    void aSaveThatArrivesLateDoesNotReplaceWhatWasSavedSince() {
        Fence fence = held(RUN);
        saved(0, said("a"), fence);
        saved(1, said("b"), fence);
        assertThat(agents.save(RUN, 0, said("a"), fence)).isEqualTo(new Saved.RevisionConflict(2));
        assertThat(loaded().state()).isEqualTo(said("b"));
    }

    @Test // A2: nobody saves without a lease, also not the first time
    void withoutALeaseNothingIsSaved() {
        assertThat(agents.save(RUN, 0, said("a"), new Fence("worker", 1))).isEqualTo(lost(Loss.NONE));
        assertThat(agents.finish(RUN, LeaseAfter.KEEP, new Fence("worker", 1)))
                .isEqualTo(new Ended.FenceLost(Loss.NONE));
        assertThat(agents.load(RUN)).isEmpty();
    }

    @Test // A3, A5
    void whoWasTakenOverSavesAndFinishesNothing() {
        Fence former = held(RUN);
        saved(0, said("a"), former);
        Fence successor = held(RUN); // the same owner, restarted
        assertThat(agents.save(RUN, 1, said("b"), former)).isEqualTo(lost(Loss.SUPERSEDED));
        assertThat(agents.pause(RUN, 1, said("b"), former)).isEqualTo(lost(Loss.SUPERSEDED));
        assertThat(agents.finish(RUN, LeaseAfter.KEEP, former)).isEqualTo(new Ended.FenceLost(Loss.SUPERSEDED));
        assertThat(agents.save(RUN, 1, said("b"), new Fence("other", successor.token())))
                .isEqualTo(lost(Loss.SUPERSEDED));
        assertThat(saved(1, said("c"), successor)).isEqualTo(2);
    }

    @Test // A4: not revived by a save either
    void anExpiredLeaseThatNobodyTookSavesNothing() {
        Fence fence = held(RUN);
        saved(0, said("a"), fence);
        expire(LeaseKey.ofRun(RUN));
        assertThat(agents.save(RUN, 1, said("b"), fence)).isEqualTo(lost(Loss.EXPIRED));
        assertThat(agents.finish(RUN, LeaseAfter.RELEASE, fence)).isEqualTo(new Ended.FenceLost(Loss.EXPIRED));
        assertThat(saved(1, said("b"), held(RUN))).isEqualTo(2);
    }

    @Test // A8
    void whoGaveItsLeaseBackSavesNothing() {
        Fence fence = held(RUN);
        saved(0, said("a"), fence);
        leases.release(LeaseKey.ofRun(RUN), fence);
        assertThat(agents.save(RUN, 1, said("b"), fence)).isEqualTo(lost(Loss.NONE));
    }

    @Test
    void aPauseSavesAndGivesTheLeaseBackAndSomebodyElseGoesOn() {
        Fence fence = held(RUN);
        saved(0, said("a"), fence);
        AgentState waiting = state(RUN, AgentPhase.PAUSED, "may I?");
        assertThat(agents.pause(RUN, 1, waiting, fence)).isEqualTo(new Saved.Done(2));
        assertThat(leases.find(LeaseKey.ofRun(RUN))).isEmpty();
        assertThat(agents.pause(RUN, 1, waiting, fence)).isEqualTo(new Saved.AlreadyApplied(2));
        assertThat(agents.save(RUN, 2, said("b"), fence)).isEqualTo(lost(Loss.NONE));
        Fence next = held(RUN);
        assertThat(loaded().state()).isEqualTo(waiting);
        assertThat(saved(2, said("yes"), next)).isEqualTo(3);
        assertThat(agents.pause("run-2", 0, state("run-2", AgentPhase.PAUSED, "x"), held("run-2")))
                .isEqualTo(new Saved.Done(1));
    }

    @Test // a save is no pause that could be repeated
    void aPauseOfWhatASaveHasStoredGivesTheLeaseBack() {
        Fence fence = held(RUN);
        AgentState waiting = state(RUN, AgentPhase.PAUSED, "may I?");
        saved(0, waiting, fence);
        assertThat(agents.pause(RUN, 0, waiting, fence)).isEqualTo(new Saved.Done(1));
        assertThat(leases.find(LeaseKey.ofRun(RUN))).isEmpty();
        assertThat(agents.pause(RUN, 0, waiting, fence)).isEqualTo(new Saved.AlreadyApplied(1));
        Fence next = held(RUN);
        assertThat(agents.pause(RUN, 0, waiting, fence)).isEqualTo(new Saved.AlreadyApplied(1));
        assertThat(agents.save(RUN, 0, waiting, next)).isEqualTo(new Saved.AlreadyApplied(1));
        assertThat(leases.find(LeaseKey.ofRun(RUN))).as("another's").isPresent();
        assertThat(agents.load(RUN).orElseThrow().revision()).isEqualTo(1);
    }

    @Test // A6, A7, A21
    void nothingRevivesAFinishedRun() {
        Fence fence = held(RUN);
        saved(0, said("a"), fence);
        assertThat(agents.finish(RUN, LeaseAfter.KEEP, fence)).isEqualTo(new Ended.Done());
        assertThat(leases.find(LeaseKey.ofRun(RUN))).isPresent();
        assertThat(agents.load(RUN)).isEmpty();
        Saved over = new Saved.Over(FINISHED);
        assertThat(agents.save(RUN, 1, said("b"), fence)).isEqualTo(over);
        assertThat(agents.save(RUN, 0, said("a"), fence)).isEqualTo(over);
        Fence successor = held(RUN);
        assertThat(agents.save(RUN, 0, said("again"), successor)).isEqualTo(over);
        assertThat(agents.pause(RUN, 1, said("again"), successor)).isEqualTo(over);
        assertThat(agents.finish(RUN, LeaseAfter.RELEASE, fence)).isEqualTo(new Ended.AlreadyOver(FINISHED));
        assertThat(agents.purge(RUN)).isFalse();
        assertThat(environment.value("select payload from {agent_checkpoint} where scope = ?", scope.id()))
                .isNull();
    }

    @Test
    void aRunThatWasNeverSavedIsFinishedForGoodToo() {
        Fence fence = held(RUN);
        assertThat(agents.finish(RUN, LeaseAfter.RELEASE, fence)).isEqualTo(new Ended.Done());
        assertThat(leases.find(LeaseKey.ofRun(RUN))).isEmpty();
        assertThat(agents.save(RUN, 0, said("a"), held(RUN))).isEqualTo(new Saved.Over(FINISHED));
    }

    @Test // A6, A8
    void nothingRevivesAPurgedRunWhoeverIsAtWorkOnIt() {
        Fence fence = held(RUN);
        saved(0, said("a"), fence);
        assertThat(agents.purge(RUN)).isTrue();
        assertThat(agents.purge(RUN)).isFalse();
        assertThat(agents.load(RUN)).isEmpty();
        assertThat(agents.save(RUN, 1, said("b"), fence)).isEqualTo(new Saved.Over(PURGED));
        assertThat(agents.save(RUN, 0, said("b"), held(RUN))).isEqualTo(new Saved.Over(PURGED));
        assertThat(agents.finish(RUN, LeaseAfter.RELEASE, held(RUN))).isEqualTo(new Ended.AlreadyOver(PURGED));
    }

    @Test // J20
    void aHeartbeatDoesNotTouchTheCheckpoint() {
        Fence fence = held(RUN);
        saved(0, said("x".repeat(100_000)), fence);
        String row = row();
        for (int i = 0; i < 10; i++) {
            leases.renew(LeaseKey.ofRun(RUN), fence);
        }
        assertThat(row()).isEqualTo(row);
        assertThat(saved(1, said("b"), fence)).isEqualTo(2);
    }

    private String row() {
        return environment.value("select xmin || ' ' || ctid from {agent_checkpoint} where scope = ?", scope.id());
    }

    private void made(String run, AgentPhase phase) {
        assertThat(agents.save(run, 0, state(run, phase, "x"), held(run))).isInstanceOf(Saved.Done.class);
    }

    private List<String> listed(AgentStatus status) {
        return agents.incomplete(status, Optional.empty(), 100).lines().stream()
                .map(AgentPage.Line::run)
                .toList();
    }

    @Test // A16
    void recoverySeesApartWhatIsAtWorkWhatWaitsAndWhatIsDone() {
        made("model", AgentPhase.MODEL_NEXT);
        made("tools", AgentPhase.TOOLS_PENDING);
        made("paused", AgentPhase.PAUSED);
        made("completed", AgentPhase.COMPLETED);
        made("finished", AgentPhase.COMPLETED);
        made("purged", AgentPhase.MODEL_NEXT);
        agents.finish("finished", LeaseAfter.RELEASE, held("finished"));
        agents.purge("purged");
        assertThat(listed(RUNNING)).containsExactly("model", "tools");
        assertThat(listed(PAUSED)).containsExactly("paused");
        assertThat(listed(COMPLETED)).containsExactly("completed");
        Fence fence = held("paused");
        agents.save("paused", 1, state("paused", AgentPhase.TOOLS_PENDING, "y"), fence);
        assertThat(listed(RUNNING)).containsExactly("model", "tools", "paused");
        assertThat(listed(PAUSED)).isEmpty();
    }

    @Test // W19: who is alive is told from who is not
    void recoverySeesWhoseLeaseIsHeld() {
        made("alive", AgentPhase.MODEL_NEXT);
        made("expired", AgentPhase.MODEL_NEXT);
        expire(LeaseKey.ofRun("expired"));
        made("released", AgentPhase.MODEL_NEXT);
        leases.release(LeaseKey.ofRun("released"), held("released"));
        assertThat(agents.incomplete(RUNNING, Optional.empty(), 10).lines())
                .filteredOn(AgentPage.Line::held)
                .extracting(AgentPage.Line::run)
                .containsExactly("alive");
    }

    @Test // A19
    void runsArePagedByPlaceAlsoWhereTimesAreEqualAndWhileTheyAreSaved() {
        List<String> runs = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            made("run-" + i, AgentPhase.MODEL_NEXT);
            runs.add("run-" + i);
            environment.changeRow(
                    "update {agent_checkpoint} set created_at = '2026-01-01Z' where scope = ? and run_id = ?",
                    scope.id(),
                    "run-" + i);
        }
        List<String> seen = new ArrayList<>();
        AgentPage page = agents.incomplete(RUNNING, Optional.empty(), 2);
        page.lines().forEach(line -> seen.add(line.run()));
        agents.save("run-0", 1, state("run-0", AgentPhase.TOOLS_PENDING, "later"), held("run-0"));
        while (page.next().isPresent()) {
            page = agents.incomplete(RUNNING, page.next(), 2);
            page.lines().forEach(line -> seen.add(line.run()));
        }
        assertThat(seen).isEqualTo(runs);
    }

    @Test // A17
    void whatBelongsToAnotherScopeIsNotThere() {
        saved(0, said("a"), held(RUN));
        Tenant other = new Tenant(environment, Scope.of(scope.id() + "-other"));
        AgentCheckpoints theirs = other.agents();
        Fence fence = other.granted(LeaseKey.ofRun(RUN), "worker");
        assertThat(theirs.load(RUN)).isEmpty();
        assertThat(theirs.purge(RUN)).isFalse();
        assertThat(theirs.incomplete(RUNNING, Optional.empty(), 10).lines()).isEmpty();
        assertThat(theirs.save(RUN, 1, said("b"), fence)).isEqualTo(new Saved.RevisionConflict(0));
        assertThat(theirs.save(RUN, 0, said("b"), fence)).isEqualTo(new Saved.Done(1));
        assertThat(theirs.finish(RUN, LeaseAfter.KEEP, fence)).isEqualTo(new Ended.Done());
        assertThat(loaded().state()).isEqualTo(said("a"));
    }

    @Test // A18
    void whatIsDamagedIsToldByItsRunAndTheRuleAndOthersAreReadAllTheSame() {
        saved(0, said("a"), held(RUN));
        made("run-2", AgentPhase.MODEL_NEXT);
        damaged("{\"schema_version\":2}", "schema_version");
        damaged("[1]", "JSON object");
        damaged(said("a").write(RUN).replace("model_next", "zzz"), "phase");
        damaged(state("run-2", AgentPhase.MODEL_NEXT, "s3cret").write("run-2"), "run_id");
        assertThat(agents.load("run-2")).isPresent();
        assertThat(listed(RUNNING)).containsExactly(RUN, "run-2");
    }

    private void damaged(String payload, String rule) {
        environment.changeRow(
                "update {agent_checkpoint} set payload = ? where scope = ? and run_id = 'run-1'", payload, scope.id());
        assertThatThrownBy(() -> agents.load(RUN))
                .isInstanceOfSatisfying(
                        CorruptRecordException.class,
                        e -> assertThat(e.getMessage()).contains(RUN, rule).doesNotContain("s3cret"));
    }

    @Test
    void whatIsAsLongAsItMayBeIsKept() {
        String run = "\u00e9".repeat(512);
        String text = "x".repeat(AgentState.MAX_BYTES - 2_000);
        AgentState large =
                new AgentState(AgentPhase.MODEL_NEXT, "{\"run_id\":\"" + run + "\"}", Optional.of(text), 0, 0);
        assertThat(agents.save(run, 0, large, held(run))).isEqualTo(new Saved.Done(1));
        assertThat(agents.load(run).orElseThrow().state()).isEqualTo(large);
        AgentState larger = new AgentState(
                AgentPhase.MODEL_NEXT, large.interruption(), Optional.of(text + "x".repeat(2_000)), 0, 0);
        refused("checkpoint", () -> agents.save(run, 1, larger, new Fence("worker", 1)));
    }

    @Test
    void argumentsHaveTheirLimits() {
        Fence fence = new Fence("worker", 1);
        refused("run", () -> agents.save("", 0, said("a"), fence));
        refused("run", () -> agents.save("x".repeat(1_025), 0, said("a"), fence));
        refused("run", () -> agents.finish("a\0", LeaseAfter.KEEP, fence));
        refused("revision", () -> agents.save(RUN, -1, said("a"), fence));
        refused("interruption", () -> agents.save("run-2", 0, said("a"), fence));
        refused("status", () -> agents.incomplete(FINISHED, Optional.empty(), 1));
        for (int limit : new int[] {0, -1, 1_001}) {
            refused("limit", () -> agents.incomplete(RUNNING, Optional.empty(), limit));
        }
    }

    private static void refused(String field, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        InvalidValueException.class, e -> assertThat(e.field()).isEqualTo(field));
    }
}
