package io.holdfast.repository;

import io.holdfast.Scope;
import io.holdfast.codec.Canonical;
import io.holdfast.journal.EffectEntry;
import io.holdfast.journal.EffectId;
import io.holdfast.journal.Intent;
import io.holdfast.journal.JournalCommit;
import io.holdfast.journal.JournalCommit.StepEntry;
import io.holdfast.journal.JournalEvent;
import io.holdfast.journal.RunStatus;
import io.holdfast.journal.StepOutcome;
import io.holdfast.repository.Statements.Call;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What a commit holds, as its function takes it: an array for each column, and a place in it for each entry. */
final class JournalEntries {

    private JournalEntries() {}

    static Call<CommitRow> given(Call<CommitRow> call, Scope scope, JournalCommit commit) {
        Optional<RunStatus> status = commit.status();
        call.set("scope", scope.id())
                .set("id", commit.runId())
                .set("known_version", JpaRunLeases.JOURNAL_VERSION)
                .set(
                        "expected",
                        commit.expected().isPresent() ? (Long) commit.expected().getAsLong() : null)
                .set("state", commit.state().orElse(null))
                .set(
                        "state_version",
                        commit.stateVersion().isPresent()
                                ? (Long) (long) commit.stateVersion().getAsInt()
                                : null)
                .set("cursor_given", commit.cursor().isPresent())
                .set("cursor", commit.cursor().flatMap(JournalCommit.Cursor::at).orElse(null))
                .set("status", status.map(RunStatus::wire).orElse(null))
                .set("ends", status.isPresent() && status.get().endsLease());
        steps(call, commit.steps());
        effects(call, scope, commit);
        return call.set("v_types", array(commit.events(), JournalEvent::type))
                .set("v_payloads", array(commit.events(), JournalEvent::payload));
    }

    private static void steps(Call<CommitRow> call, List<StepEntry> steps) {
        call.set("s_keys", array(steps, step -> step.step().text()))
                .set("s_digests", intents(steps, Intent::payloadDigest))
                .set("s_idempotency_keys", intents(steps, Intent::idempotencyKey))
                .set("s_classes", intents(steps, intent -> intent.effectClass().wire()))
                .set("s_approvals", intents(steps, intent -> intent.approvalId().orElse(null)))
                .set("s_reservations", intents(steps, JournalEntries::reservations))
                .set("s_outcomes", outcomes(steps, outcome -> outcome.ending().wire()))
                .set("s_outputs", outcomes(steps, StepOutcome::output));
    }

    private static void effects(Call<CommitRow> call, Scope scope, JournalCommit commit) {
        List<EffectEntry> effects = commit.effects();
        call.set("e_keys", array(effects, effect -> effect.step().text()))
                .set("e_indexes", array(effects, effect -> Integer.toString(effect.index())))
                .set(
                        "e_ids",
                        array(
                                effects,
                                effect -> EffectId.of(scope, commit.runId(), effect.step(), effect.index())
                                        .hex()))
                .set("e_statuses", array(effects, effect -> effect.status().wire()))
                .set(
                        "e_idempotency_keys",
                        array(effects, effect -> effect.idempotencyKey().orElse(null)))
                .set("e_results", array(effects, effect -> effect.result().orElse(null)));
    }

    private static String reservations(Intent intent) {
        return Canonical.write("reservations", intent.reservations());
    }

    private static String intents(List<StepEntry> steps, Function<Intent, @Nullable String> part) {
        return array(steps, step -> step.intent().map(part).orElse(null));
    }

    private static String outcomes(List<StepEntry> steps, Function<StepOutcome, String> part) {
        return array(steps, step -> step.outcome().map(part).orElse(null));
    }

    private static <T> String array(List<T> entries, Function<T, @Nullable String> part) {
        return TextArray.of(entries.stream().map(part).toList());
    }
}
