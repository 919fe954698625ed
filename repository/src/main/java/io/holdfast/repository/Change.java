package io.holdfast.repository;

import io.holdfast.Scope;
import io.holdfast.codec.Given;
import io.holdfast.failure.InvalidValueException;
import io.holdfast.repository.Statements.Call;
import io.holdfast.state.HistoryBreach;
import io.holdfast.state.Snapshots;
import io.holdfast.state.WorkflowRules;
import io.holdfast.state.WorkflowState;
import io.holdfast.workflow.Workflow;
import org.jspecify.annotations.Nullable;

/**
 * A state that is to follow the one that was read, checked as far as it can be without the database.
 *
 * @param breach why it may not follow; judged here, because the revision vouches for what was read, and answered last
 */
record Change(
        Workflow read,
        WorkflowState next,
        String snapshot,
        @Nullable HistoryBreach breach) {

    static Change of(Scope scope, Workflow read, WorkflowState next) {
        if (!Given.value("next", next)
                .workflowId()
                .equals(Given.value("read", read).id())) {
            throw new InvalidValueException("next", "be a state of the workflow that was read");
        }
        WorkflowRow.belonging(scope, next);
        return new Change(
                read,
                next,
                Snapshots.write(next),
                WorkflowRules.history(read.state(), next).orElse(null));
    }

    boolean isLegal() {
        return breach == null && !read.state().status().isTerminal();
    }

    <T extends Record> Call<T> into(Call<T> call, Scope scope) {
        return call.set("scope", scope.id())
                .set("id", read.id())
                .set("incarnation", read.incarnation().toString())
                .set("revision", read.revision())
                .set("was", read.state().status().wire())
                .set("becomes", next.status().wire())
                .set("snapshot", snapshot)
                .set("legal", isLegal());
    }
}
