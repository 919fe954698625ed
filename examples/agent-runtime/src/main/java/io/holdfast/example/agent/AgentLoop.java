package io.holdfast.example.agent;

import io.holdfast.HoldfastException;
import io.holdfast.approval.Approval;
import io.holdfast.approval.ApprovalRequest;
import io.holdfast.approval.ApprovalState;
import io.holdfast.approval.ApprovalUse;
import io.holdfast.approval.Approvals;
import io.holdfast.approval.ApprovedCall;
import io.holdfast.approval.CallDigest;
import io.holdfast.approval.Consumption;
import io.holdfast.approval.Expiry;
import io.holdfast.approval.Registration;
import io.holdfast.codec.Canonical;
import io.holdfast.codec.JsonText;
import io.holdfast.journal.Committed;
import io.holdfast.journal.Effect;
import io.holdfast.journal.EffectClass;
import io.holdfast.journal.EffectEntry;
import io.holdfast.journal.EffectId;
import io.holdfast.journal.ExecutionJournal;
import io.holdfast.journal.Intent;
import io.holdfast.journal.JournalCommit;
import io.holdfast.journal.NewRun;
import io.holdfast.journal.Opened;
import io.holdfast.journal.RecoverablePage;
import io.holdfast.journal.RecoverableRun;
import io.holdfast.journal.Resolution;
import io.holdfast.journal.Resolution.Finding;
import io.holdfast.journal.Resolved;
import io.holdfast.journal.RunClaim;
import io.holdfast.journal.RunHead;
import io.holdfast.journal.RunKind;
import io.holdfast.journal.RunLeases;
import io.holdfast.journal.RunSnapshot;
import io.holdfast.journal.RunStatus;
import io.holdfast.journal.StepKey;
import io.holdfast.journal.StepOutcome;
import io.holdfast.lease.Fence;
import io.holdfast.lease.Lease;
import io.holdfast.repository.KeptLease;
import io.holdfast.repository.LeaseKeeper;
import io.holdfast.repository.Stores;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Takes a run of an agent as far as it goes, beside any number of others like it. It may be killed at any moment.
 *
 * <p>Each round begins with what the journal says, and with nothing else: so going on, going on after an error and going on
 * where another process has died are the same code.
 */
final class AgentLoop {

    /** How {@link #work} came to its end. */
    enum Ending {
        COMPLETED,
        FAILED,
        /** Somebody has to decide. Whoever does calls {@link #work} again. */
        PAUSED,
        /** Another process is at work on it, or was until a moment ago. */
        BUSY,
        /** The lease was lost on the way. */
        LOST
    }

    /** How long others wait for a process that has died. */
    static final Duration TTL = Duration.ofSeconds(2);

    /** Runs go on only with the definition that they were begun with: change this with prompts, tools or their order. */
    static final String DEFINITION = "refunds-1";

    static final String MAY_REFUND = "finance";

    private static final int MAX_TURNS = 20; // and so a snapshot holds all of the run's steps
    private static final int MAX_FAILURES = 5;
    private static final Optional<Ending> GO_ON = Optional.empty();

    private final Stores stores;
    private final ExecutionJournal journal;
    private final RunLeases leases;
    private final Approvals approvals;
    private final LeaseKeeper keeper;
    private final String owner;
    private final Model model;
    private final Map<String, Tool> tools = new HashMap<>();

    /**
     * @param owner unique to this process: a restarted one must not take itself for its former self
     * @param points each call that leaves the loop: where the driver kills the process. An application has nothing of the kind
     */
    AgentLoop(Stores stores, LeaseKeeper keeper, String owner, Model model, List<Tool> tools, Points points) {
        this.stores = stores;
        this.journal = points.around("journal", ExecutionJournal.class, stores.journal());
        this.leases = points.around("runLeases", RunLeases.class, stores.runLeases());
        this.approvals = points.around("approvals", Approvals.class, stores.approvals());
        this.keeper = keeper;
        this.owner = owner;
        this.model = points.around("model", Model.class, model);
        for (Tool tool : tools) {
            if (tool.effects() != EffectClass.IDEMPOTENT && tool.effects() != EffectClass.RECONCILABLE) {
                throw new IllegalArgumentException(tool.name() + ": a call in doubt would have to wait for a person");
            }
            Tool.Outside outside = points.around(tool.name(), Tool.Outside.class, tool.outside());
            this.tools.put(tool.name(), new Tool(tool.name(), tool.effects(), tool.needsApproval(), outside));
        }
    }

