package io.holdfast.repository.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.holdfast.Scope;
import io.holdfast.approval.ApprovalRequest;
import io.holdfast.approval.ApprovalUse;
import io.holdfast.approval.CallDigest;
import io.holdfast.approval.Decision;
import io.holdfast.approval.Expiry;
import io.holdfast.failure.CorruptRecordException;
import io.holdfast.failure.InvalidValueException;
import io.holdfast.failure.UnsupportedVersionException;
import io.holdfast.journal.Committed;
import io.holdfast.journal.Effect;
import io.holdfast.journal.EffectClass;
import io.holdfast.journal.EffectEntry;
import io.holdfast.journal.EffectId;
import io.holdfast.journal.EffectStatus;
import io.holdfast.journal.ExecutionJournal;
import io.holdfast.journal.Intent;
import io.holdfast.journal.JournalCommit;
import io.holdfast.journal.JournalEvent;
import io.holdfast.journal.NewRun;
import io.holdfast.journal.Opened;
import io.holdfast.journal.RecordedEvent;
import io.holdfast.journal.RecordedStep;
import io.holdfast.journal.RecoverablePage;
import io.holdfast.journal.RecoverableRun;
import io.holdfast.journal.Resolution;
import io.holdfast.journal.Resolution.Finding;
import io.holdfast.journal.Resolved;
import io.holdfast.journal.Run;
import io.holdfast.journal.RunClaim;
import io.holdfast.journal.RunHead;
import io.holdfast.journal.RunKind;
import io.holdfast.journal.RunLeases;
import io.holdfast.journal.RunSnapshot;
import io.holdfast.journal.RunStatus;
import io.holdfast.journal.StepKey;
import io.holdfast.journal.StepOutcome;
import io.holdfast.lease.Fence;
import io.holdfast.lease.LeaseKey;
import io.holdfast.lease.Loss;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What the journal of a run promises, call by call. */
abstract class JournalContract extends Contract {

    private static final StepKey CHARGE = StepKey.visit("charge", 3);
    private static final StepKey NOTIFY = StepKey.visit("notify", 4);
    private static final LeaseKey RUN = LeaseKey.ofRun("run");

    private final ExecutionJournal journal;
    private final RunLeases runs;
    private RunHead head;
    private Fence fence;

    JournalContract(Environment environment) {
        super(environment);
        journal = watched.watch(
                ExecutionJournal.class, environment.holdfast().in(scope).journal());
        runs = watched.watch(RunLeases.class, environment.holdfast().in(scope).runLeases());
    }

    private static NewRun run(String id) {
        return NewRun.of(id, RunKind.WORKFLOW, "digest", "{}");
    }

    private Opened.Done opened(String id) {
        return (Opened.Done) journal.open(run(id), "worker", MINUTE);
    }

    private void open() {
        Opened.Done done = opened("run");
        head = done.head();
        fence = done.lease().fence();
    }

    private RunClaim.Granted claimed(String id, String owner) {
        return (RunClaim.Granted) runs.claim(id, owner, MINUTE, "digest");
    }

    private Intent charge() {
        return Intent.of(CHARGE, "payload", scope.id() + "-charge", EffectClass.NON_IDEMPOTENT);
    }

    private Intent intent(StepKey step) {
        return Intent.of(step, "payload", scope.id() + "-" + step, EffectClass.IDEMPOTENT);
    }

    private JournalCommit.Builder next() {
        return JournalCommit.to(head);
    }

    private Committed commit(JournalCommit.Builder commit) {
        return journal.commit(fence, commit.build());
    }

    private void done(JournalCommit.Builder commit) {
        head = ((Committed.Done) commit(commit)).head();
    }

    private EffectId effect(StepKey step) {
        return EffectId.of(scope, "run", step, 0);
    }

    private RunSnapshot stored() {
        return journal.find("run").orElseThrow();
    }

    private static Resolution found(Finding finding) {
        return Resolution.of(finding, "operator");
    }

    @Test // J1
    void aRunIsOpenedOnceWithItsLease() {
        Opened.Done done = (Opened.Done) journal.open(
                run("run")
                        .withParent("root")
                        .withOrigin("{\"source\":\"test\"}")
                        .withStateVersion(2),
                "worker",
                MINUTE);
        assertThat(done.head().revision()).isEqualTo(1);
        assertThat(done.head().status()).isEqualTo(RunStatus.RUNNING);
        assertThat(done.head().events()).isZero();
        assertThat(done.lease().fence()).isEqualTo(new Fence("worker", 1));
        assertThat(done.lease().isLive()).isTrue();
        assertThat(leases.find(RUN).orElseThrow().fence())
                .isEqualTo(done.lease().fence());
        assertThat(journal.open(run("run"), "worker", MINUTE)).isEqualTo(new Opened.Taken(RunStatus.RUNNING));
        assertThat(journal.open(run("run"), "rival", MINUTE)).isEqualTo(new Opened.Taken(RunStatus.RUNNING));
        Run run = stored().run();
        assertThat(run.head()).isEqualTo(done.head());
        assertThat(run.kind()).isEqualTo(RunKind.WORKFLOW);
        assertThat(run.definitionDigest()).isEqualTo("digest");
        assertThat(run.parentId()).contains("root");
        assertThat(run.origin()).isEqualTo("{\"source\":\"test\"}");
        assertThat(run.cursor()).isEmpty();
        assertThat(run.state()).isEqualTo("{}");
        assertThat(run.stateVersion()).isEqualTo(2);
        assertThat(run.createdAt()).isEqualTo(run.head().updatedAt());
        assertThat(stored().isComplete()).isTrue();
    }

