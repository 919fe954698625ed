package io.holdfast.example.plain;

import io.holdfast.HoldfastException;
import io.holdfast.codec.Fingerprint;
import io.holdfast.idempotency.KeepFor;
import io.holdfast.idempotency.KeyClaim;
import io.holdfast.idempotency.Reservation;
import io.holdfast.lease.Fence;
import io.holdfast.lease.LeaseKey;
import io.holdfast.lease.Loss;
import io.holdfast.repository.Keeping;
import io.holdfast.repository.KeptLease;
import io.holdfast.repository.LeaseKeeper;
import io.holdfast.repository.Stores;
import io.holdfast.state.Checkpoint;
import io.holdfast.state.Outcome;
import io.holdfast.state.Transition;
import io.holdfast.state.WorkflowBudget;
import io.holdfast.state.WorkflowRules;
import io.holdfast.state.WorkflowState;
import io.holdfast.state.WorkflowStatus;
import io.holdfast.step.Begun;
import io.holdfast.step.Finished;
import io.holdfast.step.Step;
import io.holdfast.step.StepResult;
import io.holdfast.step.StepResult.LeaseAfter;
import io.holdfast.workflow.Creation;
import io.holdfast.workflow.Update;
import io.holdfast.workflow.Workflow;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;

/**
 * Takes orders through their steps, beside any number of others like it. It may be killed or frozen at any moment: what it
 * held is taken over when its lease runs out, and what it still writes then is refused.
 *
 * <p>An order's steps are {@code price}, which only computes; {@code charge}, whose effect is outside and may be asked for
 * twice; and {@code complete}, which ends workflow, request and lease at once.
 */
final class OrderWorker {

    /** How long others wait for a worker that has died. */
    static final Duration TTL = Duration.ofSeconds(3);

    private static final String PRICE = "price";
    private static final String CHARGE = "charge";
    private static final String COMPLETE = "complete";

    private static final Duration MAX_PAUSE = Duration.ofMillis(300);
    private static final int MAX_FAILURES = 10;
    // A takeover costs an attempt: enough for a bad day.
    private static final WorkflowBudget BUDGET = WorkflowBudget.DEFAULT.withMaxAttempts(20);

    private final Stores stores;
    private final LeaseKeeper keeper;
    private final OrderBook book;
    private final Payments payments;
    private final String owner;
    private final Consumer<Notice> notices;

    /** @param owner unique to this process: a restarted one must not take itself for its former self */
    OrderWorker(
            Stores stores,
            LeaseKeeper keeper,
            OrderBook book,
            Payments payments,
            String owner,
            Consumer<Notice> notices) {
        this.stores = stores;
        this.keeper = keeper;
        this.book = book;
        this.payments = payments;
        this.owner = owner;
        this.notices = notices;
    }

    /** Works until every order is completed, by whomever. */
    void workThrough(List<Order> orders) throws InterruptedException {
        Deque<Order> open = new ArrayDeque<>(orders);
        int inVain = 0;
        int failures = 0;
        while (!open.isEmpty()) {
            Order order = open.removeFirst();
            boolean over = false;
            try {
                over = handle(order);
                failures = 0;
            } catch (HoldfastException e) {
                // Whatever was written or not: every call of handle can be repeated.
                boolean again = e.retryable() || e.code() == HoldfastException.Code.OUTCOME_UNKNOWN;
                if (!again || ++failures > MAX_FAILURES) {
                    throw e;
                }
                notices.accept(Notice.of(Notice.Kind.TROUBLE, String.valueOf(e.getMessage())));
            }
            if (!over) {
                open.addLast(order);
            }
            inVain = over ? 0 : inVain + 1;
            if (inVain >= open.size() && !open.isEmpty()) {
                Thread.sleep(ThreadLocalRandom.current().nextLong(MAX_PAUSE.toMillis())); // not all in step
                inVain = 0;
            }
        }
    }

    /** Whether the order is over; if not, somebody else has it, or just took it from us. */
    boolean handle(Order order) {
        Reservation reservation =
                stores.idempotencyKeys().reserve(order.request(), order.request(), order.workflowId(), KeepFor.DEFAULT);
        if (reservation instanceof Reservation.Completed completed) {
            tell(
                    Notice.Kind.ANSWERED,
                    order,
                    0,
                    Optional.empty(),
                    completed.key().outcome().orElse(""));
            return true;
        }
        if (reservation instanceof Reservation.Conflict conflict) {
            throw new IllegalStateException(order.request() + " stands for another " + conflict.field());
        }
        Keeping keeping = keeper.acquire(stores, LeaseKey.ofWorkflow(order.workflowId()), owner, TTL, lost -> {});
        if (!(keeping instanceof Keeping.Kept kept)) {
            return false;
        }
        try (KeptLease lease = kept.lease()) {
            return work(order, reservation.key().claim(), lease);
        }
    }

    private boolean work(Order order, KeyClaim request, KeptLease lease) {
        Fence fence = lease.fence();
        Optional<Instant> grantedAt = book.granted(lease.key(), fence);
        Workflow workflow = findOrCreate(order);
        if (workflow.state().status().isTerminal()) { // ended between our two calls
            return true;
        }
        boolean takenOver = workflow.state().status() == WorkflowStatus.RUNNING;
        tell(Notice.Kind.HELD, order, fence.token(), grantedAt, takenOver ? "took over" : "");
        Update started = stores.workflows().updateFenced(workflow, running(workflow.state(), fence), fence);
        if (!(started instanceof Update.Updated updated)) {
            return refused(order, fence, started);
        }
        workflow = updated.workflow();
        while (!workflow.state().status().isTerminal()) {
            Finished finished = switch (workflow.state().currentStage().orElse(PRICE)) {
                case PRICE -> price(order, workflow, fence);
                case CHARGE -> charge(order, workflow, lease);
                default -> complete(order, request, workflow, lease);
            };
            if (!(finished instanceof Finished.Done done)) {
                return refused(order, fence, finished);
            }
            workflow = done.workflow();
        }
        tell(Notice.Kind.FINISHED, order, fence.token(), Optional.of(workflow.updatedAt()), "");
        return true;
    }

