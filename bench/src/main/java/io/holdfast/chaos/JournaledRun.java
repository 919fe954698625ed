package io.holdfast.chaos;

import io.holdfast.approval.ApprovalRequest;
import io.holdfast.approval.ApprovalUse;
import io.holdfast.approval.ApprovedCall;
import io.holdfast.approval.CallDigest;
import io.holdfast.approval.Consumption;
import io.holdfast.approval.Expiry;
import io.holdfast.chaos.Desk.Answer;
import io.holdfast.chaos.Desk.Seen;
import io.holdfast.codec.Canonical;
import io.holdfast.journal.Committed;
import io.holdfast.journal.Effect;
import io.holdfast.journal.EffectClass;
import io.holdfast.journal.EffectEntry;
import io.holdfast.journal.EffectId;
import io.holdfast.journal.Intent;
import io.holdfast.journal.JournalCommit;
import io.holdfast.journal.JournalEvent;
import io.holdfast.journal.Resolution;
import io.holdfast.journal.Resolution.Finding;
import io.holdfast.journal.Resolved;
import io.holdfast.journal.RunHead;
import io.holdfast.journal.RunSnapshot;
import io.holdfast.journal.RunStatus;
import io.holdfast.journal.StepKey;
import io.holdfast.journal.StepOutcome;
import io.holdfast.lease.Fence;
import io.holdfast.lease.LeaseKey;
import io.holdfast.repository.Stores;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * One run under one lease: each round reads what is stored and does what comes next, whoever did what came before. Steps have
 * an effect outside; one of them needs leave. Whoever does not get the answer that it hoped for stops.
 */
final class JournaledRun {

    static final int STEPS = 3;

    private final Desk desk;
    private final String id;
    private final Fence fence;
    private final Place place;

    JournaledRun(Desk desk, String id, Fence fence, Place place) {
        this.desk = desk;
        this.id = id;
        this.fence = fence;
        this.place = place;
    }

    /** Until it is over or waits, or is lost, or for so many rounds. */
    void goOn(int rounds) throws InterruptedException {
        for (int left = rounds; left > 0; left--) {
            RunSnapshot stored = desk.reading(
                            "find-journal",
                            id,
                            () -> desk.stores.journal().find(id),
                            found -> Seen.at(found.map(run -> run.run().head().events())))
                    .orElseThrow();
            if (stored.run().head().status().isFinal() || !round(stored)) {
                return;
            }
            desk.pause();
        }
        if (desk.random.nextBoolean()) { // or as if it had died
            desk.asking(
                    desk.call("release", id, fence.token(), Entry.NONE),
                    () -> desk.stores.leases().release(LeaseKey.ofRun(id), fence),
                    released -> new Answer(released ? Answer.RELEASED : Answer.REFUSED, 0, 0));
        }
    }

    /** Whether there is more to do. */
    private boolean round(RunSnapshot stored) throws InterruptedException {
        RunHead head = stored.run().head();
        long ended = stored.steps().stream()
                .filter(step -> step.outcome().isPresent())
                .count();
        if (ended == STEPS) {
            return advance("end", head, RunStatus.COMPLETED, commit -> commit.status(RunStatus.COMPLETED))
                    .isPresent();
        }
        StepKey step = StepKey.visit("at-work", ended);
        Optional<Effect> sent = stored.effects().stream()
                .filter(effect -> effect.step().equals(step))
                .reduce((former, latter) -> latter);
        // Each kind of step comes first in some run.
        long kind = Math.floorMod(id.hashCode() + ended, STEPS);
        EffectClass effects = kind == 0 ? EffectClass.IDEMPOTENT : EffectClass.RECONCILABLE;
        if (sent.isPresent()) {
            return takeUp(head, step, sent.get(), effects);
        }
        return kind == 2 ? dispatch(head, step) : announce(head, step, effects);
    }

    private boolean announce(RunHead head, StepKey step, EffectClass effects) throws InterruptedException {
        String key = effect(step, 0).idempotencyKey();
        Intent intent = Intent.of(step, CallDigest.ofText(key), key, effects);
        Optional<RunHead> next =
                commit("announce", head, commit -> commit.intent(intent).effect(intent.pending()));
        return next.isPresent() && send(next.get(), step, 0, key, effects);
    }