    @Test
    void aRunWhoseLeaseSomebodyHasCannotBeOpenedUntilItIsFree() {
        Fence early = granted(RUN, "rival", MINUTE).fence();
        assertThat(journal.open(run("run"), "worker", MINUTE)).isInstanceOf(Opened.Busy.class);
        assertThat(journal.find("run")).isEmpty();
        leases.release(RUN, early);
        assertThat(opened("run").lease().fence()).isEqualTo(new Fence("worker", early.token() + 1));
    }

    @Test // J2
    void whatBreaksALimitIsRefusedBeforeAnythingIsSent() {
        assertThatExceptionOfType(InvalidValueException.class).isThrownBy(() -> journal.open(run("run"), "", MINUTE));
        assertThatExceptionOfType(InvalidValueException.class)
                .isThrownBy(() -> journal.open(run("run"), "worker", Duration.ZERO));
        assertThatExceptionOfType(InvalidValueException.class)
                .isThrownBy(() -> journal.open(run("run"), "worker", Duration.ofDays(2)));
        assertThatExceptionOfType(InvalidValueException.class)
                .isThrownBy(() -> runs.claim("run", "worker", MINUTE, ""));
        assertThatExceptionOfType(InvalidValueException.class).isThrownBy(() -> runs.recoverable("", 0));
        assertThatExceptionOfType(InvalidValueException.class)
                .isThrownBy(() -> runs.recoverable("", RunLeases.MAX_PAGE + 1));
        assertThatExceptionOfType(InvalidValueException.class).isThrownBy(() -> journal.steps("run", -1, 1));
        assertThatExceptionOfType(InvalidValueException.class).isThrownBy(() -> journal.events("run", 0, 1_001));
        assertThatExceptionOfType(InvalidValueException.class)
                .isThrownBy(() -> journal.purge(Duration.ofSeconds(-1), 1));
        assertThat(journal.find("run")).isEmpty();
    }

    @Test // J3: not found, definition, finished, busy
    void aClaimHearsTheFirstOfAllThatStandsAgainstIt() {
        assertThat(runs.claim("run", "rival", MINUTE, "digest")).isEqualTo(new RunClaim.NotFound());
        assertThat(runs.claim("no\nid", "rival", MINUTE, "digest")).isEqualTo(new RunClaim.NotFound());
        open();
        assertThat(runs.claim("run", "rival", MINUTE, "digest")).isInstanceOf(RunClaim.Busy.class);
        assertThat(runs.claim("run", "rival", MINUTE, "other")).isEqualTo(new RunClaim.DefinitionMismatch("digest"));
        done(next().status(RunStatus.FAILED));
        assertThat(runs.claim("run", "rival", MINUTE, "other")).isEqualTo(new RunClaim.DefinitionMismatch("digest"));
        assertThat(runs.claim("run", "rival", MINUTE, "digest")).isEqualTo(new RunClaim.Finished(RunStatus.FAILED));
    }

    @Test // J4, hole 6: each grant has a token of its own, also the same owner's while it holds the lease
    void everyClaimIsAnotherFence() {
        open();
        Fence again = claimed("run", "worker").lease().fence();
        assertThat(again).isEqualTo(new Fence("worker", 2));
        assertThat(journal.commit(fence, next().cursor("a").build()))
                .isEqualTo(new Committed.FenceLost(Loss.SUPERSEDED));
        expire(RUN);
        assertThat(claimed("run", "worker").lease().fence().token()).isEqualTo(3);
        leases.release(RUN, new Fence("worker", 3));
        assertThat(claimed("run", "rival").lease().fence()).isEqualTo(new Fence("rival", 4));
    }

    @Test // J7
    void anEffectNeedsAnIntentStoredOrInTheSameCommit() {
        open();
        assertThat(commit(next().effect(charge().pending()))).isEqualTo(new Committed.EffectConflict(CHARGE, 0));
        assertThat(commit(next().outcome(StepOutcome.completed(CHARGE, "1")).effect(charge().pending())))
                .as("an outcome is no intent")
                .isEqualTo(new Committed.EffectConflict(CHARGE, 0));
        JournalCommit first = next().intent(charge())
                .effect(charge().pending())
                .event(JournalEvent.of("{\"type\":\"x\"}"))
                .build();
        Committed.Done done = (Committed.Done) journal.commit(fence, first);
        assertThat(journal.commit(fence, first)).isEqualTo(new Committed.AlreadyApplied(done.head()));
        head = done.head();
        done(JournalCommit.toAny("run").intent(charge()).effect(charge().pending()));
        assertThat(stored().events()).hasSize(1);
        assertThat(stored().steps()).hasSize(1);
        assertThat(stored().effects()).hasSize(1);
        done(next().intent(intent(NOTIFY)));
        done(next().effect(intent(NOTIFY).pending()));
        assertThat(stored().effects()).extracting(Effect::step).containsExactly(CHARGE, NOTIFY);
    }

