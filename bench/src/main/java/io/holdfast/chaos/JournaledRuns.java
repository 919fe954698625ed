package io.holdfast.chaos;

import io.holdfast.approval.ApprovalPage;
import io.holdfast.approval.ApprovalState;
import io.holdfast.approval.Approvals;
import io.holdfast.approval.Decision;
import io.holdfast.approval.Ruling;
import io.holdfast.approval.Withdrawal;
import io.holdfast.chaos.Desk.Answer;
import io.holdfast.journal.NewRun;
import io.holdfast.journal.Opened;
import io.holdfast.journal.RecoverablePage;
import io.holdfast.journal.RecoverableRun;
import io.holdfast.journal.RunClaim;
import io.holdfast.journal.RunKind;
import io.holdfast.journal.RunStatus;
import io.holdfast.lease.Lease;
import io.holdfast.repository.Stores;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Runs of workflows and agents with a journal, checkpoints, effects and approvals: begun by whoever comes first, left in the
 * middle, and found again by the recovery query and by nothing else. Decisions are made by people who take the run with it.
 */
final class JournaledRuns implements Workload {

    private static final String DEFINITION = "chaos-1";
    private static final int SLOTS = 2;
    private static final int PAGE = 20;

    /** More than any run has. */
    private static final int ALL = 100;

    private final List<List<Frontier>> slots = Stream.of(RunKind.values())
            .map(kind -> Frontier.ofSlots("execution", kind.wire(), SLOTS))
            .toList();

    @Override
    public void work(Desk desk) throws InterruptedException {
        switch (desk.random.nextInt(5)) {
            case 0 -> recover(desk, 1 + desk.random.nextInt(4));
            case 1 -> rule(desk);
            default -> begin(desk);
        }
    }

    /** What is done when all else has stopped, until nothing is left to do. */
    void finish(Desk desk) throws InterruptedException {
        rule(desk);
        recover(desk, ALL);
        desk.pauseBriefly();
    }

    private void begin(Desk desk) throws InterruptedException {
        RunKind kind = RunKind.values()[desk.random.nextInt(RunKind.values().length)];
        Frontier slot = slots.get(kind.ordinal()).get(desk.random.nextInt(SLOTS));
        String id = slot.id(desk);
        Opened answer = desk.asking(
                desk.call("open", id, 0, Entry.NONE),
                () -> desk.stores.journal().open(NewRun.of(id, kind, DEFINITION, "{}"), desk.who, Desk.TTL),
                said -> said instanceof Opened.Done done ? granted(done.lease()) : Answer.refused());
        if (answer instanceof Opened.Done done) {
            goOn(desk, id, done.lease(), 1 + desk.random.nextInt(4));
        } else if (answer instanceof Opened.Taken taken
                && (taken.status().isFinal() || taken.status() == RunStatus.PAUSED)) {
            slot.moveOn(desk);
        } else {
            claim(desk, id, 1 + desk.random.nextInt(4));
        }
    }

    private static void claim(Desk desk, String id, int rounds) throws InterruptedException {
        RunClaim answer = desk.asking(
                desk.call("claim", id, 0, Entry.NONE),
                () -> claimed(desk, desk.stores, id),
                said -> said instanceof RunClaim.Granted granted
                        ? granted(granted.lease())
                        : said instanceof RunClaim.Busy ? Answer.busy() : Answer.refused());
        if (answer instanceof RunClaim.Granted granted) {
            goOn(desk, id, granted.lease(), rounds);
        } else {
            desk.pause();
        }
    }

    private static RunClaim claimed(Desk desk, Stores stores, String id) {
        return stores.runLeases().claim(id, desk.who, Desk.TTL, DEFINITION);
    }

    private static void goOn(Desk desk, String id, Lease lease, int rounds) throws InterruptedException {
        Place place = id.startsWith(RunKind.AGENT.wire()) ? new Place.OfAgent() : new Place.OfWorkflow();
        new JournaledRun(desk, id, lease.fence(), place).goOn(rounds);
    }

    private static void recover(Desk desk, int rounds) throws InterruptedException {
        RecoverablePage page = desk.stores.runLeases().recoverable("", PAGE);
        if (!page.runs().isEmpty()) {
            RecoverableRun run = page.runs().get(desk.random.nextInt(page.runs().size()));
            claim(desk, run.id(), rounds);
        }
    }

    /** Decides and takes the run, both or neither: so whoever dies here leaves a run that the recovery query finds. */
    private static void rule(Desk desk) throws InterruptedException {
        List<ApprovalPage.Line> lines = desk.stores
                .approvals()
                .list(ApprovalState.PENDING, Optional.empty(), PAGE)
                .lines();
        if (lines.isEmpty()) {
            return;
        }
        ApprovalPage.Line line = lines.get(desk.random.nextInt(lines.size()));
        String verdict = List.of("approve", "approve", "reject", "withdraw").get(desk.random.nextInt(4));
        String write = desk.nextWrite();
        Optional<Lease> lease = desk.asking(
                desk.call("claim", line.run(), 0, Entry.NONE),
                () -> desk.asking(
                        desk.call(verdict, line.id(), 0, write),
                        () -> ruledAndClaimed(desk, line, verdict, write),
                        said -> said.isPresent() ? Answer.done(0) : Answer.refused()),
                said -> said.map(JournaledRuns::granted).orElseGet(Answer::refused));
        if (lease.isPresent()) {
            goOn(desk, line.run(), lease.get(), 1 + desk.random.nextInt(4));
        }
    }

    private static Optional<Lease> ruledAndClaimed(Desk desk, ApprovalPage.Line line, String verdict, String write) {
        try {
            return desk.holdfast.atomically(bound -> {
                Stores stores = bound.in(Desk.SCOPE);
                // The run before its approval: locks are taken in that order everywhere.
                if (!(claimed(desk, stores, line.run()) instanceof RunClaim.Granted granted)
                        || !ruled(stores.approvals(), line, verdict, write)) {
                    throw new Undone();
                }
                return Optional.of(granted.lease());
            });
        } catch (Undone e) {
            return Optional.empty();
        }
    }

    private static boolean ruled(Approvals approvals, ApprovalPage.Line line, String verdict, String write) {
        return switch (verdict) {
            case "approve" ->
                approvals.decide(line.id(), Decision.approve(line.digest(), write)) instanceof Ruling.Decided;
            case "reject" ->
                approvals.decide(line.id(), Decision.reject(line.digest(), write, "")) instanceof Ruling.Decided;
            default -> approvals.withdraw(line.id(), write, "") instanceof Withdrawal.Withdrawn;
        };
    }

    private static Answer granted(Lease lease) {
        return new Answer(Answer.GRANTED, lease.fence().token(), lease.ttl().toMillis());
    }
}
