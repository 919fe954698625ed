package io.holdfast.chaos;

import io.holdfast.chaos.StoredRuns.Agent;
import io.holdfast.chaos.StoredRuns.Approval;
import io.holdfast.chaos.StoredRuns.Journal;
import io.holdfast.chaos.StoredRuns.Saves;
import io.holdfast.chaos.StoredRuns.Sent;
import io.holdfast.chaos.StoredRuns.Step;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;

/** The rules of runs: what is kept in two places says the same in both, and what happened outside happened once. */
final class RunChecker {

    /** The writes that move the place of a run with its journal. */
    private static final Set<String> MOVING = Set.of("advance", "pause", "end");

    private static final Set<String> RULINGS = Set.of("approve", "reject", "withdraw");

    private final Map<String, Write> writes;
    private final Stored stored;
    private final StoredRuns runs;
    private final BiConsumer<String, String> violation;

    RunChecker(Map<String, Write> writes, Stored stored, BiConsumer<String, String> violation) {
        this.writes = writes;
        this.stored = stored;
        this.runs = stored.runs();
        this.violation = violation;
    }

    void check() {
        lookAtStates();
        lookAtPlaces();
        lookAtEffects();
        lookAtRulings();
        lookAtApprovals();
    }

    /** The writes of a log that have one of these operations, in order. */
    private List<Write> logged(String run, Set<String> operations) {
        Log log = stored.logs().getOrDefault(run, new Log(0, List.of(), 0));
        return log.writes().stream()
                .map(writes::get)
                .filter(write -> write != null && operations.contains(write.operation))
                .toList();
    }

    private static List<String> ids(List<Write> writes) {
        return writes.stream().map(write -> write.id).toList();
    }

    private void lookAtStates() {
        runs.states().forEach((run, state) -> {
            List<Write> updates = logged(run, Set.of("run-update", "last-update"));
            if (!state.writes().equals(ids(updates)) || state.revision() != updates.size() + 1) {
                violation.accept(
                        "apart",
                        run + " has the state of " + state.writes() + " at revision " + state.revision()
                                + " and in its log " + ids(updates));
            }
            boolean ended = updates.stream().anyMatch(Write::isLast);
            if (ended != state.status().equals("completed")) {
                violation.accept("reopened", run + " is " + state.status() + (ended ? " and had ended" : ""));
            }
        });
    }

    private void lookAtPlaces() {
        runs.journals().forEach((run, journal) -> {
            List<Write> moves = logged(run, MOVING);
            boolean over = isOver(journal);
            if (moves.stream().anyMatch(Write::isLast) != over) {
                violation.accept("reopened", run + " is " + journal.status() + " after " + ids(moves));
            }
            if (!over) {
                violation.accept("stuck", run + " is " + journal.status() + ", and nobody went on with it");
            }
            Saves saves = runs.saves().get(run);
            Agent agent = runs.agents().get(run);
            if (saves != null
                    && !(saves.writes().equals(ids(moves))
                            && saves.revision() == moves.size() + 1
                            && saves.status().equals("completed") == over)) {
                violation.accept(
                        "apart",
                        run + " is " + journal.status() + " after " + ids(moves) + ", its checkpoints are " + saves);
            }
            if (agent != null
                    && !(agent.saves() == moves.size() - (over ? 1 : 0)
                            && agent.status().equals("finished") == over
                            && agent.write().equals(over ? "" : last(moves)))) {
                violation.accept(
                        "apart",
                        run + " is " + journal.status() + " after " + ids(moves) + ", its checkpoint is " + agent);
            }
            if (saves == null && agent == null && !moves.isEmpty()) {
                violation.accept("apart", run + " has no checkpoint after " + ids(moves));
            }
        });
    }

    private static String last(List<Write> writes) {
        return writes.isEmpty() ? "" : writes.get(writes.size() - 1).id;
    }

