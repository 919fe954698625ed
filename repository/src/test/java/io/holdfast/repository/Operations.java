package io.holdfast.repository;

import static io.holdfast.repository.Worker.OTHER_OUTCOME;
import static io.holdfast.repository.Worker.OUTCOME;
import static io.holdfast.repository.Worker.TTL;
import static io.holdfast.repository.Worker.checkpointed;
import static io.holdfast.repository.Worker.leaping;
import static io.holdfast.repository.Worker.queued;
import static io.holdfast.repository.Worker.result;

import io.holdfast.agent.AgentCheckpoint;
import io.holdfast.agent.AgentPage;
import io.holdfast.agent.AgentStatus;
import io.holdfast.agent.Ended;
import io.holdfast.agent.Saved;
import io.holdfast.approval.ApprovalPage;
import io.holdfast.approval.ApprovalState;
import io.holdfast.approval.Consumption;
import io.holdfast.approval.Registration;
import io.holdfast.approval.Ruling;
import io.holdfast.approval.Withdrawal;
import io.holdfast.idempotency.Completion;
import io.holdfast.idempotency.KeepFor;
import io.holdfast.idempotency.KeyClaim;
import io.holdfast.idempotency.Reservation;
import io.holdfast.journal.Committed;
import io.holdfast.journal.EffectClass;
import io.holdfast.journal.EffectEntry;
import io.holdfast.journal.EffectId;
import io.holdfast.journal.Intent;
import io.holdfast.journal.JournalCommit;
import io.holdfast.journal.JournalEvent;
import io.holdfast.journal.NewRun;
import io.holdfast.journal.Opened;
import io.holdfast.journal.RecoverablePage;
import io.holdfast.journal.Resolution;
import io.holdfast.journal.Resolved;
import io.holdfast.journal.RunClaim;
import io.holdfast.journal.RunKind;
import io.holdfast.journal.StepKey;
import io.holdfast.lease.Acquisition;
import io.holdfast.lease.Fence;
import io.holdfast.lease.LeaseKey;
import io.holdfast.lease.Renewal;
import io.holdfast.run.Append;
import io.holdfast.run.Run;
import io.holdfast.run.RunChange;
import io.holdfast.run.RunCreation;
import io.holdfast.run.RunUpdate;
import io.holdfast.session.Message;
import io.holdfast.session.SessionSave;
import io.holdfast.step.Begun;
import io.holdfast.step.Finished;
import io.holdfast.step.Step;
import io.holdfast.step.StepResult;
import io.holdfast.step.StepResult.LeaseAfter;
import io.holdfast.workflow.Cancellation;
import io.holdfast.workflow.Creation;
import io.holdfast.workflow.Update;
import io.holdfast.workflow.Workflow;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Every operation of the contracts, with the answer of its winner and of those who ordinarily lose. */
final class Operations {

    private Operations() {}

    /** An operation, what has to be there before it, what it answers, and the statements that it takes. */
    record Case(String name, int statements, Class<?> answer, Function<Worker, Supplier<?>> prepare) {

        @Override
        public String toString() {
            return name;
        }
    }

    private static Case one(String name, Class<?> answer, Function<Worker, Supplier<?>> prepare) {
        return new Case(name, 1, answer, prepare);
    }

    private static Case two(String name, Class<?> answer, Function<Worker, Supplier<?>> prepare) {
        return new Case(name, 2, answer, prepare);
    }

    static Stream<Case> all() {
        return Stream.of(
                        workflows(),
                        leases(),
                        keys(),
                        steps(),
                        runs(),
                        sessions(),
                        approvals(),
                        journal(),
                        agents(),
                        CheckpointOperations.all())
                .flatMap(s -> s);
    }

    private static Opened.Done opened(Worker w) {
        return (Opened.Done) w.stores().journal().open(newRun(w), "a", TTL);
    }

    private static NewRun newRun(Worker w) {
        return NewRun.of(w.id(), RunKind.WORKFLOW, "digest", "{}");
    }

    private static JournalCommit step(Opened.Done opened) {
        StepKey step = StepKey.visit("a", 1);
        Intent intent = Intent.of(step, "payload", opened.head().id() + ":key", EffectClass.IDEMPOTENT);
        return JournalCommit.to(opened.head())
                .intent(intent)
                .effect(intent.pending())
                .state("{}")
                .event(JournalEvent.of("{}"))
                .build();
    }

