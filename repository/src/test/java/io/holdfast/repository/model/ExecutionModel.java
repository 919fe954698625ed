package io.holdfast.repository.model;

import static java.util.Objects.requireNonNull;

import io.holdfast.Scope;
import io.holdfast.approval.ApprovalState;
import io.holdfast.journal.Committed;
import io.holdfast.journal.EffectEntry;
import io.holdfast.journal.EffectId;
import io.holdfast.journal.EffectStatus;
import io.holdfast.journal.Intent;
import io.holdfast.journal.JournalCommit;
import io.holdfast.journal.JournalCommit.StepEntry;
import io.holdfast.journal.JournalEvent;
import io.holdfast.journal.NewRun;
import io.holdfast.journal.Opened;
import io.holdfast.journal.RecoverableRun;
import io.holdfast.journal.RecoverableRun.Cause;
import io.holdfast.journal.Resolution;
import io.holdfast.journal.Resolution.Finding;
import io.holdfast.journal.Resolved;
import io.holdfast.journal.RunClaim;
import io.holdfast.journal.RunHead;
import io.holdfast.journal.RunKind;
import io.holdfast.journal.RunStatus;
import io.holdfast.journal.StepKey;
import io.holdfast.lease.Acquisition;
import io.holdfast.lease.Fence;
import io.holdfast.lease.Lease;
import io.holdfast.lease.LeaseKey;
import io.holdfast.lease.Loss;
import io.holdfast.repository.model.ExecutionRows.Asked;
import io.holdfast.repository.model.ExecutionRows.Held;
import io.holdfast.repository.model.ExecutionRows.Journaled;
import io.holdfast.repository.model.ExecutionRows.Logged;
import io.holdfast.repository.model.ExecutionRows.Sent;
import io.holdfast.repository.model.ExecutionRows.Step;
import io.holdfast.run.Append;
import io.holdfast.run.Run;
import io.holdfast.run.RunChange;
import io.holdfast.run.RunCreation;
import io.holdfast.run.RunUpdate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Runs, the journal and its leases in one scope over {@link ExecutionRows}, as their documentation says, one call at a time. */
final class ExecutionModel {

    static final long HOUR = 3_600_000_000L;

    final Scope scope;
    final LongSupplier clock;
    ExecutionRows rows = new ExecutionRows();

    ExecutionModel(Scope scope, LongSupplier clock) {
        this.scope = scope;
        this.clock = clock;
    }

    long now() {
        return clock.getAsLong();
    }

    RunCreation create(String id, Map<String, ?> state, Map<String, ?> metadata) {
        Logged stored = rows.runs.get(id);
        if (stored == null) {
            rows.runs.put(
                    id,
                    new Logged(
                            "running", 1, Map.copyOf(state), Map.copyOf(state), Map.copyOf(metadata), null, List.of()));
            return new RunCreation.Created(run(id));
        }
        return stored.revision() == 1
                        && stored.input().equals(state)
                        && stored.metadata().equals(metadata)
                ? new RunCreation.AlreadyCreated(run(id))
                : new RunCreation.Taken(stored.revision());
    }

    Optional<Run> find(String id) {
        return rows.runs.containsKey(id) ? Optional.of(run(id)) : Optional.empty();
    }

    private Run run(String id) {
        Logged stored = requireNonNull(rows.runs.get(id));
        return new Run(
                id,
                stored.status(),
                stored.revision(),
                new UUID(0, 0),
                stored.events().size(),
                stored.input(),
                stored.state(),
                stored.metadata(),
                Instant.EPOCH,
                Instant.EPOCH);
    }

    RunUpdate update(Run read, RunChange change) {
        Logged stored = rows.runs.get(read.id());
        if (stored == null) {
            return new RunUpdate.NotFound();
        }
        if (stored.revision() == read.revision() + 1 && isSame(stored.change(), change)) {
            return new RunUpdate.AlreadyApplied(run(read.id()));
        }
        if (change.unless().contains(stored.status())) {
            return new RunUpdate.Forbidden(stored.status());
        }
        if (stored.revision() != read.revision()) {
            return new RunUpdate.RevisionConflict(read.revision(), stored.revision());
        }
        Map<String, @Nullable Object> state = new LinkedHashMap<>(stored.state());
        state.putAll(change.stateUpdate());
        rows.runs.put(
                read.id(),
                new Logged(
                        change.status(),
                        stored.revision() + 1,
                        stored.input(),
                        state,
                        stored.metadata(),
                        change,
                        appended(stored.events(), change.events())));
        return new RunUpdate.Updated(run(read.id()));
    }

    private static boolean isSame(@Nullable RunChange former, RunChange change) {
        return former != null
                && former.status().equals(change.status())
                && former.stateUpdate().equals(change.stateUpdate())
                && former.events().equals(change.events());
    }

