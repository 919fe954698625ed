package io.holdfast.example.agent;

import io.holdfast.approval.Approval;
import io.holdfast.approval.ApprovalPage;
import io.holdfast.approval.ApprovalState;
import io.holdfast.journal.Effect;
import io.holdfast.journal.EffectStatus;
import io.holdfast.journal.RecordedEvent;
import io.holdfast.journal.RunSnapshot;
import io.holdfast.journal.RunStatus;
import io.holdfast.lease.LeaseKey;
import io.holdfast.repository.Stores;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Compares what became of a run with one that nobody disturbed. It looks at what is stored, and asks nobody who took part. */
final class Judge {

    private static final List<String> NONE = List.of("nothing is stored of it");

    private final Stores stores;
    private final World world;
    private final RunSnapshot undisturbed;

    /** @param undisturbed the run to compare with, which is over */
    Judge(Stores stores, World world, String undisturbed) {
        this.stores = stores;
        this.world = world;
        this.undisturbed = stores.journal().find(undisturbed).orElseThrow();
    }

    /** What is not as it must be; empty: all is. */
    List<String> differences(String run) {
        Optional<RunSnapshot> found = stores.journal().find(run);
        if (found.isEmpty()) {
            return NONE;
        }
        List<String> differences = new ArrayList<>();
        run(found.get(), differences);
        outside(run, differences);
        approval(found.get(), differences);
        stores.leases().find(LeaseKey.ofRun(run)).ifPresent(lease -> differences.add("its lease is still held"));
        return differences;
    }

    private void run(RunSnapshot run, List<String> differences) {
        if (run.run().head().status() != RunStatus.COMPLETED) {
            differences.add("it is " + run.run().head().status().wire());
        }
        if (!run.run().state().equals(undisturbed.run().state())) {
            differences.add("its transcript is another");
        }
        if (!steps(run).equals(steps(undisturbed))) {
            differences.add("its steps are others, or have other outcomes");
        }
        for (Effect effect : run.effects()) {
            if (effect.status() == EffectStatus.PENDING || effect.status() == EffectStatus.INDETERMINATE) {
                differences.add("an effect of " + effect.step() + " is "
                        + effect.status().wire());
            }
        }
        List<RecordedEvent> events = run.events();
        for (int i = 0; i < events.size(); i++) {
            if (events.get(i).sequence() != i + 1) {
                differences.add("event " + (i + 1) + " is missing");
            }
        }
    }

    private void outside(String run, List<String> differences) {
        World.Books books = world.books(run);
        if (books.mails() != 1) {
            differences.add("the customer has had " + books.mails() + " mails");
        }
        if (books.transfers() != 1) {
            differences.add("the customer has had " + books.transfers() + " transfers");
        }
    }

    private void approval(RunSnapshot run, List<String> differences) {
        List<ApprovalPage.Line> lines = stores.approvals()
                .listOfRun(run.run().head().id(), Optional.empty(), 10)
                .lines();
        if (lines.size() != 1 || !lines.get(0).is(ApprovalState.CONSUMED)) {
            differences.add("it has approvals " + lines);
            return;
        }
        String step = stores.approvals()
                .find(lines.get(0).id())
                .flatMap(Approval::use)
                .map(Approval.Use::step)
                .orElse("none");
        long named = run.steps().stream()
                .filter(one -> one.key().text().equals(step))
                .filter(one -> one.intent().isPresent())
                .count();
        long consumed = run.events().stream()
                .filter(event -> event.type().equals("approval_consumed"))
                .count();
        if (named != 1 || consumed != 1) {
            differences.add("its approval was consumed " + consumed + " times, by step " + step);
        }
    }

    private static List<Object> steps(RunSnapshot run) {
        return run.steps().stream()
                .<Object>map(step -> List.of(step.key(), step.outcome()))
                .toList();
    }

    /** How many effects of the run were in doubt. */
    long doubts(String run) {
        return stores.journal().find(run).stream()
                .flatMap(snapshot -> snapshot.effects().stream())
                .filter(effect -> effect.status() == EffectStatus.RESOLVED)
                .count();
    }

    int mailCalls(String run) {
        return world.books(run).mailCalls();
    }
}