    private static Stream<Case> journal() {
        return Stream.of(
                one(
                        "open a run",
                        Opened.Done.class,
                        w -> () -> w.stores().journal().open(newRun(w), "a", TTL)),
                one("open a run again", Opened.Taken.class, w -> {
                    opened(w);
                    return () -> w.stores().journal().open(newRun(w), "a", TTL);
                }),
                one("claim a run", RunClaim.Granted.class, w -> {
                    w.stores()
                            .leases()
                            .release(LeaseKey.ofRun(w.id()), opened(w).lease().fence());
                    return () -> w.stores().runLeases().claim(w.id(), "b", TTL, "digest");
                }),
                one("claim a run that is held", RunClaim.Busy.class, w -> {
                    opened(w);
                    return () -> w.stores().runLeases().claim(w.id(), "b", TTL, "digest");
                }),
                one("commit to a run", Committed.Done.class, w -> {
                    Opened.Done opened = opened(w);
                    return () -> w.stores().journal().commit(opened.lease().fence(), step(opened));
                }),
                one("commit to a run again", Committed.AlreadyApplied.class, w -> {
                    Opened.Done opened = opened(w);
                    w.stores().journal().commit(opened.lease().fence(), step(opened));
                    return () -> w.stores().journal().commit(opened.lease().fence(), step(opened));
                }),
                one("commit to a run after a takeover", Committed.FenceLost.class, w -> {
                    Opened.Done opened = opened(w);
                    w.stores().runLeases().claim(w.id(), "a", TTL, "digest");
                    return () -> w.stores().journal().commit(opened.lease().fence(), step(opened));
                }),
                one("resolve an effect", Resolved.Done.class, w -> {
                    Opened.Done opened = opened(w);
                    Fence fence = opened.lease().fence();
                    w.stores().journal().commit(fence, step(opened));
                    StepKey step = StepKey.visit("a", 1);
                    w.stores()
                            .journal()
                            .commit(
                                    fence,
                                    JournalCommit.toAny(w.id())
                                            .effect(EffectEntry.indeterminate(step, 0))
                                            .build());
                    EffectId effect = EffectId.of(w.stores().scope(), w.id(), step, 0);
                    return () -> w.stores()
                            .journal()
                            .resolveEffect(
                                    fence, w.id(), effect, Resolution.of(Resolution.Finding.CONFIRMED, "operator"));
                }),
                one("find a journal", Optional.class, w -> {
                    opened(w);
                    return () -> w.stores().journal().find(w.id());
                }),
                one(
                        "list events of a run",
                        List.class,
                        w -> () -> w.stores().journal().events(w.id(), 0, 10)),
                one(
                        "list runs to recover",
                        RecoverablePage.class,
                        w -> () -> w.stores().runLeases().recoverable("", 10)),
                one("purge runs", Integer.class, w -> () -> w.stores().journal().purge(Duration.ofDays(1), 10)));
    }