    private static List<String> appended(List<String> events, List<? extends Map<String, ?>> more) {
        List<String> all = new ArrayList<>(events);
        more.forEach(event -> all.add(String.valueOf(event.get("type"))));
        return all;
    }

    Append append(String id, List<Map<String, Object>> events) {
        Logged stored = rows.runs.get(id);
        if (stored == null) {
            return new Append.NotFound();
        }
        List<String> all = appended(stored.events(), events);
        rows.runs.put(
                id,
                new Logged(
                        stored.status(),
                        stored.revision(),
                        stored.input(),
                        stored.state(),
                        stored.metadata(),
                        stored.change(),
                        all));
        return new Append.Appended(all.size() - events.size() + 1, all.size(), Instant.EPOCH);
    }

    Opened open(NewRun run, String owner, Duration ttl) {
        Journaled stored = rows.journals.get(run.id());
        if (stored != null) {
            return new Opened.Taken(stored.status());
        }
        Held held = rows.leases.get(run.id());
        if (held != null && held.isLive(now()) && !owner.equals(held.owner())) {
            return new Opened.Busy(Duration.ofNanos((held.expires() - now()) * 1_000));
        }
        Lease lease = granted(run.id(), owner, ttl);
        rows.journals.put(
                run.id(),
                new Journaled(
                        RunStatus.RUNNING,
                        true,
                        held != null && owner.equals(held.owner())
                                ? held.token()
                                : lease.fence().token(),
                        run.definitionDigest(),
                        null,
                        run.state(),
                        1,
                        List.of(),
                        Map.of(),
                        Map.of(),
                        List.of()));
        hear(run.id(), asked -> asked.state() == ApprovalState.PENDING, false);
        return new Opened.Done(head(run.id()), lease);
    }

    Acquisition acquire(String id, String owner, Duration ttl) {
        Held held = rows.leases.get(id);
        return held != null && held.isLive(now()) && !owner.equals(held.owner())
                ? new Acquisition.Busy(Duration.ofNanos((held.expires() - now()) * 1_000))
                : new Acquisition.Granted(granted(id, owner, ttl));
    }

    private Lease granted(String id, String owner, Duration ttl) {
        Held former = rows.leases.get(id);
        long token = former == null ? 1 : former.token() + 1;
        rows.leases.put(id, new Held(owner, token, ttl.toMillis(), now() + ttl.toNanos() / 1_000));
        return new Lease(LeaseKey.ofRun(id), new Fence(owner, token), ttl, Instant.EPOCH, Instant.EPOCH, ttl);
    }

    RunHead head(String id) {
        Journaled stored = requireNonNull(rows.journals.get(id));
        return new RunHead(
                id, stored.status(), stored.revision(), stored.events().size(), Instant.EPOCH);
    }

    Optional<RunHead> findHead(String id) {
        return rows.journals.containsKey(id) ? Optional.of(head(id)) : Optional.empty();
    }

    RunClaim claim(String id, String owner, Duration ttl, String digest) {
        Journaled stored = rows.journals.get(id);
        if (stored == null) {
            return new RunClaim.NotFound();
        }
        if (!stored.digest().equals(digest)) {
            return new RunClaim.DefinitionMismatch(stored.digest());
        }
        if (stored.status().isFinal()) {
            return new RunClaim.Finished(stored.status());
        }
        Held held = rows.leases.get(id);
        if (held != null && held.isLive(now()) && !owner.equals(held.owner())) {
            return new RunClaim.Busy(Duration.ofNanos((held.expires() - now()) * 1_000));
        }
        rows.journals.put(id, stored.watching());
        hear(id, asked -> asked.isUnheard(now()), true);
        return new RunClaim.Granted(head(id), granted(id, owner, ttl));
    }

    private void hear(String run, Predicate<Asked> which, boolean heard) {
        rows.approvals.replaceAll(
                (id, asked) -> asked.request().run().equals(run) && which.test(asked) ? asked.hearing(heard) : asked);
    }

    boolean release(String id, Fence fence) {
        Held held = rows.leases.get(id);
        if (held == null || !fence.owner().equals(held.owner()) || fence.token() != held.token()) {
            return false;
        }
        letGo(id);
        return true;
    }

    private void letGo(String id) {
        Held held = requireNonNull(rows.leases.get(id));
        rows.leases.put(id, new Held(null, held.token(), held.ttl(), Math.min(held.expires(), now())));
    }

    Optional<Loss> loss(String id, Fence fence) {
        Held held = rows.leases.get(id);
        if (held == null || held.owner() == null) {
            return Optional.of(Loss.NONE);
        }
        if (!held.owner().equals(fence.owner()) || held.token() != fence.token()) {
            return Optional.of(Loss.SUPERSEDED);
        }
        return held.isLive(now()) ? Optional.empty() : Optional.of(Loss.EXPIRED);
    }