    private boolean send(RunHead head, StepKey step, int index, String key, EffectClass effects)
            throws InterruptedException {
        desk.pauseLong(); // often for longer than the lease
        if (!desk.ledger.send(key, desk.who, effects == EffectClass.IDEMPOTENT)) {
            return false;
        }
        desk.pause();
        return advance(
                        "advance",
                        head,
                        RunStatus.RUNNING,
                        commit -> commit.effect(EffectEntry.confirmed(step, index))
                                .outcome(StepOutcome.completed(step, "{}")))
                .isPresent();
    }

    /** A call that was announced and has no outcome. */
    private boolean takeUp(RunHead head, StepKey step, Effect effect, EffectClass effects) throws InterruptedException {
        return switch (effect.status()) {
            case PENDING ->
                effects == EffectClass.IDEMPOTENT
                        ? send(head, step, effect.index(), effect.idempotencyKey(), effects)
                        : commit(
                                        "doubt",
                                        head,
                                        commit -> commit.effect(EffectEntry.indeterminate(step, effect.index())))
                                .isPresent();
            case INDETERMINATE -> settle(effect);
            case RESOLVED ->
                effect.finding().equals(Optional.of(Finding.CONFIRMED))
                        ? advance(
                                        "advance",
                                        head,
                                        RunStatus.RUNNING,
                                        commit -> commit.outcome(StepOutcome.completed(step, "{}")))
                                .isPresent()
                        : sendAnew(head, step, effect.index() + 1, effects);
            case CONFIRMED -> throw new IllegalStateException(id + ": confirmed without an outcome");
        };
    }

    private boolean settle(Effect effect) {
        String write = desk.nextWrite();
        boolean done = desk.ledger.ask(effect.idempotencyKey(), desk.who);
        Resolution resolution = Resolution.of(done ? Finding.CONFIRMED : Finding.NOT_APPLIED, write);
        Resolved answer = desk.insisting(
                () -> desk.call("resolve", id, fence.token(), write),
                () -> desk.stores.journal().resolveEffect(fence, id, effect.id(), resolution),
                said -> said instanceof Resolved.Done resolved
                        ? Answer.done(resolved.head().events())
                        : said instanceof Resolved.AlreadyResolved already
                                        && already.actor().equals(write)
                                ? Answer.done(0)
                                : Answer.refused());
        return answer instanceof Resolved.Done || answer instanceof Resolved.AlreadyResolved;
    }

    private boolean sendAnew(RunHead head, StepKey step, int index, EffectClass effects) throws InterruptedException {
        String key = effect(step, index).idempotencyKey();
        Optional<RunHead> next =
                commit("announce", head, commit -> commit.effect(EffectEntry.pending(step, index, key)));
        return next.isPresent() && send(next.get(), step, index, key, effects);
    }

    /** Tries to use the approval, whatever has become of it: the answer says what to do. */
    private boolean dispatch(RunHead head, StepKey step) throws InterruptedException {
        String approval = id + "/" + step;
        ApprovalRequest request = ApprovalRequest.of(approval, id, Map.of("call", approval), Expiry.NEVER);
        desk.stores.approvals().register(request);
        Consumption answer = used(
                "dispatch",
                approval + "@" + fence.token(),
                () -> desk.stores
                        .approvals()
                        .dispatch(
                                ApprovedCall.of(
                                        new ApprovalUse(approval, id, request.digest(), step),
                                        EffectClass.RECONCILABLE),
                                fence));
        if (answer instanceof Consumption.Dispatched dispatched) {
            if (desk.random.nextInt(4) == 0) { // once more, for another call
                ApprovalUse more = new ApprovalUse(approval, id, request.digest(), step.withAttempt(2));
                used(
                        "consume",
                        approval + "@" + fence.token() + "!",
                        () -> desk.stores.approvals().consume(more, fence));
            }
            String key = effect(step, 0).idempotencyKey();
            return send(dispatched.run(), step, 0, key, EffectClass.RECONCILABLE);
        }
        if (answer instanceof Consumption.Undecided) {
            advance("pause", head, RunStatus.PAUSED, approval, commit -> commit.status(RunStatus.PAUSED));
            return false;
        }
        if (answer instanceof Consumption.Rejected || answer instanceof Consumption.Withdrawn) {
            return advance(
                            "advance",
                            head,
                            RunStatus.RUNNING,
                            commit -> commit.outcome(StepOutcome.failed(step, "{}"))
                                    .status(RunStatus.RUNNING))
                    .isPresent();
        }
        return answer instanceof Consumption.AlreadyConsumed;
    }

