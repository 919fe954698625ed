/**
 * What a workflow is, apart from any database: its state, its history, the rules by which it moves, and the one text it
 * is stored as.
 *
 * <p>Everything here is an immutable value or a pure function: no clock, no store, no race. Times come from the caller.
 * Who may write a state, and who loses when two try, is {@code io.holdfast.workflow}.
 *
 * <pre>{@code
 * WorkflowState created = WorkflowState.create("order-4711", "request-1");
 * WorkflowState queued = WorkflowRules.transition(created, WorkflowStatus.QUEUED, "ev-1", now);
 * String text = Snapshots.write(queued);
 * }</pre>
 */
@NullMarked
package io.holdfast.state;

import org.jspecify.annotations.NullMarked;
