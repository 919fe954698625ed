package io.holdfast.repository.model;

import io.holdfast.lease.Acquisition;
import io.holdfast.lease.Fence;
import io.holdfast.lease.Lease;
import io.holdfast.lease.LeaseKey;
import io.holdfast.lease.Loss;
import io.holdfast.lease.Renewal;
import io.holdfast.repository.model.ModelRows.Flow;
import io.holdfast.repository.model.ModelRows.Held;
import io.holdfast.state.HistoryBreach;
import io.holdfast.state.WorkflowRules;
import io.holdfast.state.WorkflowState;
import io.holdfast.workflow.CancelRequest;
import io.holdfast.workflow.Cancellation;
import io.holdfast.workflow.Creation;
import io.holdfast.workflow.Update;
import io.holdfast.workflow.Workflow;
import io.holdfast.workflow.WorkflowSummary;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Workflows and leases of one scope over {@link ModelRows}, as their documentation says, without any concurrency. */
final class ModelScope {

    final LongSupplier clock;
    ModelRows rows = new ModelRows();

    /** Not of the rows: it does not go back with a rollback. */
    private long keysMade;

    ModelScope(LongSupplier clock) {
        this.clock = clock;
    }

    /** Greater than any before: a key that is removed and made again is another one. */
    long firstReservation() {
        return ModelRows.firstReservation(++keysMade);
    }

    Creation create(WorkflowState state, Map<String, String> labels) {
        Flow stored = rows.flows.get(state.workflowId());
        if (stored == null) {
            long now = clock.getAsLong();
            Flow made = new Flow(state, 1, UUID.randomUUID(), labels, null, now, now);
            rows.flows.put(state.workflowId(), made);
            return new Creation.Created(workflow(made));
        }
        return stored.state().equals(state) && stored.labels().equals(labels)
                ? new Creation.AlreadyCreated(workflow(stored))
                : new Creation.Taken(stored.revision());
    }

    Optional<Workflow> find(String id) {
        return Optional.ofNullable(rows.flows.get(id)).map(ModelScope::workflow);
    }

    Optional<Workflow> findCheckpoint(String id, String request) {
        return find(id).filter(w -> w.state().requestId().equals(request));
    }

    Update update(Workflow read, WorkflowState next, @Nullable Fence fence) {
        Flow stored = rows.flows.get(read.id());
        if (stored == null || !stored.incarnation().equals(read.incarnation())) {
            return new Update.NotFound();
        }
        if (isRepeat(stored, read, next)) {
            return new Update.AlreadyApplied(workflow(stored));
        }
        Optional<Loss> loss = fence == null ? Optional.empty() : loss(LeaseKey.ofWorkflow(read.id()), fence);
        if (loss.isPresent()) {
            return new Update.FenceLost(loss.get());
        }
        if (stored.isFinished()) {
            return new Update.Terminal(stored.state().status());
        }
        if (stored.state().status() != read.state().status()) {
            return new Update.StatusConflict(stored.state().status());
        }
        if (stored.revision() != read.revision()) {
            return new Update.RevisionConflict(stored.revision());
        }
        Optional<HistoryBreach> breach = WorkflowRules.history(read.state(), next);
        if (breach.isPresent()) {
            return new Update.HistoryConflict(breach.get());
        }
        Workflow written = workflow(write(stored, next));
        // The plain update's value has the cancel request as it was read.
        return new Update.Updated(fence == null ? withCancel(written, read) : written);
    }

    boolean isRepeat(Flow stored, Workflow read, WorkflowState next) {
        return stored.revision() == read.revision() + 1 && stored.state().equals(next);
    }

    Flow write(Flow stored, WorkflowState next) {
        Flow written = new Flow(
                next,
                stored.revision() + 1,
                stored.incarnation(),
                stored.labels(),
                stored.cancelReason(),
                stored.created(),
                clock.getAsLong());
        rows.flows.put(next.workflowId(), written);
        return written;
    }

    Cancellation requestCancel(String id, String reason) {
        Flow stored = rows.flows.get(id);
        if (stored == null) {
            return new Cancellation.NotFound();
        }
        if (stored.isFinished()) {
            return new Cancellation.Terminal(stored.state().status());
        }
        if (stored.cancelReason() != null) {
            return new Cancellation.AlreadyRequested(cancelRequest(stored.cancelReason()));
        }
        rows.flows.put(
                id,
                new Flow(
                        stored.state(),
                        stored.revision(),
                        stored.incarnation(),
                        stored.labels(),
                        reason,
                        stored.created(),
                        stored.updated()));
        return new Cancellation.Requested(cancelRequest(reason));
    }