    @Test // J8
    void anIntentAndAnOutcomeNeverChange() {
        open();
        String digest = CallDigest.of("the call");
        approvals.register(ApprovalRequest.of("approval", "run", "the call", Expiry.DEFAULT));
        approvals.decide("approval", Decision.approve(digest, "ann"));
        approvals.consume(new ApprovalUse("approval", "run", digest, CHARGE), fence);
        Intent full = Intent.of(CHARGE, digest, scope.id() + "-charge", EffectClass.NON_IDEMPOTENT)
                .under("approval")
                .withReservations(List.of("r1", "r2"));
        done(next().intent(full));
        Committed conflict = new Committed.StepConflict(CHARGE);
        assertThat(commit(next().intent(charge()))).isEqualTo(conflict);
        assertThat(commit(next().intent(full.under("another")))).isEqualTo(conflict);
        assertThat(commit(next().intent(full.withReservations(List.of("r2", "r1")))))
                .isEqualTo(conflict);
        assertThat(commit(next().intent(Intent.of(CHARGE, "other", full.idempotencyKey(), full.effectClass())
                        .under("approval"))))
                .isEqualTo(conflict);
        done(next().intent(full));
        done(next().outcome(StepOutcome.completed(CHARGE, "{\"a\":1}")));
        assertThat(commit(next().outcome(StepOutcome.failed(CHARGE, "{\"a\":1}"))))
                .isEqualTo(conflict);
        assertThat(commit(next().outcome(StepOutcome.completed(CHARGE, "{\"a\":2}"))))
                .isEqualTo(conflict);
        done(next().intent(full).outcome(StepOutcome.completed(CHARGE, "{\"a\":1}")));
        RecordedStep step = stored().steps().get(0);
        assertThat(step.ordinal()).isEqualTo(1);
        assertThat(step.intent()).contains(full);
        assertThat(step.outcome()).contains(StepOutcome.completed(CHARGE, "{\"a\":1}"));
        assertThat(step.intendedAt().orElseThrow()).isBefore(step.endedAt().orElseThrow());
    }

    @Test // J9
    void aPureStepIsDoneAndGetsNoIntentAfterwards() {
        open();
        done(next().outcome(StepOutcome.completed(CHARGE, "null")));
        assertThat(commit(next().intent(charge()))).isEqualTo(new Committed.StepConflict(CHARGE));
        RecordedStep step = stored().steps().get(0);
        assertThat(step.intent()).isEmpty();
        assertThat(step.intendedAt()).isEmpty();
        assertThat(step.outcome()).contains(StepOutcome.completed(CHARGE, "null"));
    }

    @Test // J10
    void anEffectGoesFromPendingToConfirmedOrInDoubtAndNoFurther() {
        open();
        Committed conflict = new Committed.EffectConflict(CHARGE, 0);
        assertThat(commit(next().intent(charge()).effect(EffectEntry.confirmed(CHARGE, 0))))
                .as("a new one is pending")
                .isEqualTo(conflict);
        done(next().intent(charge()).effect(charge().pending()));
        assertThat(commit(next().effect(EffectEntry.pending(CHARGE, 0, scope.id() + "-other"))))
                .isEqualTo(conflict);
        done(next().effect(EffectEntry.confirmed(CHARGE, 0, "{\"ok\":true}")));
        assertThat(commit(next().effect(EffectEntry.indeterminate(CHARGE, 0)))).isEqualTo(conflict);
        assertThat(commit(next().effect(EffectEntry.confirmed(CHARGE, 0, "{\"ok\":false}"))))
                .isEqualTo(conflict);
        assertThat(commit(next().effect(EffectEntry.confirmed(CHARGE, 0)))).isEqualTo(conflict);
        assertThat(commit(next().effect(charge().pending()))).isEqualTo(conflict);
        done(next().effect(EffectEntry.confirmed(CHARGE, 0, "{\"ok\":true}")));
        Effect effect = stored().effects().get(0);
        assertThat(effect.id()).isEqualTo(effect(CHARGE));
        assertThat(effect.status()).isEqualTo(EffectStatus.CONFIRMED);
        assertThat(effect.result()).contains("{\"ok\":true}");
        assertThat(effect.idempotencyKey()).isEqualTo(charge().idempotencyKey());
        done(next().intent(intent(NOTIFY)).effect(intent(NOTIFY).pending()));
        done(next().effect(EffectEntry.indeterminate(NOTIFY, 0)));
        done(next().effect(EffectEntry.indeterminate(NOTIFY, 0)));
        assertThat(commit(next().effect(EffectEntry.confirmed(NOTIFY, 0))))
                .isEqualTo(new Committed.EffectConflict(NOTIFY, 0));
    }

