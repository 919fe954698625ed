package io.holdfast.workflow;

import io.holdfast.lease.Fence;
import io.holdfast.state.WorkflowState;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Workflow states of one scope. Thread-safe. Each method is one statement (an update that loses pays a second); it joins the
 * caller's transaction if the facade does, and is a transaction of its own otherwise. No constraint violation is ever
 * provoked: a caller's transaction of isolation READ COMMITTED stays usable whatever the answer. At a higher isolation a lost
 * race is a {@link io.holdfast.failure.TransactionLostException}, and that transaction is over.
 *
 * <p>A state's tenant fingerprint must be the scope's, and absent where the scope has none; else the call is refused with an
 * {@link io.holdfast.failure.InvalidValueException} before anything is sent.
 */
public interface Workflows {

    /** The most labels of a workflow. */
    int MAX_LABELS = 32;

    /** The longest value of a label, in bytes of UTF-8. */
    int MAX_LABEL_BYTES = 256;

    /** The longest page of a list. */
    int MAX_PAGE = 1_000;

    /**
     * Stores a new workflow at revision 1. Any status is accepted.
     *
     * <p>Two at once: one is {@code Created}; the other waits for it to commit, then hears {@code AlreadyCreated} if the
     * content is the same and {@code Taken} if not. A repeat is {@code AlreadyCreated}.
     *
     * @param labels at most {@value #MAX_LABELS}; names 1 to 128 characters of {@code A-Z a-z 0-9 _ . -}, a letter or
     *     digit first; values up to 256 bytes of UTF-8 without control characters. They never change
     */
    Creation create(WorkflowState state, Map<String, String> labels);

    /**
     * The workflow as it is stored. Takes no lock and works on a read replica.
     *
     * @param id any text; one that cannot be an id finds nothing
     * @throws io.holdfast.state.InvalidSnapshotException if the stored snapshot is damaged, or its status is not the row's
     */
    Optional<Workflow> find(String id);

    /** As {@link #find}, but only if the workflow works on that request. */
    Optional<Workflow> findCheckpoint(String id, String requestId);

    /**
     * Replaces the state that was read by the next one, by revision alone, whoever holds the workflow's lease: for
     * operators and applications. A worker uses {@link #updateFenced}.
     *
     * <p>Two at once: one is {@code Updated}, the other hears what stands there now. A repeat is {@code AlreadyApplied}.
     * Hibernate's {@code @Version} makes the comparison. Of the value in {@code Updated}, cancel request and time of update
     * are as they were read.
     *
     * @param read what a method of this store returned
     * @param next made from {@code read.state()} by {@link io.holdfast.state.WorkflowRules}
     */
    Update update(Workflow read, WorkflowState next);

    /**
     * As {@link #update}, but only while the workflow's lease is held under this fence. The lease cannot change hands before
     * the write commits; renewing it meanwhile is possible.
     */
    Update updateFenced(Workflow read, WorkflowState next, Fence fence);

    /**
     * Notes that the workflow shall be cancelled. Changes neither state nor revision, needs no lease, and no write of the
     * state takes it back. A repeat is {@code AlreadyRequested}; the first reason stands.
     *
     * @param reason for people; cut after {@value CancelRequest#MAX_REASON} code points, and what cannot be stored is
     *     replaced; empty: none
     */
    Cancellation requestCancel(String id, String reason);

    /**
     * The workflows whose ids come after the given one, ascending in byte order. Takes no lock.
     *
     * @param after the last id of the page before; empty: from the start
     * @param limit 1 to {@value #MAX_PAGE}
     */
    List<WorkflowSummary> list(String after, int limit);

    /**
     * The workflows that are as the filter says, oldest first and by id where two are as old, page by page. Takes no lock, and
     * looks at an index, however many there are: of all, of a status or of a label. What a long transaction creates is to be
     * seen once that commits, and may then stand before a place that was passed already.
     *
     * @param after {@code next} of the page before; empty: from the start
     * @param limit 1 to {@value #MAX_PAGE}
     */
    WorkflowPage search(WorkflowFilter filter, Optional<WorkflowPage.Place> after, int limit);
}