    private static Stream<Case> workflows() {
        return Stream.of(
                one(
                        "create",
                        Creation.Created.class,
                        w -> () -> w.stores().workflows().create(w.first(), Map.of("a", "b"))),
                one("create again", Creation.AlreadyCreated.class, w -> {
                    w.created();
                    return () -> w.stores().workflows().create(w.first(), Map.of());
                }),
                one("create what is taken", Creation.Taken.class, w -> {
                    w.created();
                    return () -> w.stores().workflows().create(w.first(), Map.of("a", "b"));
                }),
                one("find", Workflow.class, w -> {
                    w.created();
                    return () -> w.stores().workflows().find(w.id()).orElseThrow();
                }),
                one(
                        "find nothing",
                        Optional.class,
                        w -> () -> w.stores().workflows().find(w.id())),
                one("find checkpoint", Workflow.class, w -> {
                    w.created();
                    return () -> w.stores()
                            .workflows()
                            .findCheckpoint(w.id(), "req-1")
                            .orElseThrow();
                }),
                one("update", Update.Updated.class, w -> {
                    Workflow read = w.created();
                    return () -> w.stores().workflows().update(read, queued(read));
                }),
                one("update by an illegal move", Update.HistoryConflict.class, w -> {
                    Workflow read = w.created();
                    return () -> w.stores().workflows().update(read, leaping(read));
                }),
                // @Version tells only that it lost: why is one read more.
                two("update again", Update.AlreadyApplied.class, w -> {
                    Workflow read = w.created();
                    w.stores().workflows().update(read, queued(read));
                    return () -> w.stores().workflows().update(read, queued(read));
                }),
                two("update of an old revision", Update.RevisionConflict.class, w -> {
                    Workflow read = w.created();
                    w.stores().workflows().update(read, checkpointed(read));
                    return () -> w.stores().workflows().update(read, queued(read));
                }),
                one("fenced update", Update.Updated.class, w -> {
                    Workflow read = w.created();
                    Fence fence = w.acquired("a");
                    return () -> w.stores().workflows().updateFenced(read, queued(read), fence);
                }),
                one("fenced update again", Update.AlreadyApplied.class, w -> {
                    Workflow read = w.created();
                    Fence fence = w.acquired("a");
                    w.stores().workflows().updateFenced(read, queued(read), fence);
                    return () -> w.stores().workflows().updateFenced(read, queued(read), fence);
                }),
                one("fenced update after a takeover", Update.FenceLost.class, w -> {
                    Workflow read = w.created();
                    Fence fence = w.superseded();
                    return () -> w.stores().workflows().updateFenced(read, queued(read), fence);
                }),
                one("fenced update of an old revision", Update.RevisionConflict.class, w -> {
                    Workflow read = w.created();
                    Fence fence = w.acquired("a");
                    w.stores().workflows().update(read, checkpointed(read));
                    return () -> w.stores().workflows().updateFenced(read, queued(read), fence);
                }),
                one("request cancel", Cancellation.Requested.class, w -> {
                    w.created();
                    return () -> w.stores().workflows().requestCancel(w.id(), "enough");
                }),
                one("request cancel again", Cancellation.AlreadyRequested.class, w -> {
                    w.created();
                    w.stores().workflows().requestCancel(w.id(), "enough");
                    return () -> w.stores().workflows().requestCancel(w.id(), "enough");
                }),
                one("list", List.class, w -> {
                    w.created();
                    return () -> w.stores().workflows().list("", 10);
                }));
    }

    private static Stream<Case> leases() {
        return Stream.of(
                one(
                        "acquire",
                        Acquisition.Granted.class,
                        w -> () -> w.stores().leases().acquire(w.lease(), "a", TTL)),
                one("acquire what was released", Acquisition.Granted.class, w -> {
                    w.stores().leases().release(w.lease(), w.acquired("a"));
                    return () -> w.stores().leases().acquire(w.lease(), "b", TTL);
                }),
                one("acquire what is held", Acquisition.Busy.class, w -> {
                    w.acquired("a");
                    return () -> w.stores().leases().acquire(w.lease(), "b", TTL);
                }),
                one("renew", Renewal.Renewed.class, w -> {
                    Fence fence = w.acquired("a");
                    return () -> w.stores().leases().renew(w.lease(), fence);
                }),
                one("renew after a takeover", Renewal.Lost.class, w -> {
                    Fence fence = w.superseded();
                    return () -> w.stores().leases().renew(w.lease(), fence);
                }),
                one("renew all", Map.class, w -> {
                    Fence fence = w.acquired("a");
                    LeaseKey other = new LeaseKey("tick", w.id());
                    w.stores().leases().acquire(other, "a", TTL);
                    return () -> w.stores().leases().renewAll(Map.of(w.lease(), fence, other, fence));
                }),
                one("release", Boolean.class, w -> {
                    Fence fence = w.acquired("a");
                    return () -> w.stores().leases().release(w.lease(), fence);
                }),
                one("find lease", Optional.class, w -> {
                    w.acquired("a");
                    return () -> w.stores().leases().find(w.lease());
                }));
    }

