package io.holdfast.bench;

import io.holdfast.Scope;
import io.holdfast.lease.Fence;
import io.holdfast.lease.LeaseKey;
import io.holdfast.workflow.Creation;
import io.holdfast.workflow.Update;
import io.holdfast.workflow.Workflow;
import io.holdfast.workflow.Workflows;

/** The operations on workflow states. */
final class WorkflowOperations {

    private WorkflowOperations() {}

    record Create() implements Operation {

        @Override
        public String name() {
            return "create";
        }

        @Override
        public void prepare(Rows rows, Scope scope, int threads, int each) {}

        @Override
        public Call calls(Rows rows, Scope scope, int thread, Contender contender) {
            Workflows workflows = contender.workflows();
            return number -> Answers.is(
                    Creation.Created.class, workflows.create(States.first(Rows.id(thread, number)), Rows.LABELS));
        }

        @Override
        public long effects(Rows rows, Scope scope, long[] done) {
            return rows.count("count(*)", "workflow", scope);
        }
    }

    record Find() implements Operation {

        @Override
        public String name() {
            return "find";
        }

        @Override
        public void prepare(Rows rows, Scope scope, int threads, int each) {
            rows.workflows(scope, threads, HELD);
        }

        @Override
        public Call calls(Rows rows, Scope scope, int thread, Contender contender) {
            Workflows workflows = contender.workflows();
            return number ->
                    Answers.yes(workflows.find(Rows.id(thread, number % HELD)).isPresent());
        }

        /** Nothing is written; that each was found, the calls have seen. */
        @Override
        public long effects(Rows rows, Scope scope, long[] done) {
            return rows.count("sum(revision - 1)", "workflow", scope) + Answers.sum(done);
        }
    }

    /** By version alone, or under the workflow's lease. */
    record Write(boolean fenced) implements Operation {

        @Override
        public String name() {
            return fenced ? "update-fenced" : "update";
        }

        @Override
        public void prepare(Rows rows, Scope scope, int threads, int each) {
            rows.workflows(scope, threads, HELD);
            rows.leases(scope, LeaseKey.WORKFLOW, threads, HELD);
        }

        @Override
        public Call calls(Rows rows, Scope scope, int thread, Contender contender) {
            Workflows workflows = contender.workflows();
            Held held = Held.of(rows, scope, thread);
            Fence fence = held.fence();
            return number -> {
                Workflow read = held.read(number);
                Update update = fenced
                        ? workflows.updateFenced(read, held.next(number), fence)
                        : workflows.update(read, held.next(number));
                held.written(number, Answers.is(Update.Updated.class, update).workflow());
            };
        }

        @Override
        public long effects(Rows rows, Scope scope, long[] done) {
            return rows.count("sum(revision - 1)", "workflow", scope);
        }
    }
}