    @Test
    void aKeyGoesOutOnceInAScopeAcrossRunsAndNothingOfTheCommitIsWritten() {
        open();
        Opened.Done second = opened("second");
        Intent same = Intent.of(NOTIFY, "payload", charge().idempotencyKey(), EffectClass.IDEMPOTENT);
        done(next().intent(charge()).effect(charge().pending()));
        JournalCommit rival = JournalCommit.to(second.head())
                .intent(same)
                .intent(intent(CHARGE))
                .effect(EffectEntry.pending(CHARGE, 0, scope.id() + "-free"))
                .effect(same.pending())
                .state("{\"a\":1}")
                .build();
        assertThat(journal.commit(second.lease().fence(), rival))
                .isEqualTo(new Committed.KeyTaken(charge().idempotencyKey()));
        assertThat(journal.find("second").orElseThrow().run().steps()).isZero();
        assertThat(commit(next().effect(EffectEntry.pending(CHARGE, 1, charge().idempotencyKey()))))
                .as("also within a run")
                .isEqualTo(new Committed.KeyTaken(charge().idempotencyKey()));
    }

    @Test // J12
    void whoPausesOrFinishesGivesTheLeaseBack() {
        open();
        JournalCommit pause = next().status(RunStatus.PAUSED).build();
        Committed.Done paused = (Committed.Done) journal.commit(fence, pause);
        assertThat(leases.find(RUN)).isEmpty();
        assertThat(journal.commit(fence, pause)).isEqualTo(new Committed.AlreadyApplied(paused.head()));
        head = paused.head();
        assertThat(commit(next().cursor("x"))).isEqualTo(new Committed.FenceLost(Loss.NONE));
        fence = claimed("run", "worker").lease().fence();
        assertThat(stored().run().head()).isEqualTo(head);
        done(next().status(RunStatus.RUNNING));
        assertThat(leases.find(RUN)).isPresent();
        done(next().status(RunStatus.COMPLETED));
        assertThat(leases.find(RUN)).isEmpty();
        fence = granted(RUN, "somebody", MINUTE).fence();
        assertThat(commit(next().cursor("x"))).isEqualTo(new Committed.Finished(RunStatus.COMPLETED));
        assertThat(journal.commit(
                        fence,
                        JournalCommit.toAny("run").status(RunStatus.RUNNING).build()))
                .isEqualTo(new Committed.Finished(RunStatus.COMPLETED));
    }

    private void inDoubt() {
        open();
        done(next().intent(charge()).effect(charge().pending()));
        done(next().effect(EffectEntry.indeterminate(CHARGE, 0)));
    }

    @Test // J13
    void whatIsResolvedInAPausedRunGivesTheLeaseBack() {
        inDoubt();
        done(next().status(RunStatus.PAUSED));
        RunClaim.Granted granted = claimed("run", "resolver");
        assertThat(granted.head().status()).isEqualTo(RunStatus.PAUSED);
        Fence resolver = granted.lease().fence();
        Resolution resolution =
                found(Finding.CONFIRMED).withResult("{\"id\":7}").withReason("seen at the\nprovider");
        Resolved.Done done = (Resolved.Done) journal.resolveEffect(resolver, "run", effect(CHARGE), resolution);
        assertThat(done.head().status()).isEqualTo(RunStatus.PAUSED);
        assertThat(done.head().revision()).isEqualTo(head.revision() + 1);
        assertThat(leases.find(RUN)).isEmpty();
        Effect effect = stored().effects().get(0);
        assertThat(effect.status()).isEqualTo(EffectStatus.RESOLVED);
        assertThat(effect.finding()).contains(Finding.CONFIRMED);
        assertThat(effect.resolvedBy()).contains("operator");
        assertThat(effect.result()).contains("{\"id\":7}");
        assertThat(stored().events())
                .extracting(RecordedEvent::type, RecordedEvent::payload)
                .containsExactly(org.assertj.core.groups.Tuple.tuple(
                        "effect_resolved",
                        "{\"actor\":\"operator\",\"effect_id\":\"" + effect(CHARGE)
                                + "\",\"reason\":\"seen at the\uFFFDprovider\",\"resolution\":\"confirmed\","
                                + "\"type\":\"effect_resolved\"}"));
        assertThat(journal.resolveEffect(resolver, "run", effect(CHARGE), resolution))
                .isEqualTo(new Resolved.AlreadyResolved(Finding.CONFIRMED, "operator"));
        assertThat(journal.resolveEffect(
                        resolver, "run", effect(CHARGE), Resolution.of(Finding.FAILED, "somebody else")))
                .isEqualTo(new Resolved.AlreadyResolved(Finding.CONFIRMED, "operator"));
        assertThat(runs.recoverable("", 10).runs())
                .as("nothing keeps it from going on")
                .extracting(RecoverableRun::id)
                .containsExactly("run");
    }

