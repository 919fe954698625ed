package io.holdfast.example.agent;

import io.holdfast.HoldfastException;
import io.holdfast.journal.JournalCommit;
import io.holdfast.journal.NewRun;
import io.holdfast.journal.Opened;
import io.holdfast.journal.RecoverablePage;
import io.holdfast.journal.RecoverableRun;
import io.holdfast.journal.RunClaim;
import io.holdfast.journal.RunHead;
import io.holdfast.journal.RunKind;
import io.holdfast.journal.RunSnapshot;
import io.holdfast.journal.RunStatus;
import io.holdfast.journal.StepKey;
import io.holdfast.journal.StepOutcome;
import io.holdfast.lease.Lease;
import io.holdfast.repository.KeptLease;
import io.holdfast.repository.LeaseKeeper;
import java.time.Duration;
import java.util.Optional;

/**
 * Takes a run of an agent as far as it goes, beside any number of others like it. It may be killed at any moment.
 *
 * <p>Each round begins with what the journal says, and with nothing else: so going on, going on after an error and going on
 * where another process has died are the same code.
 */
final class AgentLoop {

    /** How long others wait for a process that has died. */
    static final Duration TTL = Duration.ofSeconds(2);

    /** Runs go on only with the definition that they were begun with: change this with prompts, tools or their order. */
    static final String DEFINITION = "refunds-1";

    private static final int MAX_TURNS = 20; // and so a snapshot holds all of the run's steps
    private static final int MAX_FAILURES = 5;

    private final Parts parts;
    private final LeaseKeeper keeper;
    private final String owner;

    /** @param owner unique to this process: a restarted one must not take itself for its former self */
    AgentLoop(Parts parts, LeaseKeeper keeper, String owner) {
        this.parts = parts;
        this.keeper = keeper;
        this.owner = owner;
    }

    // snippet: work
    /** Begins the run, or goes on with it. May be called as often as one likes, by as many as like. */
    Ending work(String run, String task) {
        long askedAt = System.nanoTime(); // the keeper counts from before the lease was asked for
        NewRun wanted =
                NewRun.of(run, RunKind.AGENT, DEFINITION, Transcript.of(task).json());
        Opened opened = parts.journal().open(wanted, owner, TTL);
        if (opened instanceof Opened.Done done) {
            return work(run, done.lease(), askedAt);
        }
        // Begun by another process, or by this call a moment ago, and the answer was lost.
        return opened instanceof Opened.Busy ? Ending.BUSY : goOn(run);
    }

    private Ending goOn(String run) {
        long askedAt = System.nanoTime();
        RunClaim claim = parts.leases().claim(run, owner, TTL, DEFINITION);
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
        try (KeptLease kept = keeper.keep(parts.stores(), lease, askedAt, lost -> {})) {
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
        } catch (Place.Lost e) {
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
            RecoverablePage page = parts.leases().recoverable(after.get(), 100);
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
        RunSnapshot stored = parts.journal().find(run).orElseThrow();
        RunHead head = stored.run().head();
        if (head.status().isFinal()) {
            return head.status();
        }
        Transcript said = Transcript.read(stored.run().state());
        if (said.last().call().isEmpty()) {
            return askModel(new Place(parts.journal(), lease, head, said, StepKey.model(said.turns())));
        }
        Message.Call call = said.last().call().get();
        Place place = new Place(parts.journal(), lease, head, said, StepKey.call(said.turns() - 1, call.id()));
        Optional<Tool> tool = parts.tool(call.tool());
        if (tool.isEmpty()) {
            return ToolCall.refuse(place, "There is no such tool.");
        }
        ToolCall due = new ToolCall(place, tool.get(), call, parts, owner);
        return stored.effects().stream()
                .filter(effect -> effect.step().equals(place.step()))
                .reduce((former, latter) -> latter)
                .map(due::takeUp)
                .orElseGet(due::begin);
    }
    // end

    // snippet: model
    /** A model changes nothing outside, so it needs no announcement; asked again after a crash, it just costs again. */
    private RunStatus askModel(Place place) {
        if (place.said().turns() == MAX_TURNS) {
            return place.commit(place.next().status(RunStatus.FAILED)).status();
        }
        Message reply = parts.model().reply(place.said());
        JournalCommit.Builder next = place.ended(StepOutcome.completed(place.step(), reply.json()), reply);
        boolean over = reply.call().isEmpty();
        return place.commit(over ? next.status(RunStatus.COMPLETED) : next).status();
    }
    // end
}
