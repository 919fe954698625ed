package io.holdfast.chaos;

import io.holdfast.Scope;
import io.holdfast.chaos.Desk.Answer;
import io.holdfast.cleanup.Keep;
import io.holdfast.cleanup.Removed;
import io.holdfast.cleanup.RetentionPace;
import io.holdfast.cleanup.RetentionPolicy;
import io.holdfast.cleanup.RetentionReport;
import io.holdfast.cleanup.RetentionRule;
import io.holdfast.codec.Fingerprint;
import io.holdfast.idempotency.Completion;
import io.holdfast.idempotency.KeepFor;
import io.holdfast.idempotency.Reservation;
import io.holdfast.lease.Acquisition;
import io.holdfast.lease.Fence;
import io.holdfast.lease.LeaseKey;
import io.holdfast.repository.Stores;
import io.holdfast.state.WorkflowRules;
import io.holdfast.state.WorkflowState;
import io.holdfast.state.WorkflowStatus;
import io.holdfast.step.Finished;
import io.holdfast.step.Step;
import io.holdfast.step.StepResult;
import io.holdfast.step.StepResult.LeaseAfter;
import io.holdfast.workflow.Workflow;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * Workflows, leases and keys that live shortly, in a scope of their own, and the clean-up that removes them under the workers'
 * hands. The same few ids come again and again, so tokens have to go on where those of rows that are gone have ended.
 */
final class PassingWork implements Workload {

    static final Scope SCOPE = Scope.of("passing");

    /** What the names of all that lives here begin with. */
    static final String PREFIX = "passing-";

    /** How long a key is kept, from its reservation and from its outcome. */
    static final Duration KEPT = Duration.ofMillis(1_500);

    private static final int IDS = 4;

    /** Writes of a workflow before it is closed. */
    private static final int WRITES = 4;

    private static final Duration SPENT = Duration.ofMillis(200);

    private static final RetentionPolicy POLICY = RetentionPolicy.of(RetentionRule.KEEP_ALL
            .with(WorkflowStatus.CLOSED, Keep.during(SPENT))
            .withExpired(SPENT));

    private static final RetentionPace PACE =
            RetentionPace.DEFAULT.withPause(Duration.ZERO).withRest(0).withAtMost(Duration.ofSeconds(2));

    @Override
    public void work(Desk desk) throws InterruptedException {
        Stores stores = desk.holdfast.in(SCOPE);
        for (int left = 1 + desk.random.nextInt(3); left > 0; left--) {
            switch (desk.random.nextInt(4)) {
                case 0 -> request(desk, stores);
                case 1 -> workflow(desk, stores);
                default -> cleanUp(desk, stores);
            }
            desk.pause();
        }
    }

    private static void cleanUp(Desk desk, Stores stores) {
        desk.asking(
                desk.call("clean-up", SCOPE.id(), 0, Entry.NONE),
                () -> stores.cleanup().run(POLICY, PACE, removed -> {}),
                PassingWork::removed);
    }

    private static Answer removed(RetentionReport report) {
        Removed total = report.total();
        return new Answer(total.total() > 0 ? "removed" : "nothing", 0, total.total());
    }

    /** Who reserves it anew when it has lapsed may do it once more, and nobody before. */
    private static void request(Desk desk, Stores stores) throws InterruptedException {
        String key = PREFIX + "request-" + desk.random.nextInt(IDS);
        Reservation reservation = desk.asking(
                desk.call("reserve", key, 0, Entry.NONE),
                () -> stores.idempotencyKeys().reserve(key, key, KeepFor.of(KEPT)),
                said -> said instanceof Reservation.New
                        ? new Answer(Answer.ANEW, 0, KEPT.toMillis())
                        : said instanceof Reservation.Completed completed
                                ? new Answer(
                                        Answer.COMPLETED + ":"
                                                + completed.key().outcome().orElse(""),
                                        0,
                                        0)
                                : new Answer(Answer.RESERVED, 0, 0));
        if (reservation instanceof Reservation.Conflict conflict) {
            throw new IllegalStateException(key + " stands for something else: " + conflict.field());
        }
        if (reservation instanceof Reservation.Completed) {
            return;
        }
        desk.pause();
        String write = desk.nextWrite();
        desk.asking(
                desk.call("complete-passing", key, 0, write),
                () -> stores.idempotencyKeys().complete(reservation.key().claim(), Fingerprint.ofText(write)),
                said -> said instanceof Completion.Done ? new Answer(Answer.DONE, 0, 0) : Answer.refused());
    }

    private static void workflow(Desk desk, Stores stores) throws InterruptedException {
        String id = PREFIX + desk.random.nextInt(IDS);
        LeaseKey key = LeaseKey.ofWorkflow(id);
        Acquisition answer = desk.asking(
                desk.call("acquire", id, 0, Entry.NONE),
                () -> stores.leases().acquire(key, desk.who, Desk.TTL),
                said -> said instanceof Acquisition.Granted granted
                        ? new Answer(
                                Answer.GRANTED,
                                granted.lease().fence().token(),
                                granted.lease().ttl().toMillis())
                        : Answer.busy());
        if (!(answer instanceof Acquisition.Granted granted)) {
            return;
        }
        Fence fence = granted.lease().fence();
        Optional<Workflow> at = stores.workflows().find(id);
        if (at.isEmpty()) {
            stores.workflows().create(WorkflowState.create(id, id), Map.of());
            at = stores.workflows().find(id);
        }
        while (at.isPresent() && !at.get().state().status().isTerminal()) {
            desk.pause();
            at = step(desk, stores, at.get(), fence);
        }
    }

    /** The last one gives the lease back. */
    private static Optional<Workflow> step(Desk desk, Stores stores, Workflow at, Fence fence) {
        String write = desk.nextWrite();
        boolean last = at.state().events().size() >= WRITES - 1;
        WorkflowState next = last
                ? WorkflowRules.transition(at.state(), WorkflowStatus.CLOSED, write, Instant.now())
                : WorkflowRules.checkpoint(at.state(), "at-work", write, Instant.now());
        Step step = new Step(at.id(), write, at.state().requestId(), KeepFor.of(KEPT));
        StepResult result =
                new StepResult(at, next, Fingerprint.ofText(write), last ? LeaseAfter.RELEASE : LeaseAfter.KEEP);
        Finished finished = desk.asking(
                desk.call(last ? "close-passing" : "step-passing", at.id(), fence.token(), write),
                () -> stores.steps().step(step, result, fence),
                said -> said instanceof Finished.Done done
                        ? Answer.done(done.workflow().revision())
                        : Answer.refused());
        return finished instanceof Finished.Done done ? Optional.of(done.workflow()) : Optional.empty();
    }
}