    // snippet: work
    /** Begins the run, or goes on with it. May be called as often as one likes, by as many as like. */
    Ending work(String run, String task) {
        long askedAt = System.nanoTime(); // the keeper counts from before the lease was asked for
        NewRun wanted =
                NewRun.of(run, RunKind.AGENT, DEFINITION, Transcript.of(task).json());
        Opened opened = journal.open(wanted, owner, TTL);
        if (opened instanceof Opened.Done done) {
            return work(run, done.lease(), askedAt);
        }
        if (opened instanceof Opened.Busy) {
            return Ending.BUSY;
        }
        return goOn(run); // begun by another process, or by this call a moment ago, and the answer was lost
    }

    private Ending goOn(String run) {
        long askedAt = System.nanoTime();
        RunClaim claim = leases.claim(run, owner, TTL, DEFINITION);
        if (claim instanceof RunClaim.Granted granted) {
            return work(run, granted.lease(), askedAt);
        }
        if (claim instanceof RunClaim.Finished finished) {
            return ending(finished.status());
        }
        if (claim instanceof RunClaim.Busy) {
            return Ending.BUSY;
        }
        throw new IllegalStateException(run + ": " + claim);
    }

    /** Round after round, under the lease. */
    private Ending work(String run, Lease lease, long askedAt) {
        try (KeptLease kept = keeper.keep(stores, lease, askedAt, lost -> {})) {
            int failures = 0;
            while (kept.isHeld()) {
                try {
                    Optional<Ending> ending = round(run, kept);
                    if (ending.isPresent()) {
                        return ending.get();
                    }
                } catch (HoldfastException e) {
                    // Written or not: the next round reads what is so.
                    boolean again = e.retryable() || e.code() == HoldfastException.Code.OUTCOME_UNKNOWN;
                    if (!again || ++failures > MAX_FAILURES) {
                        throw e;
                    }
                }
            }
        }
        return Ending.LOST;
    }
    // end

    // snippet: recover
    /** Goes on with what nobody is at work on and somebody should be. To be called when a process begins, and now and then. */
    void recover() {
        Optional<String> after = Optional.of("");
        while (after.isPresent()) { // whose process has died
            RecoverablePage page = leases.recoverable(after.get(), 100);
            for (RecoverableRun run : page.runs()) {
                if (run instanceof RecoverableRun.Claimable left
                        && left.definitionDigest().equals(DEFINITION)) {
                    goOn(left.id());
                }
            }
            after = page.next();
        }
        // Whose approval was decided, and whoever did that died before he could tell.
        approvals.list(ApprovalState.APPROVED, Optional.empty(), 100).lines().forEach(line -> goOn(line.run()));
    }
    // end

    // snippet: round
    /** One step of the run: the model's next turn, or the call that it asked for. */
    private Optional<Ending> round(String run, KeptLease lease) {
        RunSnapshot stored = journal.find(run).orElseThrow();
        RunHead head = stored.run().head();
        if (head.status().isFinal()) {
            return Optional.of(ending(head.status()));
        }
        Transcript said = Transcript.read(stored.run().state());
        if (said.last().call().isEmpty()) {
            return askModel(new Place(head, said, StepKey.model(said.turns()), lease));
        }
        Message.Call call = said.last().call().get();
        Place place = new Place(head, said, StepKey.call(said.turns() - 1, call.id()), lease);
        Tool tool = tools.get(call.tool());
        if (tool == null) {
            return refuse(place, "There is no such tool.");
        }
        Optional<Effect> sent = stored.effects().stream()
                .filter(effect -> effect.step().equals(place.step))
                .reduce((former, latter) -> latter);
        if (sent.isPresent()) {
            return takeUp(place, tool, call, sent.get());
        }
        return tool.needsApproval() ? askForApproval(place, tool, call) : announce(place, tool, call);
    }

    /** Where in the run a round is. */
    private record Place(RunHead head, Transcript said, StepKey step, KeptLease lease) {

        Fence fence() {
            return lease.fence();
        }

        /** A commit that goes on from here. */
        JournalCommit.Builder commit() {
            return JournalCommit.to(head);
        }