    private static Stream<Case> keys() {
        return Stream.of(
                one(
                        "reserve",
                        Reservation.New.class,
                        w -> () -> w.stores().idempotencyKeys().reserve(w.key(), "req-1", KeepFor.DEFAULT)),
                one("reserve again", Reservation.InProgress.class, w -> {
                    w.reserved();
                    return () -> w.stores().idempotencyKeys().reserve(w.key(), "req-1", w.id(), KeepFor.DEFAULT);
                }),
                one("reserve for another request", Reservation.Conflict.class, w -> {
                    w.reserved();
                    return () -> w.stores().idempotencyKeys().reserve(w.key(), "req-2", w.id(), KeepFor.DEFAULT);
                }),
                one("reserve what is completed", Reservation.Completed.class, w -> {
                    w.stores().idempotencyKeys().complete(w.reserved(), OUTCOME);
                    return () -> w.stores().idempotencyKeys().reserve(w.key(), "req-1", w.id(), KeepFor.DEFAULT);
                }),
                one("complete", Completion.Done.class, w -> {
                    KeyClaim claim = w.reserved();
                    return () -> w.stores().idempotencyKeys().complete(claim, OUTCOME);
                }),
                one("complete otherwise", Completion.AlreadyCompleted.class, w -> {
                    KeyClaim claim = w.reserved();
                    w.stores().idempotencyKeys().complete(claim, OUTCOME);
                    return () -> w.stores().idempotencyKeys().complete(claim, OTHER_OUTCOME);
                }),
                one("fenced complete", Completion.Done.class, w -> {
                    KeyClaim claim = w.reserved();
                    Fence fence = w.acquired("a");
                    return () -> w.stores().idempotencyKeys().completeFenced(claim, OUTCOME, fence);
                }),
                one("find key", Optional.class, w -> {
                    w.reserved();
                    return () -> w.stores().idempotencyKeys().find(w.key());
                }));
    }

    private static Stream<Case> runs() {
        RunChange change = RunChange.to("x").merging(Map.of("b", 1)).logging(Map.of("type", "x"));
        return Stream.of(
                one(
                        "create run",
                        RunCreation.Created.class,
                        w -> () -> w.stores().runs().create(w.id(), Map.of("a", 1), Map.of())),
                one("create run again", RunCreation.AlreadyCreated.class, w -> {
                    Run run = w.started();
                    return () -> w.stores().runs().create(w.id(), run.input(), run.metadata());
                }),
                one("create run that is taken", RunCreation.Taken.class, w -> {
                    w.started();
                    return () -> w.stores().runs().create(w.id(), Map.of("other", 1), Map.of());
                }),
                one("find run", Optional.class, w -> {
                    w.started();
                    return () -> w.stores().runs().find(w.id());
                }),
                one("update run", RunUpdate.Updated.class, w -> {
                    Run read = w.started();
                    return () -> w.stores().runs().update(read, change);
                }),
                one("update run again", RunUpdate.AlreadyApplied.class, w -> {
                    Run read = w.started();
                    w.stores().runs().update(read, change);
                    return () -> w.stores().runs().update(read, change);
                }),
                one("update run of an old revision", RunUpdate.RevisionConflict.class, w -> {
                    Run read = w.started();
                    w.stores().runs().update(read, change);
                    return () -> w.stores().runs().update(read, RunChange.to("y"));
                }),
                one("update run against its status", RunUpdate.Forbidden.class, w -> {
                    Run read = w.started();
                    return () -> w.stores().runs().update(read, change.unless("running"));
                }),
                one("append to what was read", Append.Appended.class, w -> {
                    Run read = w.started();
                    return () -> w.stores().runs().append(read, List.of(Map.of("n", 1), Map.of("n", 2)));
                }),
                one("append", Append.Appended.class, w -> {
                    w.started();
                    return () -> w.stores().runs().append(w.id(), List.of(Map.of("n", 1), Map.of("n", 2)));
                }),
                one(
                        "append to nothing",
                        Append.NotFound.class,
                        w -> () -> w.stores().runs().append(w.id(), List.of(Map.of()))),
                one("events", List.class, w -> {
                    w.started();
                    return () -> w.stores().runs().events(w.id(), 0, 10);
                }),
                one("list runs", List.class, w -> () -> w.stores().runs().list("", 10)));
    }

    private static Stream<Case> sessions() {
        List<Message> hello = List.of(Message.of("user", "hello"));
        return Stream.of(
                one(
                        "save session",
                        SessionSave.Saved.class,
                        w -> () -> w.stores().workspaceSessions().save(w.id(), hello, 0)),
                one("save session again", SessionSave.AlreadySaved.class, w -> {
                    w.stores().workspaceSessions().save(w.id(), hello, 0);
                    return () -> w.stores().workspaceSessions().save(w.id(), hello, 0);
                }),
                one("save session of an old revision", SessionSave.Conflict.class, w -> {
                    w.stores().workspaceSessions().save(w.id(), hello, 0);
                    return () -> w.stores().workspaceSessions().save(w.id(), List.of(), 0);
                }),
                one("save session anew", SessionSave.Saved.class, w -> {
                    w.stores().workspaceSessions().save(w.id(), hello, 0);
                    return () -> w.stores().workspaceSessions().save(w.id(), List.of(), 1);
                }),
                one("find session", Optional.class, w -> {
                    w.stores().workspaceSessions().save(w.id(), hello, 0);
                    return () -> w.stores().workspaceSessions().find(w.id());
                }),
                one(
                        "list sessions",
                        List.class,
                        w -> () -> w.stores().workspaceSessions().list("", 10)));
    }