    @Test // J14, hole 7
    void onlyAnEffectInDoubtIsResolvedAndOnlyUnderTheLease() {
        open();
        done(next().intent(charge()).effect(charge().pending()));
        Resolution resolution = found(Finding.NOT_APPLIED);
        assertThat(journal.resolveEffect(fence, "run", effect(NOTIFY), resolution))
                .isEqualTo(new Resolved.NotFound());
        assertThat(journal.resolveEffect(fence, "none", effect(CHARGE), resolution))
                .isEqualTo(new Resolved.NotFound());
        assertThat(journal.resolveEffect(fence, "", effect(CHARGE), resolution)).isEqualTo(new Resolved.NotFound());
        assertThat(journal.resolveEffect(fence, "run", effect(CHARGE), resolution))
                .isEqualTo(new Resolved.NotIndeterminate(EffectStatus.PENDING));
        done(next().effect(EffectEntry.indeterminate(CHARGE, 0)));
        assertThat(journal.resolveEffect(new Fence("rival", 1), "run", effect(CHARGE), resolution))
                .isEqualTo(new Resolved.FenceLost(Loss.SUPERSEDED));
        assertThat(journal.resolveEffect(fence, "run", effect(CHARGE), resolution))
                .isInstanceOf(Resolved.Done.class);
        assertThat(leases.find(RUN)).as("of a running run the lease is kept").isPresent();
        assertThat(commit(JournalCommit.toAny("run").effect(EffectEntry.confirmed(CHARGE, 0))))
                .as("what was resolved is no commit's to change")
                .isEqualTo(new Committed.EffectConflict(CHARGE, 0));
    }

    @Test
    void ofAFinishedRunNothingIsResolved() {
        inDoubt();
        done(next().status(RunStatus.FAILED));
        Fence late = granted(RUN, "late", MINUTE).fence();
        assertThat(journal.resolveEffect(late, "run", effect(CHARGE), found(Finding.FAILED)))
                .isEqualTo(new Resolved.Finished(RunStatus.FAILED));
    }

    @Test // J15
    void eventsAreNumberedWithoutAGap() {
        open();
        done(next().events(List.of(JournalEvent.of("{\"type\":\"x\"}"), JournalEvent.of("{\"a\":1}"))));
        assertThat(head.events()).isEqualTo(2);
        done(next().intent(charge()).effect(charge().pending()));
        done(next().effect(EffectEntry.indeterminate(CHARGE, 0)));
        journal.resolveEffect(fence, "run", effect(CHARGE), found(Finding.CONFIRMED));
        List<RecordedEvent> events = journal.events("run", 0, 10);
        assertThat(events).extracting(RecordedEvent::sequence).containsExactly(1L, 2L, 3L);
        assertThat(events).extracting(RecordedEvent::type).containsExactly("x", "custom", "effect_resolved");
        assertThat(events).extracting(RecordedEvent::payload).startsWith("{\"type\":\"x\"}", "{\"a\":1}");
        assertThat(events.get(1).at()).isEqualTo(events.get(0).at());
        assertThat(journal.events("run", 2, 1)).containsExactly(events.get(2));
        assertThat(journal.events("none", 0, 1)).isEmpty();
    }

    @Test // J16, hole 8
    void whatACommitDoesNotMentionStaysAsItIs() {
        open();
        done(next().state("{\"n\":1}").stateVersion(3).cursor("charge").status(RunStatus.INTERRUPTED));
        done(next().event(JournalEvent.of("{}")));
        Run run = stored().run();
        assertThat(run.state()).isEqualTo("{\"n\":1}");
        assertThat(run.stateVersion()).isEqualTo(3);
        assertThat(run.cursor()).contains("charge");
        assertThat(run.head().status()).isEqualTo(RunStatus.INTERRUPTED);
        done(next().noCursor());
        assertThat(stored().run().cursor()).isEmpty();
        assertThat(commit(next().state("{}").stateVersion(2))).isEqualTo(new Committed.StateVersionConflict(3));
        done(next().state("{}"));
        assertThat(stored().run().stateVersion()).isEqualTo(3);
    }

    @Test // J17, hole 4
    void aRowThatCannotBeReadHidesNoOther() {
        for (String id : List.of("a", "b", "c", "d")) {
            leases.release(LeaseKey.ofRun(id), opened(id).lease().fence());
        }
        environment.changeRow("update {execution} set journal_version = 2 where scope = ? and id = 'b'", scope.id());
        environment.changeRow("update {execution} set kind = 'durable_graph' where scope = ? and id = 'c'", scope.id());
        List<RecoverableRun> found = runs.recoverable("", 10).runs();
        assertThat(found).extracting(RecoverableRun::id).containsExactly("a", "b", "c", "d");
        assertThat(found.get(1))
                .isEqualTo(new RecoverableRun.Unreadable("b", "it is of version 2, this release knows up to 1"));
        assertThat(found.get(2))
                .isEqualTo(new RecoverableRun.Unreadable("c", "its kind is none that this release knows"));
        assertThat(found.get(3)).isInstanceOf(RecoverableRun.Claimable.class);
        assertThatExceptionOfType(UnsupportedVersionException.class).isThrownBy(() -> journal.find("b"));
        assertThatExceptionOfType(UnsupportedVersionException.class).isThrownBy(() -> journal.events("b", 0, 1));
        assertThatExceptionOfType(UnsupportedVersionException.class)
                .isThrownBy(() -> runs.claim("b", "worker", MINUTE, "digest"));
        Fence held = granted(LeaseKey.ofRun("b"), "worker", MINUTE).fence();
        assertThatExceptionOfType(UnsupportedVersionException.class)
                .isThrownBy(() -> journal.commit(
                        held, JournalCommit.toAny("b").cursor("x").build()));
        assertThatExceptionOfType(CorruptRecordException.class).isThrownBy(() -> journal.find("c"));
    }

