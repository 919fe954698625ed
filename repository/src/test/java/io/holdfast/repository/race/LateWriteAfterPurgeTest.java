package io.holdfast.repository.race;

import static io.holdfast.repository.race.EndedRun.NOTHING;
import static io.holdfast.repository.race.EndedRun.RUN;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.agent.AgentPhase;
import io.holdfast.agent.AgentState;
import io.holdfast.agent.Saved;
import io.holdfast.approval.ApprovalUse;
import io.holdfast.approval.Consumption;
import io.holdfast.approval.Decision;
import io.holdfast.approval.Ruling;
import io.holdfast.checkpoint.CheckpointCreation;
import io.holdfast.checkpoint.Saving;
import io.holdfast.cleanup.Keep;
import io.holdfast.cleanup.Kind;
import io.holdfast.cleanup.Removed;
import io.holdfast.cleanup.RetentionRule;
import io.holdfast.journal.Committed;
import io.holdfast.journal.JournalCommit;
import io.holdfast.journal.JournalEvent;
import io.holdfast.journal.NewRun;
import io.holdfast.journal.Opened;
import io.holdfast.journal.RunKind;
import io.holdfast.journal.RunStatus;
import io.holdfast.journal.StepKey;
import io.holdfast.lease.Fence;
import io.holdfast.lease.LeaseKey;
import io.holdfast.run.Append;
import io.holdfast.run.Run;
import io.holdfast.run.RunChange;
import io.holdfast.run.RunCreation;
import io.holdfast.run.RunUpdate;
import io.holdfast.session.Message;
import io.holdfast.session.SessionSave;
import io.holdfast.session.WorkspaceSession;
import io.holdfast.step.StepResult.LeaseAfter;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Who read a run before it was removed and writes afterwards: nothing comes back, also where the id is used again. */
@ExtendWith(Race.Parameter.class)
class LateWriteAfterPurgeTest {

    private static final LeaseKey LEASE = LeaseKey.ofRun(RUN);
    private static final RetentionRule NO_SESSIONS = RetentionRule.KEEP_ALL.withSessions(Keep.newest(0));

    private final Race race;

    LateWriteAfterPurgeTest(Race race) {
        this.race = race;
    }

    private Opened.Done opened() {
        return (Opened.Done)
                race.stores.journal().open(NewRun.of(RUN, RunKind.AGENT, "digest", "{}"), "worker", Race.TTL);
    }

    private Committed commit(Opened.Done read, JournalCommit.Builder commit) {
        return race.stores.journal().commit(read.lease().fence(), commit.build());
    }

    private static JournalCommit.Builder event(JournalCommit.Builder commit) {
        return commit.event(JournalEvent.of("{\"n\":1}"));
    }

    private Opened.Done finished() {
        Opened.Done done = opened();
        assertThat(commit(done, event(JournalCommit.to(done.head()).status(RunStatus.COMPLETED))))
                .isInstanceOf(Committed.Done.class);
        return done;
    }

    /** Also the rows of leases, so that the floor is all that is left of the tokens. */
    private void purgeWithLeases(Kind kind) {
        EndedRun run = new EndedRun(race);
        assertThat(run.run(NOTHING)).isEqualTo(Removed.of(kind, 1));
        race.sql("update holdfast.lease set owner = null, granted_at = granted_at - interval '1 hour',"
                + " expires_at = clock_timestamp() - interval '1 second' where scope = :scope");
        assertThat(run.run(RetentionRule.KEEP_ALL.withExpired(Duration.ZERO)).leases())
                .isOne();
    }

    @Test
    void aLateCommitFindsNoRunAndOfAnotherOneItHasNotTheLease() {
        Opened.Done former = finished();
        purgeWithLeases(Kind.JOURNALS);
        assertThat(race.changingNothing(() -> commit(former, event(JournalCommit.toAny(RUN)))))
                .isEqualTo(new Committed.NotFound());
        Opened.Done again = opened();
        assertThat(again.lease().fence().token())
                .isGreaterThan(former.lease().fence().token());
        assertThat(race.changingNothing(() -> commit(former, event(JournalCommit.toAny(RUN)))))
                .isInstanceOf(Committed.FenceLost.class);
        assertThat(race.changingNothing(() ->
                        commit(former, event(JournalCommit.to(former.head()).status(RunStatus.COMPLETED)))))
                .as("the repeat of what was committed to the former one")
                .isInstanceOf(Committed.FenceLost.class);
        assertThat(race.stores.journal().events(RUN, 0, 10)).isEmpty();
    }