    private static Stream<Case> steps() {
        return Stream.of(
                one("begin", Begun.New.class, w -> {
                    Fence fence = w.acquired("a");
                    return () -> w.stores().steps().begin(w.step(), fence);
                }),
                one("begin again", Begun.Resumed.class, w -> {
                    Fence fence = w.acquired("a");
                    w.begun(fence);
                    return () -> w.stores().steps().begin(w.step(), fence);
                }),
                one("begin what is done", Begun.Completed.class, w -> {
                    Workflow read = w.created();
                    Fence fence = w.acquired("a");
                    w.stores().steps().step(w.step(), result(read), fence);
                    return () -> w.stores().steps().begin(w.step(), fence);
                }),
                one("begin for another request", Begun.Conflict.class, w -> {
                    Fence fence = w.acquired("a");
                    w.begun(fence);
                    return () -> w.stores().steps().begin(new Step(w.id(), w.key(), "req-2"), fence);
                }),
                one("begin after a takeover", Begun.Lost.class, w -> {
                    Fence fence = w.superseded();
                    return () -> w.stores().steps().begin(w.step(), fence);
                }),
                one("finish", Finished.Done.class, w -> {
                    Workflow read = w.created();
                    Fence fence = w.acquired("a");
                    KeyClaim claim = w.begun(fence);
                    return () -> w.stores().steps().finish(claim, result(read), fence);
                }),
                one("finish again", Finished.AlreadyApplied.class, w -> {
                    Workflow read = w.created();
                    Fence fence = w.acquired("a");
                    KeyClaim claim = w.begun(fence);
                    w.stores().steps().finish(claim, result(read), fence);
                    return () -> w.stores().steps().finish(claim, result(read), fence);
                }),
                one("finish on an old revision", Finished.RevisionConflict.class, w -> {
                    Workflow read = w.created();
                    Fence fence = w.acquired("a");
                    KeyClaim claim = w.begun(fence);
                    w.stores().workflows().update(read, checkpointed(read));
                    return () -> w.stores().steps().finish(claim, result(read), fence);
                }),
                one("finish after a takeover", Finished.FenceLost.class, w -> {
                    Workflow read = w.created();
                    Fence fence = w.superseded();
                    KeyClaim claim = w.reserved();
                    return () -> w.stores().steps().finish(claim, result(read), fence);
                }),
                one("step", Finished.Done.class, w -> {
                    Workflow read = w.created();
                    Fence fence = w.acquired("a");
                    return () -> w.stores().steps().step(w.step(), result(read), fence);
                }),
                one("step again", Finished.AlreadyApplied.class, w -> {
                    Workflow read = w.created();
                    Fence fence = w.acquired("a");
                    w.stores().steps().step(w.step(), result(read), fence);
                    return () -> w.stores().steps().step(w.step(), result(read), fence);
                }),
                one("step after a takeover", Finished.FenceLost.class, w -> {
                    Workflow read = w.created();
                    Fence fence = w.superseded();
                    return () -> w.stores().steps().step(w.step(), result(read), fence);
                }),
                one("step for another request", Finished.KeyConflict.class, w -> {
                    Workflow read = w.created();
                    Fence fence = w.acquired("a");
                    w.begun(fence);
                    return () -> w.stores().steps().step(new Step(w.id(), w.key(), "req-2"), result(read), fence);
                }),
                one("step on an old revision", Finished.RevisionConflict.class, w -> {
                    Workflow read = w.created();
                    w.stores().workflows().update(read, checkpointed(read));
                    Fence fence = w.acquired("a");
                    return () -> w.stores()
                            .steps()
                            .step(w.step(), new StepResult(read, queued(read), OUTCOME, LeaseAfter.KEEP), fence);
                }));
    }