    List<WorkflowSummary> list(String after, int limit) {
        return rows.flows.values().stream()
                .filter(f -> f.state().workflowId().compareTo(after) > 0)
                .limit(limit)
                .map(f -> new WorkflowSummary(
                        f.state().workflowId(),
                        f.state().requestId(),
                        f.state().status().wire(),
                        f.revision(),
                        f.cancelReason() != null,
                        Instant.EPOCH))
                .toList();
    }

    Acquisition acquire(LeaseKey key, String owner, Duration ttl) {
        long now = clock.getAsLong();
        Held held = rows.leases.get(key);
        if (held != null && held.isLive(now) && !owner.equals(held.owner())) {
            return new Acquisition.Busy(micros(held.expires() - now));
        }
        if (rows.floor == null) {
            rows.floor = 0L;
        }
        long token = (held == null ? rows.floor : held.token()) + 1;
        Held granted = new Held(owner, token, micros(ttl), now, now + micros(ttl));
        rows.leases.put(key, granted);
        return new Acquisition.Granted(lease(key, granted));
    }

    Renewal renew(LeaseKey key, Fence fence) {
        Optional<Loss> loss = loss(key, fence);
        return loss.isPresent() ? new Renewal.Lost(loss.get()) : new Renewal.Renewed(renewed(key));
    }

    Lease renewed(LeaseKey key) {
        Held renewed = rows.leases.get(key).renewed(clock.getAsLong());
        rows.leases.put(key, renewed);
        return lease(key, renewed);
    }

    Map<LeaseKey, Renewal> renewAll(Map<LeaseKey, Fence> held) {
        Map<LeaseKey, Renewal> answers = new LinkedHashMap<>();
        held.forEach((key, fence) -> answers.put(key, renew(key, fence)));
        return answers;
    }

    boolean release(LeaseKey key, Fence fence) {
        Held held = rows.leases.get(key);
        if (held == null || !fence.owner().equals(held.owner()) || fence.token() != held.token()) {
            return false;
        }
        rows.leases.put(key, held.released(clock.getAsLong()));
        return true;
    }

    Optional<Lease> findLease(LeaseKey key) {
        return Optional.ofNullable(rows.leases.get(key))
                .filter(held -> held.owner() != null)
                .map(held -> lease(key, held));
    }

    Optional<Loss> loss(LeaseKey key, Fence fence) {
        Held held = rows.leases.get(key);
        if (held == null || held.owner() == null) {
            return Optional.of(Loss.NONE);
        }
        if (!held.owner().equals(fence.owner()) || held.token() != fence.token()) {
            return Optional.of(Loss.SUPERSEDED);
        }
        return held.isLive(clock.getAsLong()) ? Optional.empty() : Optional.of(Loss.EXPIRED);
    }

    static Workflow workflow(Flow flow) {
        return new Workflow(
                flow.state(),
                flow.revision(),
                flow.incarnation(),
                Optional.ofNullable(flow.cancelReason()).map(ModelScope::cancelRequest),
                flow.labels(),
                Instant.EPOCH,
                Instant.EPOCH);
    }

    private static Workflow withCancel(Workflow written, Workflow read) {
        return new Workflow(
                written.state(),
                written.revision(),
                written.incarnation(),
                read.cancelRequest(),
                written.labels(),
                written.createdAt(),
                written.updatedAt());
    }

    private static CancelRequest cancelRequest(String reason) {
        return new CancelRequest(Instant.EPOCH, Optional.of(reason).filter(r -> !r.isEmpty()));
    }

    Lease lease(LeaseKey key, Held held) {
        return new Lease(
                key,
                new Fence(held.owner(), held.token()),
                micros(held.ttl()),
                Instant.EPOCH,
                Instant.EPOCH,
                micros(held.expires() - clock.getAsLong()));
    }

    static long micros(Duration time) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.EPOCH.plus(time));
    }

    static Duration micros(long time) {
        return Duration.of(time, ChronoUnit.MICROS);
    }
}