    private Consumption used(String operation, String write, Supplier<Consumption> question) {
        return desk.insisting(
                () -> desk.call(operation, id, fence.token(), write),
                question,
                said -> said instanceof Consumption.Dispatched dispatched
                        ? Answer.done(dispatched.run().events())
                        : said instanceof Consumption.Consumed || isOurs(said) ? Answer.done(0) : Answer.refused());
    }

    /** The same step's use, under this very lease: the repeat of a call whose answer was lost. */
    private boolean isOurs(Consumption answer) {
        return answer instanceof Consumption.AlreadyConsumed already
                && already.same()
                && already.approval()
                        .use()
                        .filter(use -> use.token() == fence.token())
                        .isPresent();
    }

    /** Into the journal alone. */
    private Optional<RunHead> commit(String operation, RunHead head, UnaryOperator<JournalCommit.Builder> what) {
        String write = desk.nextWrite();
        JournalCommit entry = entry(head, write, what);
        return written(operation, write, () -> head(desk.stores.journal().commit(fence, entry)));
    }

    private Optional<RunHead> advance(
            String operation, RunHead head, RunStatus status, UnaryOperator<JournalCommit.Builder> what) {
        return advance(operation, head, status, "", what);
    }

    /** Into the journal and where the run stands, in one transaction. */
    private Optional<RunHead> advance(
            String operation,
            RunHead head,
            RunStatus status,
            String approval,
            UnaryOperator<JournalCommit.Builder> what) {
        String write = desk.nextWrite();
        JournalCommit entry = entry(head, write, what);
        Place.Save save = place.next(desk, id, new Place.Next(write, fence, status, approval));
        return written(operation, write, () -> {
            try {
                return desk.holdfast.atomically(bound -> both(bound.in(Desk.SCOPE), save, entry, write));
            } catch (Undone e) {
                return Optional.empty();
            }
        });
    }

    private Optional<RunHead> both(Stores stores, Place.Save save, JournalCommit entry, String write) {
        Place.Kept kept = save.in(stores);
        if (kept == Place.Kept.NOT) {
            throw new Undone();
        }
        Committed answer = stores.journal().commit(fence, entry);
        if (kept == Place.Kept.NOW && answer instanceof Committed.Done) {
            desk.pauseBriefly();
            // From here on it counts as written.
            desk.call("commit", id, fence.token(), write);
        } else if (kept == Place.Kept.NOW || !(answer instanceof Committed.AlreadyApplied)) {
            throw new Undone();
        }
        return head(answer);
    }

    private Optional<RunHead> written(String operation, String write, Supplier<Optional<RunHead>> question) {
        return desk.insisting(
                () -> desk.call(operation, id, fence.token(), write),
                question,
                said -> said.map(head -> Answer.done(head.events())).orElseGet(Answer::refused));
    }

    /** With one event, by which the write is found again. */
    private JournalCommit entry(RunHead head, String write, UnaryOperator<JournalCommit.Builder> what) {
        String event = Canonical.write("event", Map.of("write", write));
        return what.apply(JournalCommit.to(head)).event(JournalEvent.of(event)).build();
    }

    private static Optional<RunHead> head(Committed answer) {
        return answer instanceof Committed.Done done
                ? Optional.of(done.head())
                : answer instanceof Committed.AlreadyApplied already ? Optional.of(already.head()) : Optional.empty();
    }

    private EffectId effect(StepKey step, int index) {
        return EffectId.of(Desk.SCOPE, id, step, index);
    }
}