    private static Stream<Case> approvals() {
        return Stream.of(
                one(
                        "register",
                        Registration.Registered.class,
                        w -> () -> w.stores().approvals().register(w.request())),
                one("register again", Registration.AlreadyRegistered.class, w -> {
                    w.registered();
                    return () -> w.stores().approvals().register(w.request());
                }),
                one("find approval", Optional.class, w -> {
                    w.registered();
                    return () -> w.stores().approvals().find(w.id());
                }),
                one("decide", Ruling.Decided.class, w -> {
                    w.registered();
                    return () -> w.stores().approvals().decide(w.id(), w.approval());
                }),
                one("decide again", Ruling.AlreadyDecided.class, w -> {
                    w.approved();
                    return () -> w.stores().approvals().decide(w.id(), w.approval());
                }),
                one("consume", Consumption.Consumed.class, w -> {
                    Fence fence = w.approved();
                    return () -> w.stores().approvals().consume(w.use(), fence);
                }),
                one("consume what nobody has decided", Consumption.Undecided.class, w -> {
                    w.registered();
                    Fence fence = w.runAcquired();
                    return () -> w.stores().approvals().consume(w.use(), fence);
                }),
                one("dispatch without a run", Consumption.NotEntered.class, w -> {
                    Fence fence = w.approved();
                    return () -> w.stores().approvals().dispatch(w.call(), fence);
                }),
                one("dispatch", Consumption.Dispatched.class, w -> {
                    Fence fence = opened(w).lease().fence();
                    w.decided();
                    return () -> w.stores().approvals().dispatch(w.call(), fence);
                }),
                one("dispatch again", Consumption.AlreadyConsumed.class, w -> {
                    Fence fence = opened(w).lease().fence();
                    w.decided();
                    w.stores().approvals().dispatch(w.call(), fence);
                    return () -> w.stores().approvals().dispatch(w.call(), fence);
                }),
                one("withdraw", Withdrawal.Withdrawn.class, w -> {
                    w.registered();
                    return () -> w.stores().approvals().withdraw(w.id(), "ann", "");
                }),
                one(
                        "withdraw what is over",
                        List.class,
                        w -> () -> w.stores().approvals().withdrawExpired(10)),
                one("list approvals", ApprovalPage.class, w -> {
                    w.registered();
                    return () -> w.stores().approvals().list(ApprovalState.PENDING, Optional.empty(), 10);
                }),
                one("list approvals of a run", ApprovalPage.class, w -> {
                    w.registered();
                    return () -> w.stores().approvals().listOfRun(w.id(), Optional.empty(), 10);
                }));
    }

    private static Stream<Case> agents() {
        return Stream.of(
                one("save", Saved.Done.class, w -> {
                    Fence fence = w.runAcquired();
                    return () -> w.stores().agentCheckpoints().save(w.id(), 0, w.agent(), fence);
                }),
                one("save the next", Saved.Done.class, w -> {
                    Fence fence = w.saved();
                    return () -> w.stores().agentCheckpoints().save(w.id(), 1, w.agent(), fence);
                }),
                one("save again", Saved.AlreadyApplied.class, w -> {
                    Fence fence = w.saved();
                    return () -> w.stores().agentCheckpoints().save(w.id(), 0, w.agent(), fence);
                }),
                one(
                        "save without a lease",
                        Saved.FenceLost.class,
                        w -> () -> w.stores().agentCheckpoints().save(w.id(), 0, w.agent(), new Fence("a", 1))),
                one("pause", Saved.Done.class, w -> {
                    Fence fence = w.saved();
                    return () -> w.stores().agentCheckpoints().pause(w.id(), 1, w.agent(), fence);
                }),
                one("load", AgentCheckpoint.class, w -> {
                    w.saved();
                    return () -> w.stores().agentCheckpoints().load(w.id()).orElseThrow();
                }),
                one("finish a run", Ended.Done.class, w -> {
                    Fence fence = w.saved();
                    return () -> w.stores().agentCheckpoints().finish(w.id(), LeaseAfter.RELEASE, fence);
                }),
                one("purge", Boolean.class, w -> {
                    w.saved();
                    return () -> w.stores().agentCheckpoints().purge(w.id());
                }),
                one("list incomplete runs", AgentPage.class, w -> {
                    w.saved();
                    return () -> w.stores().agentCheckpoints().incomplete(AgentStatus.RUNNING, Optional.empty(), 10);
                }));
    }
}