    @Test
    void aLateCommitThatWaitsForThePurgeFindsNoRun() {
        Opened.Done former = finished();
        Rival purge = race.rival().delete("execution", RUN);
        Background<Committed> late = race.inBackground(() -> commit(former, event(JournalCommit.toAny(RUN))));
        race.awaitBlocked(late);
        String stood = purge.commit();
        assertThat(late.result()).isEqualTo(new Committed.NotFound());
        race.assertStands(stood);
    }

    @Test
    void aLateSaveOfAnAgentHasNotTheLeaseAndUnderANewOneNotTheRevision() {
        Fence former = Race.granted(race.stores.leases().acquire(LEASE, "worker", Race.TTL))
                .fence();
        assertThat(save(0, former)).isEqualTo(new Saved.Done(1));
        race.stores.agentCheckpoints().finish(RUN, LeaseAfter.RELEASE, former);
        purgeWithLeases(Kind.AGENTS);
        assertThat(race.changingNothing(() -> save(1, former))).isInstanceOf(Saved.FenceLost.class);
        assertThat(race.changingNothing(() -> save(0, former))).isInstanceOf(Saved.FenceLost.class);
        Fence next = Race.granted(race.stores.leases().acquire(LEASE, "worker", Race.TTL))
                .fence();
        assertThat(next.token()).isGreaterThan(former.token());
        assertThat(race.changingNothing(() -> save(0, former))).isInstanceOf(Saved.FenceLost.class);
        assertThat(race.changingNothing(() -> save(1, next))).isEqualTo(new Saved.RevisionConflict(0));
    }

    private Saved save(long revision, Fence fence) {
        return race.stores
                .agentCheckpoints()
                .save(RUN, revision, AgentState.of(AgentPhase.MODEL_NEXT, "{\"run_id\":\"run\"}"), fence);
    }

    @Test
    void aLateSaveOfACheckpointNamesAnotherIncarnation() {
        Saver former = Saver.at(race, RUN);
        assertThat(former.complete()).isInstanceOf(Saving.Saved.class);
        race.stores.leases().release(LEASE, former.lease().fence());
        purgeWithLeases(Kind.CHECKPOINTS);
        assertThat(race.changingNothing(former::save)).isEqualTo(new Saving.NotFound());
        assertThat(Saver.create(race.stores, RUN, "first")).isInstanceOf(CheckpointCreation.Created.class);
        assertThat(race.changingNothing(former::save)).isEqualTo(new Saving.NotFound());
        assertThat(race.changingNothing(former::abandon)).isEqualTo(new Saving.NotFound());
    }

    @Test
    void aLateUpdateOfARunNamesAnotherIncarnationAndALateEventFindsNone() {
        Run former = ((RunCreation.Created) race.stores.runs().create(RUN, Map.of(), Map.of())).run();
        Run done = ((RunUpdate.Updated) race.stores.runs().update(former, RunChange.to("done"))).run();
        assertThat(new EndedRun(race).run(NOTHING)).isEqualTo(Removed.of(Kind.RUNS, 1));
        assertThat(race.changingNothing(() -> race.stores.runs().append(RUN, List.of(Map.of("type", "late")))))
                .isEqualTo(new Append.NotFound());
        race.stores.runs().create(RUN, Map.of(), Map.of());
        assertThat(race.changingNothing(() -> race.stores.runs().update(former, RunChange.to("late"))))
                .isEqualTo(new RunUpdate.NotFound());
        assertThat(race.changingNothing(() -> race.stores.runs().update(done, RunChange.to("late"))))
                .isEqualTo(new RunUpdate.NotFound());
    }

    @Test
    void aLateEventOfAFormerRunDoesNotEnterTheNewOne() {
        Run former = ((RunCreation.Created) race.stores.runs().create(RUN, Map.of(), Map.of())).run();
        race.stores.runs().update(former, RunChange.to("done"));
        List<Map<String, String>> late = List.of(Map.of("type", "late"));
        assertThat(new EndedRun(race).run(NOTHING)).isEqualTo(Removed.of(Kind.RUNS, 1));
        assertThat(race.<Append>changingNothing(() -> race.stores.runs().append(former, late)))
                .isEqualTo(new Append.NotFound());
        Run again = ((RunCreation.Created) race.stores.runs().create(RUN, Map.of(), Map.of())).run();
        assertThat(race.<Append>changingNothing(() -> race.stores.runs().append(former, late)))
                .isEqualTo(new Append.NotFound());
        assertThat(race.stores.runs().events(RUN, 0, 10)).isEmpty();
        assertThat(race.stores.runs().append(again, late)).isInstanceOf(Append.Appended.class);
        assertThat(race.stores.runs().append(RUN, late))
                .as("by its id alone it enters whatever stands there")
                .isInstanceOf(Append.Appended.class);
    }