    private static boolean isOver(Journal journal) {
        return journal.status().equals("completed");
    }

    private void lookAtEffects() {
        Map<String, Long> done = runs.ledger().stream()
                .filter(line -> line.word() == Ledger.Word.DONE)
                .collect(Collectors.groupingBy(Ledger.Line::key, TreeMap::new, Collectors.counting()));
        runs.journals()
                .forEach((run, journal) -> journal.steps().forEach(step -> {
                    long times = 0;
                    for (Sent effect : step.effects()) {
                        Long count = done.remove(effect.key());
                        times += count == null ? 0 : count;
                        boolean known = effect.status().equals("confirmed");
                        if (known != (count != null)
                                && !effect.status().equals("pending")
                                && !effect.status().equals("indeterminate")) {
                            violation.accept(
                                    "effect",
                                    name(run, step) + " has " + effect + ", which has " + (known ? "not " : "")
                                            + "taken place");
                        }
                        if (isOver(journal) && !known && !effect.status().equals("not_applied")) {
                            violation.accept(
                                    "unsettled", name(run, step) + " has " + effect + " though its run is over");
                        }
                    }
                    boolean wanted = step.outcome().equals("completed");
                    boolean unwanted = step.outcome().equals("failed");
                    if (times > 1 || (wanted && times == 0) || (unwanted && times > 0)) {
                        violation.accept("effect", name(run, step) + " took place " + times + " times");
                    }
                    if (isOver(journal) && step.outcome().isEmpty()) {
                        violation.accept("unsettled", name(run, step) + " has no outcome though its run is over");
                    }
                }));
        done.keySet().forEach(key -> violation.accept("unasked", key + " took place, and no journal has it"));
    }

    private static String name(String run, Step step) {
        return "step " + step.key() + " of " + run;
    }

    /** What people were told that they had decided. */
    private void lookAtRulings() {
        for (Write write : writes.values()) {
            if (!RULINGS.contains(write.operation)) {
                continue;
            }
            Approval approval = runs.approvals().get(write.key);
            if (approval == null || !approval.by().equals(write.id)) {
                if (write.acknowledged()) {
                    violation.accept("lost", write + " was acknowledged, and there is " + approval);
                }
            } else if (write.refused()) {
                violation.accept("refused", write + " was refused and is there");
            } else if (!fits(write.operation, approval)) {
                violation.accept("changed", write + " became " + approval);
            }
        }
    }

    private static boolean fits(String ruling, Approval approval) {
        return switch (ruling) {
            case "approve" ->
                approval.verdict().equals("approved")
                        && Set.of("approved", "consumed").contains(approval.status());
            case "reject" ->
                approval.verdict().equals("rejected") && approval.status().equals("rejected");
            default -> approval.status().equals("withdrawn");
        };
    }

    /** Consumed once, by the step whose intent the journal has. */
    private void lookAtApprovals() {
        runs.approvals().forEach((id, approval) -> {
            List<String> under =
                    runs.journals().getOrDefault(approval.run(), new Journal("", List.of())).steps().stream()
                            .filter(step -> step.approval().equals(id))
                            .map(Step::key)
                            .toList();
            List<String> expected = approval.status().equals("consumed") ? List.of(approval.step()) : List.<String>of();
            long noted = stored.logs().getOrDefault(approval.run(), new Log(0, List.of(), 0)).writes().stream()
                    .filter(write -> write.startsWith(id + "@"))
                    .count();
            if (!under.equals(expected) || noted != expected.size()) {
                violation.accept(
                        "apart",
                        "approval " + id + " is " + approval + ", the journal has it for " + under + " and notes it "
                                + noted + " times");
            }
            if (Set.of("pending", "approved").contains(approval.status())
                    && isOver(runs.journals().getOrDefault(approval.run(), new Journal("", List.of())))) {
                violation.accept("apart", "approval " + id + " is " + approval + " though its run is over");
            }
        });
    }
}
