package io.holdfast.bench;

import static java.util.Objects.requireNonNull;

import io.holdfast.Scope;
import io.holdfast.lease.Fence;
import io.holdfast.state.WorkflowState;
import io.holdfast.workflow.Workflow;
import java.util.Map;

/** The workflows that a thread goes round, as it last read them, and the fence it holds them under. */
record Held(int thread, Workflow[] workflows) {

    static Held of(Rows rows, Scope scope, int thread) {
        Map<String, Workflow> stored = rows.read(scope, thread);
        Workflow[] workflows = new Workflow[Operation.HELD];
        for (int i = 0; i < workflows.length; i++) {
            workflows[i] = requireNonNull(stored.get(Rows.id(thread, i)));
        }
        return new Held(thread, workflows);
    }

    Fence fence() {
        return new Fence(Rows.owner(thread), 1);
    }

    Workflow read(int number) {
        return workflows[number % workflows.length];
    }

    /** One stage and the other in turn. */
    WorkflowState next(int number) {
        Workflow read = read(number);
        return read.revision() % 2 == 1 ? States.second(read.id()) : States.first(read.id());
    }

    void written(int number, Workflow workflow) {
        workflows[number % workflows.length] = workflow;
    }
}
