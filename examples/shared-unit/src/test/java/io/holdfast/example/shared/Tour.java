package io.holdfast.example.shared;

import io.holdfast.cleanup.Cutoff;
import io.holdfast.cleanup.Removed;
import io.holdfast.codec.Fingerprint;
import io.holdfast.idempotency.KeepFor;
import io.holdfast.idempotency.Reservation;
import io.holdfast.lease.Acquisition;
import io.holdfast.lease.Fence;
import io.holdfast.lease.LeaseKey;
import io.holdfast.repository.Stores;
import io.holdfast.state.WorkflowRules;
import io.holdfast.state.WorkflowState;
import io.holdfast.state.WorkflowStatus;
import io.holdfast.step.Begun;
import io.holdfast.step.Finished;
import io.holdfast.step.Step;
import io.holdfast.step.StepResult;
import io.holdfast.step.StepResult.LeaseAfter;
import io.holdfast.workflow.Workflow;
import io.holdfast.workflow.WorkflowFilter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Every operation of the contracts once, the same each time, with what each answered. */
final class Tour {

    static final Cutoff CUTOFF = new Cutoff(Duration.ZERO, Duration.ZERO, 10);

    private static final Instant AT = Instant.parse("2026-01-01T00:00:00Z");
    private static final Duration TTL = Duration.ofSeconds(60);
    private static final String OUTCOME = Fingerprint.ofText("done");
    private static final String REQUEST = "req-1";
    private static final LeaseKey LEASE = LeaseKey.ofWorkflow("wf-1");

    /** What a mapper or a converter that is not ours would show on. */
    private static final Map<String, String> LABELS = Map.of(
            "streetName",
            " two  spaces ",
            "odd",
            "a=b;\"quoted\\\" \u00fc \ud83d\udce6",
            "time",
            "2026-01-01T00:00:00Z");

    /** One call of a store, in whatever transaction. */
    interface Caller {
        <R> R call(Function<Stores, R> work);
    }

    private final Caller caller;
    private final List<String> answers = new ArrayList<>();
    private Fence fence;

    private Tour(Caller caller) {
        this.caller = caller;
    }

    /** All but what removes rows. */
    static List<String> through(Caller caller) {
        Tour tour = new Tour(caller);
        tour.workflowsAndLeases();
        tour.keys();
        tour.steps();
        return tour.answers;
    }

    static Removed cleaningUp(Caller caller) {
        return caller.call(s -> s.cleanup().pass(CUTOFF));
    }

    private <R> R answer(Function<Stores, R> work) {
        R answer = caller.call(work);
        answers.add(answer.getClass().getName());
        return answer;
    }

    private void workflowsAndLeases() {
        answer(s -> s.workflows().create(WorkflowState.create("wf-1", REQUEST), LABELS));
        answer(s -> s.workflows().create(WorkflowState.create("wf-1", REQUEST), LABELS));
        answer(s -> s.workflows().create(WorkflowState.create("wf-2", REQUEST), Map.of()));
        answer(s -> s.workflows().findCheckpoint("wf-1", REQUEST).orElseThrow());
        Workflow read = caller.call(s -> s.workflows().find("wf-1")).orElseThrow();
        answer(s -> s.workflows().update(read, moved(read, WorkflowStatus.QUEUED)));
        answer(s -> s.workflows().update(read, moved(read, WorkflowStatus.QUEUED)));
        answer(s -> s.workflows().update(read, moved(read, WorkflowStatus.CLOSED)));
        Acquisition granted = answer(s -> s.leases().acquire(LEASE, "w1", TTL));
        fence = ((Acquisition.Granted) granted).lease().fence();
        answer(s -> s.leases().acquire(LEASE, "w2", TTL));
        answer(s -> s.leases().renew(LEASE, fence));
        Workflow queued = read();
        answer(s -> s.workflows().updateFenced(queued, moved(queued, WorkflowStatus.RUNNING), fence));
        Workflow running = read();
        answer(s -> s.workflows().updateFenced(running, moved(running, WorkflowStatus.FAILED), new Fence("w2", 99)));
        answer(s -> s.leases().find(LEASE).orElseThrow());
        answer(s -> s.workflows().requestCancel("wf-1", " why \u00fc not? "));
        LeaseKey other = new LeaseKey("tick", "x");
        Fence tick = ((Acquisition.Granted) answer(s -> s.leases().acquire(other, "w1", TTL)))
                .lease()
                .fence();
        answer(s -> s.leases().renewAll(Map.of(LEASE, fence, other, tick)).get(other));
        answer(s -> s.leases().release(other, tick));
        answer(s -> s.leases().acquire(new LeaseKey("report", " y/\u00fc "), "w1", TTL));
        answers.add(caller.call(s -> s.workflows().list("", 10)).stream()
                .map(w -> w.id() + " " + w.status())
                .toList()
                .toString());
        WorkflowFilter two = WorkflowFilter.ALL.withLabel("streetName", " two  spaces ");
        answers.add(caller.call(s -> s.workflows().search(two, Optional.empty(), 10)).lines().stream()
                .map(line -> line.workflow().id())
                .toList()
                .toString());
    }

    private void keys() {
        Reservation reserved = answer(s -> s.idempotencyKeys().reserve("k:0", REQUEST, "wf-1", KeepFor.DEFAULT));
        answer(s -> s.idempotencyKeys().reserve("k:0", REQUEST, "wf-1", KeepFor.DEFAULT));
        answer(s -> s.idempotencyKeys().reserve("k:0", "req-2", "wf-1", KeepFor.DEFAULT));
        answer(s -> s.idempotencyKeys().complete(reserved.key().claim(), OUTCOME));
        Reservation second = answer(s -> s.idempotencyKeys().reserve("k:1", REQUEST, "wf-1", KeepFor.DEFAULT));
        answer(s -> s.idempotencyKeys().completeFenced(second.key().claim(), OUTCOME, fence));
        answers.add(caller.call(s -> s.idempotencyKeys().find("k:0"))
                .orElseThrow()
                .outcome()
                .orElseThrow());
    }

    private void steps() {
        Workflow third = read();
        Step one = new Step("wf-1", "wf-1:one", REQUEST);
        Begun begun = answer(s -> s.steps().begin(one, fence));
        answer(s -> s.steps().begin(one, fence));
        WorkflowState next = WorkflowRules.checkpoint(third.state(), "memory", "e3", AT);
        StepResult result = new StepResult(third, next, OUTCOME, LeaseAfter.KEEP);
        Finished done = answer(s -> s.steps().finish(((Begun.New) begun).claim(), result, fence));
        answer(s -> s.steps().finish(((Begun.New) begun).claim(), result, fence));
        Workflow fourth = ((Finished.Done) done).workflow();
        StepResult end = new StepResult(fourth, moved(fourth, WorkflowStatus.SUCCEEDED), OUTCOME, LeaseAfter.RELEASE);
        answer(s -> s.steps().step(new Step("wf-1", "wf-1:two", REQUEST), end, fence));
        answer(s -> s.workflows().update(fourth, next));
    }

    private Workflow read() {
        return caller.call(s -> s.workflows().find("wf-1")).orElseThrow();
    }

    private static WorkflowState moved(Workflow read, WorkflowStatus to) {
        return WorkflowRules.transition(read.state(), to, "to-" + to.wire(), AT);
    }
}