    Committed commit(JournalCommit commit, Fence fence) {
        Journaled stored = rows.journals.get(commit.runId());
        if (stored == null) {
            return new Committed.NotFound();
        }
        Object content = List.of(
                commit.state(),
                commit.cursor(),
                commit.status(),
                commit.steps(),
                commit.effects(),
                commit.events(),
                fence);
        if (commit.expected().orElse(-9) + 1 == stored.revision()
                && stored.last().equals(content)) {
            return new Committed.AlreadyApplied(head(commit.runId()));
        }
        Optional<Loss> loss = loss(commit.runId(), fence);
        if (loss.isPresent()) {
            return new Committed.FenceLost(loss.get());
        }
        if (stored.status().isFinal()) {
            return new Committed.Finished(stored.status());
        }
        if (commit.expected().orElse(stored.revision()) != stored.revision()) {
            return new Committed.RevisionConflict(stored.revision());
        }
        Optional<Committed> refused = clash(stored, commit);
        return refused.orElseGet(() -> {
            write(stored, commit, content);
            return new Committed.Done(head(commit.runId()));
        });
    }

    private Optional<Committed> clash(Journaled stored, JournalCommit commit) {
        for (StepEntry entry : commit.steps()) {
            Step step = stored.steps().get(entry.step());
            if (step != null && !fits(step, entry)) {
                return Optional.of(new Committed.StepConflict(entry.step()));
            }
        }
        for (StepEntry entry : commit.steps()) {
            Optional<String> approval = entry.intent().flatMap(Intent::approvalId);
            if (!stored.steps().containsKey(entry.step())
                    && approval.isPresent()
                    && !isConsumed(stored, commit.runId(), entry.intent().orElseThrow(), approval.get())) {
                return Optional.of(new Committed.ApprovalNotConsumed(entry.step(), approval.get()));
            }
        }
        for (EffectEntry entry : commit.effects()) {
            if (clashes(stored, commit, entry)) {
                return Optional.of(new Committed.EffectConflict(entry.step(), entry.index()));
            }
        }
        return commit.effects().stream()
                .filter(entry -> !stored.effects().containsKey(place(entry)))
                .map(entry -> entry.idempotencyKey().orElseThrow())
                .filter(this::isTaken)
                .findFirst()
                .map(Committed.KeyTaken::new);
    }

    private static boolean fits(Step step, StepEntry entry) {
        return entry.intent().map(intent -> intent.equals(step.intent())).orElse(true)
                && (step.outcome() == null
                        || entry.outcome().map(step.outcome()::equals).orElse(true));
    }

    private boolean isConsumed(Journaled stored, String run, Intent intent, String approval) {
        Asked asked = rows.approvals.get(approval);
        return asked != null
                && asked.step() != null
                && asked.request().run().equals(run)
                && asked.step().equals(intent.step().text())
                && asked.request().digest().equals(intent.payloadDigest())
                && asked.token() >= stored.openedToken();
    }

    private static boolean clashes(Journaled stored, JournalCommit commit, EffectEntry entry) {
        Sent sent = stored.effects().get(place(entry));
        if (sent == null) {
            Optional<Intent> intent = intent(stored, commit, entry.step());
            return entry.status() != EffectStatus.PENDING
                    || intent.isEmpty()
                    || (intent.get().approvalId().isPresent() && mayHaveHappened(stored, commit, entry));
        }
        if (entry.status() == EffectStatus.PENDING) {
            return sent.status() != EffectStatus.PENDING
                    || !sent.key().equals(entry.idempotencyKey().orElseThrow());
        }
        return sent.status() != EffectStatus.PENDING
                && (sent.status() != entry.status()
                        || !Optional.ofNullable(sent.result()).equals(entry.result()));
    }

    private static Optional<Intent> intent(Journaled stored, JournalCommit commit, StepKey step) {
        Step known = stored.steps().get(step);
        return known != null && known.intent() != null
                ? Optional.of(known.intent())
                : commit.steps().stream()
                        .filter(one -> one.step().equals(step))
                        .findFirst()
                        .flatMap(StepEntry::intent);
    }

    private static boolean mayHaveHappened(Journaled stored, JournalCommit commit, EffectEntry entry) {
        return commit.effects().stream()
                                .filter(other -> other.step().equals(entry.step()))
                                .count()
                        > 1
                || stored.effects().values().stream()
                        .anyMatch(other -> other.step().equals(entry.step()) && other.finding() != Finding.NOT_APPLIED);
    }

    boolean isTaken(String key) {
        return rows.journals.values().stream()
                .flatMap(run -> run.effects().values().stream())
                .anyMatch(sent -> sent.key().equals(key));
    }

    static List<Object> place(EffectEntry entry) {
        return List.of(entry.step(), entry.index());
    }

