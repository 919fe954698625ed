package io.holdfast.bench;

import io.holdfast.Scope;
import io.holdfast.idempotency.KeyClaim;
import io.holdfast.lease.Acquisition;
import io.holdfast.lease.Fence;
import io.holdfast.lease.LeaseKey;
import io.holdfast.step.Begun;
import io.holdfast.step.Finished;
import io.holdfast.step.Step;
import io.holdfast.step.StepResult;
import io.holdfast.step.StepResult.LeaseAfter;
import io.holdfast.step.Steps;
import io.holdfast.workflow.Creation;
import io.holdfast.workflow.Workflow;

/** The operations on steps: each thread goes round its workflows, each step has a key of its own. */
final class StepOperations {

    private StepOperations() {}

    private static Step step(int thread, int number) {
        return new Step(Rows.id(thread, number % Operation.HELD), Rows.id(thread, number), States.REQUEST);
    }

    private static StepResult result(Held held, int number) {
        return new StepResult(held.read(number), held.next(number), KeyOperations.OUTCOME, LeaseAfter.KEEP);
    }

    private static void done(Held held, int number, Finished finished) {
        held.written(number, Answers.is(Finished.Done.class, finished).workflow());
    }

    private static void prepareWork(Rows rows, Scope scope, int threads) {
        rows.workflows(scope, threads, Operation.HELD);
        rows.leases(scope, LeaseKey.WORKFLOW, threads, Operation.HELD);
    }

    /** Completed keys, if there are as many updates; or no number at all. */
    private static long completed(Rows rows, Scope scope) {
        long completed = rows.count("count(*) filter (where status = 'completed')", "idempotency_key", scope);
        long updates = rows.count("sum(revision - 1)", "workflow", scope);
        return completed == updates ? completed : -1;
    }

    record Begin() implements Operation {

        @Override
        public String name() {
            return "begin";
        }

        @Override
        public void prepare(Rows rows, Scope scope, int threads, int each) {
            prepareWork(rows, scope, threads);
        }

        @Override
        public Call calls(Rows rows, Scope scope, int thread, Contender contender) {
            Steps steps = contender.steps();
            var fence = Held.of(rows, scope, thread).fence();
            return number -> Answers.is(Begun.New.class, steps.begin(step(thread, number), fence));
        }

        @Override
        public long effects(Rows rows, Scope scope, long[] done) {
            return rows.count("count(*)", "idempotency_key", scope);
        }
    }

    record Finish() implements Operation {

        @Override
        public String name() {
            return "finish";
        }

        @Override
        public void prepare(Rows rows, Scope scope, int threads, int each) {
            prepareWork(rows, scope, threads);
            rows.keys(scope, threads, each, HELD);
        }

        @Override
        public Call calls(Rows rows, Scope scope, int thread, Contender contender) {
            Steps steps = contender.steps();
            Held held = Held.of(rows, scope, thread);
            var fence = held.fence();
            return number -> {
                var claim =
                        new KeyClaim(Rows.id(thread, number), held.read(number).id(), 1);
                done(held, number, steps.finish(claim, result(held, number), fence));
            };
        }

        @Override
        public long effects(Rows rows, Scope scope, long[] done) {
            return completed(rows, scope);
        }
    }

    record Both() implements Operation {

        @Override
        public String name() {
            return "begin+finish";
        }

        @Override
        public void prepare(Rows rows, Scope scope, int threads, int each) {
            prepareWork(rows, scope, threads);
        }

        @Override
        public Call calls(Rows rows, Scope scope, int thread, Contender contender) {
            Steps steps = contender.steps();
            Held held = Held.of(rows, scope, thread);
            var fence = held.fence();
            return number -> {
                var begun = Answers.is(Begun.New.class, steps.begin(step(thread, number), fence));
                done(held, number, steps.finish(begun.claim(), result(held, number), fence));
            };
        }

        @Override
        public long effects(Rows rows, Scope scope, long[] done) {
            return completed(rows, scope);
        }
    }

    record Whole() implements Operation {

        @Override
        public String name() {
            return "step";
        }

        @Override
        public void prepare(Rows rows, Scope scope, int threads, int each) {
            prepareWork(rows, scope, threads);
        }

        @Override
        public Call calls(Rows rows, Scope scope, int thread, Contender contender) {
            Steps steps = contender.steps();
            Held held = Held.of(rows, scope, thread);
            var fence = held.fence();
            return number -> done(held, number, steps.step(step(thread, number), result(held, number), fence));
        }

        @Override
        public long effects(Rows rows, Scope scope, long[] done) {
            return completed(rows, scope);
        }
    }

    /**
     * A workflow from its creation to its end: made, leased, and so many steps, the last of which ends it and gives the lease
     * back.
     *
     * @param announced whether each step is begun and finished, as one with an effect outside is
     */
    record Flow(int steps, boolean announced) implements Operation {

        @Override
        public String name() {
            return "flow-" + steps;
        }

        @Override
        public void prepare(Rows rows, Scope scope, int threads, int each) {
            rows.floor(scope);
        }

        @Override
        public Call calls(Rows rows, Scope scope, int thread, Contender contender) {
            String owner = Rows.owner(thread);
            return number -> {
                String id = Rows.id(thread, number);
                Workflow workflow = Answers.is(
                                Creation.Created.class, contender.workflows().create(States.first(id), Rows.LABELS))
                        .workflow();
                Fence fence = Answers.is(
                                Acquisition.Granted.class,
                                contender.leases().acquire(LeaseKey.ofWorkflow(id), owner, LeaseOperations.TTL))
                        .lease()
                        .fence();
                for (int i = 1; i <= steps; i++) {
                    workflow = step(contender.steps(), workflow, new Step(id, id + ":" + i, States.REQUEST), i, fence);
                }
            };
        }

        private Workflow step(Steps store, Workflow workflow, Step step, int number, Fence fence) {
            StepResult result = new StepResult(
                    workflow,
                    number == steps ? States.ended(workflow.state()) : States.other(workflow.state()),
                    KeyOperations.OUTCOME,
                    number == steps ? LeaseAfter.RELEASE : LeaseAfter.KEEP);
            Finished finished;
            if (announced) {
                KeyClaim claim =
                        Answers.is(Begun.New.class, store.begin(step, fence)).claim();
                finished = store.finish(claim, result, fence);
            } else {
                finished = store.step(step, result, fence);
            }
            return Answers.is(Finished.Done.class, finished).workflow();
        }

        /** Ended workflows, if as many steps were completed; or no number at all. */
        @Override
        public long effects(Rows rows, Scope scope, long[] done) {
            long ended = rows.count("count(*) filter (where status = 'succeeded')", "workflow", scope);
            long completed = rows.count("count(*) filter (where status = 'completed')", "idempotency_key", scope);
            return completed == steps * ended ? ended : -1;
        }
    }
}