    @Test // J21, hole 3
    void aHeartbeatDoesNotChangeTheRevision() {
        open();
        leases.renew(RUN, fence);
        done(next().cursor("a"));
        leases.renewAll(java.util.Map.of(RUN, fence));
        done(next().cursor("b"));
        assertThat(head.revision()).isEqualTo(3);
        RunHead former = head;
        done(next().cursor("c"));
        assertThat(journal.commit(fence, JournalCommit.to(former).cursor("d").build()))
                .isEqualTo(new Committed.RevisionConflict(4));
    }

    @Test // J22
    void aStateKeepsItsBytes() {
        String state = "{ \"nul\":\"\\u0000\", \"a\\\\\\\"b\" : \"é\uD83D\uDE00\", \"n\":1.0 }";
        journal.open(NewRun.of("run", RunKind.AGENT, "digest", state), "worker", MINUTE);
        assertThat(stored().run().state()).isEqualTo(state);
        fence = new Fence("worker", 1);
        done(JournalCommit.toAny("run")
                .outcome(StepOutcome.completed(StepKey.call(1, "a\nb\"\\"), "\"\\u0000,{}\\\\\""))
                .event(JournalEvent.of("{\"x\":\"NULL\"}")));
        assertThat(stored().steps().get(0).key().callId()).contains("a\nb\"\\");
        assertThat(stored().steps().get(0).outcome().orElseThrow().output()).isEqualTo("\"\\u0000,{}\\\\\"");
    }

    @Test // J26, hole 12
    void stepsAndEffectsComeInTheOrderInWhichTheyWereWritten() {
        open();
        JournalCommit.Builder all = next();
        List<StepKey> steps = List.of(StepKey.visit("z", 1), StepKey.visit("m", 2), StepKey.visit("a", 3));
        steps.forEach(step -> all.intent(intent(step)).effect(intent(step).pending()));
        done(all);
        done(next().effect(EffectEntry.confirmed(steps.get(0), 0)).outcome(StepOutcome.completed(steps.get(1), "1")));
        assertThat(stored().effects()).extracting(Effect::step).containsExactlyElementsOf(steps);
        assertThat(stored().effects()).extracting(Effect::ordinal).containsExactly(1L, 2L, 3L);
        assertThat(stored().steps()).extracting(RecordedStep::key).containsExactlyElementsOf(steps);
        assertThat(journal.effects("run", 1, 1)).extracting(Effect::step).containsExactly(steps.get(1));
        assertThat(journal.steps("run", 2, 5)).extracting(RecordedStep::key).containsExactly(steps.get(2));
        done(next().intent(intent(CHARGE)));
        assertThat(journal.steps("run", 3, 5)).extracting(RecordedStep::ordinal).containsExactly(4L);
    }

    @Test
    void aSnapshotSaysWhatItLeftOut() {
        open();
        List<JournalEvent> page = IntStream.range(0, 999)
                .mapToObj(i -> JournalEvent.of("{\"i\":" + i + "}"))
                .toList();
        done(next().events(page));
        done(next().events(page));
        RunSnapshot snapshot = stored();
        assertThat(snapshot.events()).hasSize(ExecutionJournal.MAX_PAGE);
        assertThat(snapshot.run().head().events()).isEqualTo(1_998);
        assertThat(snapshot.isComplete()).isFalse();
        assertThat(journal.events("run", 1_000, 1_000)).hasSize(998);
    }

    @Test // design 4: not found, repeat, fence, finished, revision, state version, step, effect, key
    void aCommitHearsTheFirstOfAllThatStandsAgainstIt() {
        open();
        done(next().intent(charge()).effect(charge().pending()).stateVersion(5));
        JournalCommit.Builder bad = JournalCommit.to(new RunHead("run", RunStatus.RUNNING, 7, 0, head.updatedAt()))
                .stateVersion(1)
                .outcome(StepOutcome.completed(NOTIFY, "1"))
                .intent(Intent.of(CHARGE, "other", "k", EffectClass.PURE))
                .effect(EffectEntry.confirmed(NOTIFY, 0))
                .effect(EffectEntry.pending(CHARGE, 1, charge().idempotencyKey()));
        assertThat(journal.commit(new Fence("rival", 9), bad.build()))
                .isEqualTo(new Committed.FenceLost(Loss.SUPERSEDED));
        assertThat(commit(bad)).isEqualTo(new Committed.RevisionConflict(2));
        JournalCommit.Builder any = JournalCommit.toAny("run").stateVersion(1);
        assertThat(commit(any.intent(Intent.of(CHARGE, "other", "k", EffectClass.PURE))))
                .isEqualTo(new Committed.StateVersionConflict(5));
        assertThat(commit(any.stateVersion(5).effect(EffectEntry.confirmed(NOTIFY, 0))))
                .isEqualTo(new Committed.StepConflict(CHARGE));
        assertThat(commit(JournalCommit.toAny("run")
                        .effect(EffectEntry.pending(CHARGE, 1, charge().idempotencyKey()))
                        .effect(EffectEntry.confirmed(NOTIFY, 0))))
                .isEqualTo(new Committed.EffectConflict(NOTIFY, 0));
        assertThat(journal.commit(fence, JournalCommit.toAny("none").cursor("x").build()))
                .isEqualTo(new Committed.NotFound());
        expire(RUN);
        assertThat(commit(next().cursor("x"))).isEqualTo(new Committed.FenceLost(Loss.EXPIRED));
        leases.release(RUN, fence);
        assertThat(commit(next().cursor("x"))).isEqualTo(new Committed.FenceLost(Loss.NONE));
    }