    private void write(Journaled stored, JournalCommit commit, Object content) {
        RunStatus status = commit.status().orElse(stored.status());
        boolean watched = commit.status()
                .map(next -> next == RunStatus.RUNNING || next == RunStatus.INTERRUPTED)
                .orElse(stored.watched());
        Journaled next = stored.moved(status, watched)
                .committed(
                        commit.cursor().isPresent() ? commit.cursor().get().at().orElse(null) : stored.cursor(),
                        commit.state().orElse(stored.state()),
                        content);
        for (StepEntry entry : commit.steps()) {
            Step was = next.steps().getOrDefault(entry.step(), new Step(null, null));
            next.steps()
                    .put(
                            entry.step(),
                            new Step(
                                    entry.intent().orElse(was.intent()),
                                    entry.outcome().orElse(was.outcome())));
        }
        for (EffectEntry entry : commit.effects()) {
            Sent was = next.effects().get(place(entry));
            String key = was == null ? entry.idempotencyKey().orElseThrow() : was.key();
            if (was == null || was.status() == EffectStatus.PENDING) {
                next.effects()
                        .put(
                                place(entry),
                                new Sent(
                                        entry.step(),
                                        entry.index(),
                                        key,
                                        entry.status(),
                                        entry.result().orElse(null),
                                        null,
                                        null));
            }
        }
        commit.events().stream().map(JournalEvent::type).forEach(next.events()::add);
        rows.journals.put(commit.runId(), next);
        if (commit.status().isPresent() && commit.status().get().endsLease()) {
            letGo(commit.runId());
        }
        if (status.isFinal()) {
            hear(commit.runId(), asked -> asked.state() != ApprovalState.CONSUMED, true);
        }
    }

    Resolved resolve(String run, StepKey step, int index, Resolution resolution, Fence fence) {
        Journaled stored = rows.journals.get(run);
        Sent sent = stored == null ? null : stored.effects().get(List.<Object>of(step, index));
        if (stored == null || sent == null) {
            return new Resolved.NotFound();
        }
        if (sent.status() == EffectStatus.RESOLVED) {
            return new Resolved.AlreadyResolved(requireNonNull(sent.finding()), requireNonNull(sent.by()));
        }
        Optional<Loss> loss = loss(run, fence);
        if (loss.isPresent()) {
            return new Resolved.FenceLost(loss.get());
        }
        if (stored.status().isFinal()) {
            return new Resolved.Finished(stored.status());
        }
        if (sent.status() != EffectStatus.INDETERMINATE) {
            return new Resolved.NotIndeterminate(sent.status());
        }
        boolean inDoubt = stored.effects().values().stream()
                .anyMatch(other -> !other.equals(sent) && other.status() == EffectStatus.INDETERMINATE);
        Journaled next = stored.moved(stored.status(), stored.status() != RunStatus.PAUSED || !inDoubt);
        next.effects()
                .put(
                        List.of(step, index),
                        new Sent(
                                step,
                                index,
                                sent.key(),
                                EffectStatus.RESOLVED,
                                sent.result(),
                                resolution.finding(),
                                resolution.actor()));
        next.events().add("effect_resolved");
        rows.journals.put(run, next);
        if (stored.status() == RunStatus.PAUSED) {
            letGo(run);
        }
        return new Resolved.Done(head(run));
    }

    int purge() {
        List<String> over = rows.journals.entrySet().stream()
                .filter(run -> run.getValue().status().isFinal()
                        && run.getValue().effects().values().stream()
                                .noneMatch(sent -> sent.status() == EffectStatus.PENDING
                                        || sent.status() == EffectStatus.INDETERMINATE))
                .map(Map.Entry::getKey)
                .toList();
        over.forEach(rows.journals::remove);
        return over.size();
    }

    List<RecoverableRun> recoverable() {
        List<RecoverableRun> found = new ArrayList<>();
        rows.journals.forEach((id, run) -> {
            Held held = rows.leases.get(id);
            if (held != null && held.isLive(now())) {
                return;
            }
            String owner = held == null ? null : held.owner();
            boolean left = run.watched();
            boolean answered = run.status() == RunStatus.PAUSED
                    && rows.approvals.values().stream()
                            .anyMatch(asked -> asked.request().run().equals(id) && asked.isUnheard(now()));
            if (left || answered) {
                found.add(new RecoverableRun.Claimable(
                        id,
                        left ? Cause.LEFT : Cause.ANSWERED,
                        RunKind.WORKFLOW,
                        run.digest(),
                        run.status(),
                        run.revision(),
                        Instant.EPOCH,
                        Optional.ofNullable(owner)));
            }
        });
        return found;
    }

    String keyOf(String run, StepKey step) {
        return EffectId.of(scope, run, step, 0).idempotencyKey();
    }
}