    @Test
    void aLateEventThatWaitsForThePurgeFindsNoRun() {
        new EndedRun(race).row("done");
        Rival purge = race.rival().delete("run", RUN);
        Background<Append> late =
                race.inBackground(() -> race.stores.runs().append(RUN, List.of(Map.of("type", "late"))));
        race.awaitBlocked(late);
        String stood = purge.commit();
        assertThat(late.result()).isEqualTo(new Append.NotFound());
        race.assertStands(stood);
    }

    @Test
    void aLateDecisionAndALateUseFindNoApproval() {
        new EndedRun(race).approval("ap", "withdrawn");
        Fence fence = Race.granted(race.stores.leases().acquire(LEASE, "worker", Race.TTL))
                .fence();
        race.stores.leases().release(LEASE, fence);
        assertThat(new EndedRun(race).run(NOTHING)).isEqualTo(Removed.of(Kind.APPROVALS, 1));
        String digest = "a".repeat(64);
        assertThat(race.changingNothing(() -> race.stores.approvals().decide("ap", Decision.approve(digest, "ann"))))
                .isEqualTo(new Ruling.NotFound());
        ApprovalUse use = new ApprovalUse("ap", RUN, digest, StepKey.visit("a", 1));
        assertThat(race.changingNothing(() -> race.stores.approvals().consume(use, fence)))
                .isEqualTo(new Consumption.NotFound());
    }

    private SessionSave saveSession(String said, long revision) {
        return race.stores.workspaceSessions().save("chat", List.of(Message.of("user", said)), revision);
    }

    @Test
    void aTranscriptThatWasEmptiedIsNotBroughtBackByWhoReadItBefore() {
        assertThat(saveSession("hello", 0)).isEqualTo(new SessionSave.Saved(1));
        assertThat(new EndedRun(race).run(NO_SESSIONS)).isEqualTo(Removed.of(Kind.SESSIONS, 1));
        assertThat(race.changingNothing(() -> saveSession("late", 1))).isEqualTo(new SessionSave.Conflict(1, 2));
        assertThat(race.changingNothing(() -> saveSession("late", 0))).isEqualTo(new SessionSave.Conflict(0, 2));
        WorkspaceSession empty = race.stores.workspaceSessions().find("chat").orElseThrow();
        assertThat(empty.messages()).isEmpty();
        assertThat(empty.revision()).isEqualTo(2);
        assertThat(race.changingNothing(() -> new EndedRun(race).run(NO_SESSIONS)))
                .as("once is enough")
                .isEqualTo(Removed.NOTHING);
        assertThat(saveSession("again", 2)).isEqualTo(new SessionSave.Saved(3));
        assertThat(new EndedRun(race).run(NO_SESSIONS)).isEqualTo(Removed.of(Kind.SESSIONS, 1));
    }

    @Test
    void aSaveThatIsUnderWayKeepsTheTranscript() {
        saveSession("hello", 0);
        Caller saving = race.caller();
        saving.stores.workspaceSessions().save("chat", List.of(Message.of("user", "more")), 1);
        assertThat(race.changingNothing(() -> race.withoutWaiting(() -> new EndedRun(race).run(NO_SESSIONS))))
                .isEqualTo(Removed.NOTHING);
        saving.commit();
    }

    /** What is emptied has the bytes that an empty save has, whatever its id. */
    @Test
    void anEmptiedTranscriptIsByteForByteAnEmptySave() {
        String id = "é\"\\/\\u0041\u2028\ud83d\ude00";
        race.stores.workspaceSessions().save(id, List.of(Message.of("user", "hello")), 0);
        new EndedRun(race).run(NO_SESSIONS);
        assertThat(race.stores.workspaceSessions().save(id, List.of(), 1)).isEqualTo(new SessionSave.AlreadySaved(2));
    }
}