        Place at(RunHead next) {
            return new Place(next, said, step, lease);
        }
    }
    // end

    // snippet: model
    /** A model changes nothing outside, so it needs no announcement; asked again after a crash, it just costs again. */
    private Optional<Ending> askModel(Place place) {
        if (place.said.turns() == MAX_TURNS) {
            return end(place, place.commit().status(RunStatus.FAILED), Ending.FAILED);
        }
        Message reply = model.reply(place.said);
        JournalCommit.Builder commit = place.commit()
                .outcome(StepOutcome.completed(place.step, reply.json()))
                .state(place.said.with(reply).json());
        if (reply.call().isEmpty()) {
            return end(place, commit.status(RunStatus.COMPLETED), Ending.COMPLETED);
        }
        return written(journal.commit(place.fence(), commit.build()));
    }
    // end

    // snippet: tool
    /** A call that needs nobody's leave. What is about to happen is written down first, then it is done. */
    private Optional<Ending> announce(Place place, Tool tool, Message.Call call) {
        String key = effect(place, 0).idempotencyKey();
        Intent intent = Intent.of(place.step, CallDigest.of(call.action()), key, tool.effects());
        Committed answer = journal.commit(
                place.fence(),
                place.commit().intent(intent).effect(intent.pending()).build());
        if (answer instanceof Committed.Done done) {
            return send(place.at(done.head()), tool, call, 0, key);
        }
        return written(answer);
    }

    /** Does it, and writes down that it is done: outcome, effect and transcript at once. */
    private Optional<Ending> send(Place place, Tool tool, Message.Call call, int index, String key) {
        if (!place.lease.isHeld()) { // no more than a courtesy: a process can sleep for hours behind this line
            return Optional.of(Ending.LOST);
        }
        String result = tool.outside().call(key, call.arguments());
        return finish(place, place.commit().effect(EffectEntry.confirmed(place.step, index, json(result))), result);
    }

    private Optional<Ending> finish(Place place, JournalCommit.Builder commit, String result) {
        commit.outcome(StepOutcome.completed(place.step, json(result)))
                .state(place.said.with(Message.result(result)).json());
        return written(journal.commit(place.fence(), commit.build()));
    }
    // end

    // snippet: doubt
    /**
     * A call that was announced and has no outcome: whoever was at it has died, or had no answer. Whether it was made, the
     * journal cannot know.
     */
    private Optional<Ending> takeUp(Place place, Tool tool, Message.Call call, Effect effect) {
        return switch (effect.status()) {
            case PENDING ->
                tool.effects() == EffectClass.IDEMPOTENT
                        ? send(place, tool, call, effect.index(), effect.idempotencyKey())
                        : written(journal.commit(
                                place.fence(),
                                place.commit()
                                        .effect(EffectEntry.indeterminate(place.step, effect.index()))
                                        .build()));
            case INDETERMINATE -> settle(place, tool, effect);
            case RESOLVED -> resolved(place, tool, call, effect);
            case CONFIRMED -> throw new IllegalStateException(place.step + " is confirmed and has no outcome");
        };
    }

    /** Nobody knows: so the other side is asked, by the key. */
    private Optional<Ending> settle(Place place, Tool tool, Effect effect) {
        Resolution resolution = tool.outside()
                .find(effect.idempotencyKey())
                .map(result -> Resolution.of(Finding.CONFIRMED, owner).withResult(json(result)))
                .orElse(Resolution.of(Finding.NOT_APPLIED, owner));
        Resolved answer = journal.resolveEffect(place.fence(), place.head.id(), effect.id(), resolution);
        return answer instanceof Resolved.FenceLost ? Optional.of(Ending.LOST) : GO_ON;
    }

    /** It has happened: then this is the outcome. It has not: then it is sent now, as another effect of the same step. */
    private Optional<Ending> resolved(Place place, Tool tool, Message.Call call, Effect effect) {
        if (effect.finding().equals(Optional.of(Finding.CONFIRMED))) {
            return finish(place, place.commit(), text(effect.result().orElseThrow()));
        }
        if (effect.finding().equals(Optional.of(Finding.FAILED))) { // as an operator may have found
            return refuse(place, "It has failed.");
        }
        int index = effect.index() + 1;
        String key = effect(place, index).idempotencyKey();
        Committed answer = journal.commit(
                place.fence(),
                place.commit()
                        .effect(EffectEntry.pending(place.step, index, key))
                        .build());
        if (answer instanceof Committed.Done done) {
            return send(place.at(done.head()), tool, call, index, key);
        }
        return written(answer);
    }
    // end