    private Workflow findOrCreate(Order order) {
        Optional<Workflow> found = stores.workflows().findCheckpoint(order.workflowId(), order.request());
        if (found.isPresent()) {
            return found.get();
        }
        WorkflowState state = WorkflowState.builder(order.workflowId(), order.request())
                .scope(stores.scope())
                .budget(BUDGET)
                .build();
        Creation creation = stores.workflows().create(state, Map.of());
        if (creation instanceof Creation.Created created) {
            return created.workflow();
        }
        throw new IllegalStateException(order.workflowId() + " belongs to another request");
    }

    /** From wherever it was left to running: one attempt more, and one retry more if it was running already. */
    private WorkflowState running(WorkflowState state, Fence fence) {
        int retries = state.retryCount() + (state.status() == WorkflowStatus.RUNNING ? 1 : 0);
        WorkflowState queued =
                state.status() == WorkflowStatus.QUEUED ? state : moved(state, WorkflowStatus.QUEUED, retries, fence);
        return moved(queued, WorkflowStatus.RUNNING, retries, fence);
    }

    /** No effect outside: begun and finished in one statement. */
    private Finished price(Order order, Workflow workflow, Fence fence) {
        String price = Fingerprint.of(
                "price", Map.of("item", order.item(), "amount", order.amount().toPlainString()));
        WorkflowState next = reached(workflow.state(), CHARGE, fence);
        return stores.steps().step(step(order, PRICE), new StepResult(workflow, next, price, LeaseAfter.KEEP), fence);
    }

    /** An effect outside: announced, done, and written down only if the lease is still ours. */
    private Finished charge(Order order, Workflow workflow, KeptLease lease) {
        Fence fence = lease.fence();
        Step step = step(order, CHARGE);
        Begun begun = stores.steps().begin(step, fence);
        KeyClaim claim;
        if (begun instanceof Begun.New fresh) {
            claim = fresh.claim();
        } else if (begun instanceof Begun.Resumed resumed) { // may have been charged: the provider knows by the key
            claim = resumed.claim();
        } else if (begun instanceof Begun.Lost lost) {
            return new Finished.FenceLost(lost.reason());
        } else {
            throw new IllegalStateException(
                    "step " + step.key() + " is done or another's, and the workflow does not say so");
        }
        if (!lease.isHeld()) { // no more than a courtesy: between this line and the next a process can sleep for hours
            return new Finished.FenceLost(Loss.EXPIRED);
        }
        Payments.Receipt receipt = payments.charge(step.key(), order, fence.token());
        WorkflowState next = reached(workflow.state(), COMPLETE, fence);
        StepResult result = new StepResult(workflow, next, receipt.fingerprint(), LeaseAfter.KEEP);
        return stores.steps().finish(claim, result, fence);
    }

    /** The last step's key is the request's own: state, key and lease end together or not at all. */
    private Finished complete(Order order, KeyClaim request, Workflow workflow, KeptLease lease) {
        Fence fence = lease.fence();
        WorkflowState next = moved(
                workflow.state(), WorkflowStatus.SUCCEEDED, workflow.state().retryCount(), fence);
        String result = Fingerprint.of(
                "result",
                Map.of("request", order.request(), "paid", order.amount().toPlainString()));
        String outcome =
                Outcome.succeeded(order.request(), order.workflowId(), result).fingerprint();
        lease.stopKeeping(); // the step releases it
        return stores.steps().finish(request, new StepResult(workflow, next, outcome, LeaseAfter.RELEASE), fence);
    }

    private static Step step(Order order, String name) {
        return new Step(order.workflowId(), order.workflowId() + ":" + name, order.request());
    }

    private WorkflowState moved(WorkflowState state, WorkflowStatus target, int retries, Fence fence) {
        return WorkflowRules.transition(
                state,
                Transition.to(target, nextEvent(state), Instant.now())
                        .withRetryCount(retries)
                        .withMetadata(signature(fence)));
    }

    private WorkflowState reached(WorkflowState state, String stage, Fence fence) {
        return WorkflowRules.checkpoint(
                state, Checkpoint.at(stage, nextEvent(state), Instant.now()).withMetadata(signature(fence)));
    }

    private static String nextEvent(WorkflowState state) {
        return "e" + (state.events().size() + 1);
    }

    private static Map<String, String> signature(Fence fence) {
        return Map.of("owner", fence.owner(), "fence", Long.toString(fence.token()));
    }

    private boolean refused(Order order, Fence fence, Object answer) {
        String reason =
                answer instanceof Finished.FenceLost lost ? lost.reason().name() : answer.toString();
        tell(Notice.Kind.REFUSED, order, fence.token(), Optional.empty(), reason);
        return false;
    }

    private void tell(Notice.Kind kind, Order order, long token, Optional<Instant> at, String text) {
        notices.accept(new Notice(kind, order.request(), token, at, text));
    }
}