    @Test
    void aRepeatIsKnownByItsContentItsRevisionAndItsFence() {
        open();
        JournalCommit first = next().event(JournalEvent.of("{}")).build();
        head = ((Committed.Done) journal.commit(fence, first)).head();
        assertThat(journal.commit(fence, first)).isEqualTo(new Committed.AlreadyApplied(head));
        leases.release(RUN, fence);
        assertThat(journal.commit(fence, first))
                .as("whatever became of the lease")
                .isEqualTo(new Committed.AlreadyApplied(head));
        Fence next = claimed("run", "worker").lease().fence();
        assertThat(journal.commit(next, first)).isEqualTo(new Committed.RevisionConflict(2));
        JournalCommit any =
                JournalCommit.toAny("run").event(JournalEvent.of("{}")).build();
        journal.commit(next, any);
        journal.commit(next, any);
        assertThat(stored().events())
                .as("who does not say the revision appends again")
                .hasSize(3);
    }

    @Test
    void aCommitOfTheSameContentBehindAResolutionIsNoRepeat() {
        inDoubt();
        done(next().event(JournalEvent.of("{}")));
        journal.resolveEffect(fence, "run", effect(CHARGE), found(Finding.CONFIRMED));
        assertThat(commit(next().event(JournalEvent.of("{}"))))
                .isEqualTo(new Committed.RevisionConflict(head.revision() + 1));
        assertThat(stored().events()).hasSize(2);
    }

    @Test
    void whatIsReservedForAStepIsNotTakenForItsOutcome() {
        open();
        commit(next().intent(charge().withReservations(List.of("completed", "1"))));
        assertThat(commit(next().intent(charge()).outcome(StepOutcome.completed(CHARGE, "1"))))
                .isEqualTo(new Committed.RevisionConflict(2));
    }

    @Test // hole 10
    void recoveryFindsWhatSomebodyShouldBeAtWorkOnAndNobodyIs() {
        opened("live");
        opened("expired");
        expire(LeaseKey.ofRun("expired"));
        leases.release(LeaseKey.ofRun("released"), opened("released").lease().fence());
        Opened.Done finished = opened("finished");
        journal.commit(
                finished.lease().fence(),
                JournalCommit.to(finished.head()).status(RunStatus.COMPLETED).build());
        for (String id : List.of("paused", "paused and claimed", "paused and given back", "paused and held")) {
            Opened.Done paused = opened(id);
            journal.commit(
                    paused.lease().fence(),
                    JournalCommit.to(paused.head()).status(RunStatus.PAUSED).build());
        }
        claimed("paused and claimed", "gone");
        expire(LeaseKey.ofRun("paused and claimed"));
        claimed("paused and held", "present");
        leases.release(
                LeaseKey.ofRun("paused and given back"),
                claimed("paused and given back", "present").lease().fence());
        RecoverablePage page = runs.recoverable("", 10);
        assertThat(page.next()).isEmpty();
        assertThat(page.runs())
                .extracting(RecoverableRun::id)
                .containsExactly("expired", "paused and claimed", "paused and given back", "released");
        RecoverableRun.Claimable claimable =
                (RecoverableRun.Claimable) page.runs().get(1);
        assertThat(claimable.status()).isEqualTo(RunStatus.PAUSED);
        assertThat(claimable.lastOwner()).contains("gone");
        assertThat(((RecoverableRun.Claimable) page.runs().get(2)).lastOwner()).isEmpty();
        assertThat(claimable.kind()).isEqualTo(RunKind.WORKFLOW);
        assertThat(claimable.definitionDigest()).isEqualTo("digest");
        assertThat(claimed("paused and claimed", "rival").head().status()).isEqualTo(RunStatus.PAUSED);
        assertThat(runs.recoverable("", 10).runs())
                .extracting(RecoverableRun::id)
                .containsExactly("expired", "paused and given back", "released");
    }

    @Test
    void aRunWhoseLeaseRetentionHasRemovedIsRecoverableAndClaimable() {
        opened("run");
        environment.changeRow("delete from {lease} where scope = ? and kind = 'run' and id = 'run'", scope.id());
        assertThat(runs.recoverable("", 10).runs()).hasSize(1);
        assertThat(claimed("run", "rival").lease().fence().owner()).isEqualTo("rival");
        assertThat(runs.recoverable("", 10).runs()).isEmpty();
    }