    // snippet: approval
    /** A person decides about this very call, and the decision is good for one call. */
    private Optional<Ending> askForApproval(Place place, Tool tool, Message.Call call) {
        String run = place.head.id();
        ApprovalRequest request = ApprovalRequest.of(run + "/" + place.step, run, call.action(), Expiry.DEFAULT)
                .decidedBy(MAY_REFUND);
        Approval approval = approval(approvals.register(request)); // of a repeat, what has become of it
        return switch (approval.state()) {
            case PENDING ->
                approval.expired()
                        ? refuse(place, "Nobody has decided in time.")
                        : end(place, place.commit().status(RunStatus.PAUSED), Ending.PAUSED);
            case APPROVED ->
                approval.expired()
                        ? refuse(place, "It was approved, and not made in time.")
                        : dispatch(place, tool, call, request);
            case REJECTED -> refuse(place, "It was rejected.");
            case WITHDRAWN -> refuse(place, "The request was withdrawn.");
            case CONSUMED -> throw new IllegalStateException(request.id() + " is consumed, and not by this step");
        };
    }

    /** Consumes the approval and announces the call, in one: no crash can come between the two. */
    private Optional<Ending> dispatch(Place place, Tool tool, Message.Call call, ApprovalRequest request) {
        var use = new ApprovalUse(request.id(), request.run(), request.digest(), place.step);
        Consumption answer = approvals.dispatch(ApprovedCall.of(use, tool.effects()), place.fence());
        if (answer instanceof Consumption.Dispatched dispatched) { // and has moved the run's head on
            return send(
                    place.at(dispatched.run()), tool, call, 0, effect(place, 0).idempotencyKey());
        }
        if (answer instanceof Consumption.FenceLost) {
            return Optional.of(Ending.LOST);
        }
        if (answer instanceof Consumption.NotEntered || answer instanceof Consumption.Mismatch) {
            throw new IllegalStateException(request.id() + ": " + answer);
        }
        return GO_ON; // expired or withdrawn since it was read: the next round reads that
    }

    /** The call is not made, and the model is told so. */
    private Optional<Ending> refuse(Place place, String reason) {
        return written(journal.commit(
                place.fence(),
                place.commit()
                        .outcome(StepOutcome.failed(place.step, json(reason)))
                        .state(place.said.with(Message.result(reason)).json())
                        .status(RunStatus.RUNNING)
                        .build()));
    }
    // end

    /** The last commit of {@link #work}: it gives the lease back, and the keeper must not take that for a loss. */
    private Optional<Ending> end(Place place, JournalCommit.Builder commit, Ending ending) {
        place.lease.stopKeeping();
        return written(journal.commit(place.fence(), commit.build())).or(() -> Optional.of(ending));
    }

    private static Optional<Ending> written(Committed answer) {
        if (answer instanceof Committed.FenceLost) {
            return Optional.of(Ending.LOST);
        }
        if (answer instanceof Committed.Done || answer instanceof Committed.AlreadyApplied) {
            return GO_ON;
        }
        // Nobody else writes under this lease, and nothing else is written at this place.
        throw new IllegalStateException("The journal does not take it: " + answer);
    }

    private EffectId effect(Place place, int index) {
        return EffectId.of(stores.scope(), place.head.id(), place.step, index);
    }

    private static Approval approval(Registration answer) {
        if (answer instanceof Registration.Registered registered) {
            return registered.approval();
        }
        if (answer instanceof Registration.AlreadyRegistered already) {
            return already.approval();
        }
        throw new IllegalStateException("The approval's id stands for something else: " + answer);
    }

    private static Ending ending(RunStatus end) {
        return end == RunStatus.COMPLETED ? Ending.COMPLETED : Ending.FAILED;
    }

    private static String json(String text) {
        return Canonical.write("result", text);
    }

    private static String text(String json) {
        return String.valueOf(JsonText.read("result", json, JournalCommit.MAX_OUTPUT_BYTES));
    }
}
