package io.holdfast.example.agent;

import io.holdfast.HoldfastException;
import io.holdfast.approval.Approval;
import io.holdfast.approval.ApprovalRequest;
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

    /** The lease is another's: nothing that this process does counts any more. */
    private static final class Lost extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    /** How long others wait for a process that has died. */
    static final Duration TTL = Duration.ofSeconds(2);

    /** Runs go on only with the definition that they were begun with: change this with prompts, tools or their order. */
    static final String DEFINITION = "refunds-1";

    static final String MAY_REFUND = "finance";

    private static final int MAX_TURNS = 20; // and so a snapshot holds all of the run's steps
    private static final int MAX_FAILURES = 5;

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
        // Begun by another process, or by this call a moment ago, and the answer was lost.
        return opened instanceof Opened.Busy ? Ending.BUSY : goOn(run);
    }

    private Ending goOn(String run) {
        long askedAt = System.nanoTime();
        RunClaim claim = leases.claim(run, owner, TTL, DEFINITION);
        if (claim instanceof RunClaim.Granted granted) {
            return work(run, granted.lease(), askedAt);
        }
        if (claim instanceof RunClaim.Finished finished) {
            return Ending.of(finished.status());
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
                    RunStatus status = round(run, kept);
                    if (status.endsLease()) {
                        return Ending.of(status);
                    }
                } catch (HoldfastException e) {
                    // Written or not: the next round reads what is so.
                    boolean again = e.retryable() || e.code() == HoldfastException.Code.OUTCOME_UNKNOWN;
                    if (!again || ++failures > MAX_FAILURES) {
                        throw e;
                    }
                }
            }
        } catch (Lost e) {
            return Ending.LOST;
        }
        return Ending.LOST;
    }
    // end

    // snippet: recover
    /**
     * Goes on with what nobody is at work on and somebody should be: whose process has died, or whose approval was decided while
     * whoever did that could not tell. To be called when a process begins, and now and then.
     */
    void recover() {
        for (Optional<String> after = Optional.of(""); after.isPresent(); ) {
            RecoverablePage page = leases.recoverable(after.get(), 100);
            for (RecoverableRun run : page.runs()) {
                if (run instanceof RecoverableRun.Claimable left
                        && left.definitionDigest().equals(DEFINITION)) {
                    goOn(left.id());
                }
            }
            after = page.next();
        }
    }
    // end

    // snippet: round
    /** One step of the run: the model's next turn, or the call that it asked for. Answers with how the run stands then. */
    private RunStatus round(String run, KeptLease lease) {
        RunSnapshot stored = journal.find(run).orElseThrow();
        RunHead head = stored.run().head();
        if (head.status().isFinal()) {
            return head.status();
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

        Place at(RunHead next) {
            return new Place(next, said, step, lease);
        }

        /** A commit that goes on from here. */
        JournalCommit.Builder next() {
            return JournalCommit.to(head);
        }

        /** One that has an outcome and what is said of it. */
        JournalCommit.Builder ended(StepOutcome outcome, Message message) {
            return next().outcome(outcome).state(said.with(message).json());
        }
    }

    /** Writes it, or throws. What pauses or ends the run gives the lease back: the keeper must not take that for a loss. */
    private RunHead commit(Place place, JournalCommit.Builder next) {
        JournalCommit commit = next.build();
        if (commit.status().isPresent() && commit.status().get().endsLease()) {
            place.lease.stopKeeping();
        }
        Committed answer = journal.commit(place.lease.fence(), commit);
        if (answer instanceof Committed.Done done) {
            return done.head();
        }
        if (answer instanceof Committed.AlreadyApplied already) {
            return already.head();
        }
        if (answer instanceof Committed.FenceLost) {
            throw new Lost();
        }
        // Nobody else writes under this lease, and nothing else is written at this place.
        throw new IllegalStateException("The journal does not take it: " + answer);
    }
    // end

    // snippet: model
    /** A model changes nothing outside, so it needs no announcement; asked again after a crash, it just costs again. */
    private RunStatus askModel(Place place) {
        if (place.said.turns() == MAX_TURNS) {
            return commit(place, place.next().status(RunStatus.FAILED)).status();
        }
        Message reply = model.reply(place.said);
        JournalCommit.Builder next = place.ended(StepOutcome.completed(place.step, reply.json()), reply);
        return commit(place, reply.call().isEmpty() ? next.status(RunStatus.COMPLETED) : next)
                .status();
    }
    // end

    // snippet: tool
    /** A call that needs nobody's leave. What is about to happen is written down first, then it is done. */
    private RunStatus announce(Place place, Tool tool, Message.Call call) {
        String key = key(place, 0);
        Intent intent = Intent.of(place.step, CallDigest.of(call.action()), key, tool.effects());
        RunHead head = commit(place, place.next().intent(intent).effect(intent.pending()));
        return send(place.at(head), tool, call, 0, key);
    }

    /** Does it, and writes down that it is done: outcome, effect and transcript at once. */
    private RunStatus send(Place place, Tool tool, Message.Call call, int index, String key) {
        if (!place.lease.isHeld()) { // no more than a courtesy: a process can sleep for hours behind this line
            throw new Lost();
        }
        String result = tool.outside().call(key, call.arguments());
        return commit(place, finished(place, result).effect(EffectEntry.confirmed(place.step, index, json(result))))
                .status();
    }

    private static JournalCommit.Builder finished(Place place, String result) {
        return place.ended(StepOutcome.completed(place.step, json(result)), Message.result(result));
    }
    // end

    // snippet: doubt
    /**
     * A call that was announced and has no outcome: whoever was at it has died, or had no answer. Whether it was made, the
     * journal cannot know.
     */
    private RunStatus takeUp(Place place, Tool tool, Message.Call call, Effect effect) {
        return switch (effect.status()) {
            case PENDING ->
                tool.effects() == EffectClass.IDEMPOTENT
                        ? send(place, tool, call, effect.index(), effect.idempotencyKey())
                        : commit(place, place.next().effect(EffectEntry.indeterminate(place.step, effect.index())))
                                .status();
            case INDETERMINATE -> settle(place, tool, effect);
            case RESOLVED -> resolved(place, tool, call, effect);
            case CONFIRMED -> throw new IllegalStateException(place.step + " is confirmed and has no outcome");
        };
    }

    /** Nobody knows: so the other side is asked, by the key. */
    private RunStatus settle(Place place, Tool tool, Effect effect) {
        Resolution resolution = tool.outside()
                .find(effect.idempotencyKey())
                .map(result -> Resolution.of(Finding.CONFIRMED, owner).withResult(json(result)))
                .orElse(Resolution.of(Finding.NOT_APPLIED, owner));
        if (journal.resolveEffect(place.lease.fence(), place.head.id(), effect.id(), resolution)
                instanceof Resolved.FenceLost) {
            throw new Lost();
        }
        return place.head.status(); // somebody may have found out something else: the next round reads that
    }

    /** It has happened: then this is the outcome. It has not: then it is sent now, as another effect of the same step. */
    private RunStatus resolved(Place place, Tool tool, Message.Call call, Effect effect) {
        if (effect.finding().equals(Optional.of(Finding.CONFIRMED))) {
            return commit(place, finished(place, text(effect.result().orElseThrow())))
                    .status();
        }
        if (effect.finding().equals(Optional.of(Finding.FAILED))) { // as an operator may have found
            return refuse(place, "It has failed.");
        }
        int index = effect.index() + 1;
        String key = key(place, index);
        RunHead head = commit(place, place.next().effect(EffectEntry.pending(place.step, index, key)));
        return send(place.at(head), tool, call, index, key);
    }
    // end

    // snippet: approval
    /** A person decides about this very call, and the decision is good for one call. */
    private RunStatus askForApproval(Place place, Tool tool, Message.Call call) {
        String run = place.head.id();
        ApprovalRequest request = ApprovalRequest.of(run + "/" + place.step, run, call.action(), Expiry.DEFAULT)
                .decidedBy(MAY_REFUND);
        Approval approval = approval(approvals.register(request)); // of a repeat, what has become of it
        return switch (approval.state()) {
            case PENDING ->
                approval.expired()
                        ? refuse(place, "Nobody has decided in time.")
                        : commit(place, place.next().status(RunStatus.PAUSED)).status();
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
    private RunStatus dispatch(Place place, Tool tool, Message.Call call, ApprovalRequest request) {
        var use = new ApprovalUse(request.id(), request.run(), request.digest(), place.step);
        Consumption answer = approvals.dispatch(ApprovedCall.of(use, tool.effects()), place.lease.fence());
        if (answer instanceof Consumption.Dispatched dispatched) { // and has moved the run's head on
            return send(place.at(dispatched.run()), tool, call, 0, key(place, 0));
        }
        if (answer instanceof Consumption.FenceLost) {
            throw new Lost();
        }
        if (answer instanceof Consumption.NotEntered || answer instanceof Consumption.Mismatch) {
            throw new IllegalStateException(request.id() + ": " + answer);
        }
        return RunStatus.RUNNING; // expired or withdrawn since it was read: the next round reads that
    }

    /** The call is not made, and the model is told so. */
    private RunStatus refuse(Place place, String reason) {
        StepOutcome outcome = StepOutcome.failed(place.step, json(reason));
        return commit(place, place.ended(outcome, Message.result(reason)).status(RunStatus.RUNNING))
                .status();
    }
    // end

    private String key(Place place, int index) {
        return EffectId.of(stores.scope(), place.head.id(), place.step, index).idempotencyKey();
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

    private static String json(String text) {
        return Canonical.write("result", text);
    }

    private static String text(String json) {
        return String.valueOf(JsonText.read("result", json, JournalCommit.MAX_OUTPUT_BYTES));
    }
}