    @Test
    void pagesOfRecoveryGoOnWhereTheLastEnded() {
        for (int i = 0; i < 5; i++) {
            String id = "run-" + i;
            leases.release(LeaseKey.ofRun(id), opened(id).lease().fence());
        }
        List<String> seen = new ArrayList<>();
        Optional<String> after = Optional.of("");
        while (after.isPresent()) {
            RecoverablePage page = runs.recoverable(after.get(), 2);
            page.runs().forEach(run -> seen.add(run.id()));
            after = page.next();
        }
        assertThat(seen).containsExactly("run-0", "run-1", "run-2", "run-3", "run-4");
    }

    @Test // the parent, recovered, would begin it and its effects anew
    void aFinishedPartOfAnUnfinishedRunIsNotPurged() {
        opened("parent");
        Opened.Done part = (Opened.Done) journal.open(run("parent/part#1").withParent("parent"), "worker", MINUTE);
        journal.commit(
                part.lease().fence(),
                JournalCommit.to(part.head()).status(RunStatus.COMPLETED).build());
        assertThat(journal.purge(Duration.ZERO, 10)).isZero();
        assertThat(journal.find("parent/part#1")).isPresent();
    }

    @Test // hole 9
    void onlyWhatIsOverAndWithoutDoubtIsPurged() {
        for (String id : List.of("old", "older", "young")) {
            Opened.Done done = opened(id);
            journal.commit(
                    done.lease().fence(),
                    JournalCommit.to(done.head())
                            .status(RunStatus.COMPLETED)
                            .outcome(StepOutcome.completed(CHARGE, "1"))
                            .event(JournalEvent.of("{}"))
                            .build());
        }
        inDoubt();
        done(next().status(RunStatus.FAILED));
        Opened.Done parent = opened("parent");
        journal.open(run("parent/part#1").withParent("parent"), "worker", MINUTE);
        journal.commit(
                parent.lease().fence(),
                JournalCommit.to(parent.head()).status(RunStatus.COMPLETED).build());
        opened("unfinished");
        for (String id : List.of("old", "older", "run", "parent", "unfinished")) {
            environment.changeRow(
                    "update {execution} set created_at = created_at - interval '2 days', updated_at = updated_at"
                            + " - interval '2 days' where scope = ? and id = ?",
                    scope.id(),
                    id);
        }
        assertThat(journal.purge(Duration.ofDays(1), 1)).isEqualTo(1);
        assertThat(journal.purge(Duration.ofDays(1), 10)).isEqualTo(1);
        assertThat(journal.purge(Duration.ofDays(1), 10)).isZero();
        assertThat(journal.find("old")).isEmpty();
        assertThat(journal.find("older")).isEmpty();
        for (String id : List.of("young", "run", "parent", "unfinished")) {
            assertThat(journal.find(id)).as(id).isPresent();
        }
        assertThat(environment.value(
                        "select count(*) from {execution_event} where scope = ? and run_id = 'old'", scope.id()))
                .isEqualTo("0");
        assertThat(opened("old").lease().fence().token()).as("tokens go on").isEqualTo(2);
    }

    @Test
    void aRunOfOneScopeIsNoneOfAnother() {
        open();
        done(next().intent(charge()).effect(charge().pending()));
        Scope other = Scope.of(scope.id() + "-other");
        Watched eyes = new Watched(environment, other);
        ExecutionJournal elsewhere = eyes.watch(
                ExecutionJournal.class, environment.holdfast().in(other).journal());
        RunLeases elsewheres =
                eyes.watch(RunLeases.class, environment.holdfast().in(other).runLeases());
        assertThat(elsewhere.find("run")).isEmpty();
        assertThat(elsewheres.claim("run", "rival", MINUTE, "digest")).isEqualTo(new RunClaim.NotFound());
        assertThat(elsewhere.commit(
                        fence, JournalCommit.toAny("run").cursor("x").build()))
                .isEqualTo(new Committed.NotFound());
        Opened.Done done = (Opened.Done) elsewhere.open(run("run"), "worker", MINUTE);
        assertThat(elsewhere.commit(
                        done.lease().fence(),
                        JournalCommit.to(done.head())
                                .intent(charge())
                                .effect(charge().pending())
                                .build()))
                .isInstanceOf(Committed.Done.class);
        leases.release(RUN, fence);
        assertThat(elsewheres.recoverable("", 10).runs()).isEmpty();
        assertThat(runs.recoverable("", 10).runs()).hasSize(1);
    }

    @Test // 8.1: a run, its first commit and whatever else belongs to it, in one transaction
    void severalWritesAreOneTransaction() {
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() ->
                        environment.perform(() -> environment.holdfast().atomically(bound -> {
                            Opened.Done done =
                                    (Opened.Done) bound.in(scope).journal().open(run("run"), "worker", MINUTE);
                            Committed answer = bound.in(scope)
                                    .journal()
                                    .commit(
                                            done.lease().fence(),
                                            JournalCommit.to(done.head())
                                                    .intent(charge())
                                                    .intent(intent(NOTIFY))
                                                    .effect(charge().pending())
                                                    .effect(intent(NOTIFY).pending())
                                                    .build());
                            assertThat(answer).isInstanceOf(Committed.Done.class);
                            throw new IllegalStateException("enough");
                        })));
        assertThat(journal.find("run")).isEmpty();
        assertThat(leases.find(RUN)).isEmpty();
    }
}
