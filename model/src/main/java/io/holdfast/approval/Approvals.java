package io.holdfast.approval;

import io.holdfast.lease.Fence;
import java.util.List;
import java.util.Optional;

/**
 * Approvals of one scope. Thread-safe. Each method is one statement (a registration that waited for a twin, which gave up, is given
 * its whole time by a second); it joins the caller's transaction if the facade does, and
 * is a transaction of its own otherwise. No constraint violation is ever provoked: at READ COMMITTED a caller's transaction stays
 * usable whatever the answer; above it a lost race is a {@link io.holdfast.failure.TransactionLostException}.
 */
public interface Approvals {

    /** The longest page, and the most approvals that {@link #withdrawExpired} withdraws at once. */
    int MAX_PAGE = 1_000;

    /**
     * Registers what is asked for, or says what the id stands for.
     *
     * <p>Twins that race, and repeats, are {@code AlreadyRegistered} and change nothing, also not the time, and also once it is
     * decided, consumed or over. Other terms under the same id are {@code Taken}. One whose time is over already is registered
     * all the same, and can only be withdrawn. Its time is counted from when it is registered, also if that waited for a twin that gave up.
     */
    Registration register(ApprovalRequest request);

    /** The approval as it is stored, whatever has become of it. Takes no lock and works on a read replica. */
    Optional<Approval> find(String id);

    /**
     * Decides, once and for good.
     *
     * <p>Of two at once the first stands; the other, and every later one, is {@code AlreadyDecided}, with what was decided. A
     * repeat is too, and {@code same}. Who waited for the row until the approval's time was over decides nothing.
     */
    Ruling decide(String id, Decision decision);

    /**
     * Consumes an approved approval and enters the call into the journal of its run, in one: the step's intent, its effect as on
     * its way, and an event {@code approval_consumed}; a run that was paused or interrupted is running. While the lease of the
     * run, of kind {@code run}, is held under this fence.
     *
     * <p>Of two at once one is {@code Dispatched}. The same step that asks again is {@code AlreadyConsumed} and {@code same},
     * whatever has become of the lease: look in the journal how far it came. Who was paused past the lease, or past the
     * approval's time, consumes nothing and enters nothing; judged when all of it is locked, before a run is waited for that is
     * just taking the same idempotency key.
     */
    Consumption dispatch(ApprovedCall call, Fence fence);

    /**
     * As {@link #dispatch}, and enters nothing: for who writes another entry, in the same transaction. Then it is
     * {@code Consumed}. Without that entry a crash leaves an approval that is gone for a step that has not begun; the journal
     * takes that step's intent later, and no other's; also that of a run which is opened afterwards, if its owner opens it
     * while he has the lease. Locks the run before the approval, as {@link #dispatch} does.
     */
    Consumption consume(ApprovalUse use, Fence fence);

    /**
     * Takes back what is not decided, or approved and not consumed: nobody will decide or consume it from now on.
     *
     * <p>Beside a consume one of the two wins, and the other hears so. A repeat is {@code AlreadyWithdrawn}.
     *
     * @param by who takes it back; 1 to 128 bytes of UTF-8 without control characters
     * @param reason why, cut to 1,000 characters; may be empty
     */
    Withdrawal withdraw(String id, String by, String reason);

    /**
     * Withdraws what was neither consumed nor rejected before its time was over, oldest end first, and tells which: their runs
     * wait in vain. What somebody is just at is left for the next time; two callers share the work.
     *
     * @param limit 1 to {@value #MAX_PAGE}
     */
    List<ApprovalPage.Line> withdrawExpired(int limit);

    /**
     * The approvals in a state, oldest first: {@code PENDING} wait for a person, {@code APPROVED} for the run that asked, or
     * were left by a crash. Takes no lock and works on a read replica.
     *
     * @param after where the page begins; empty: at the oldest
     * @param limit 1 to {@value #MAX_PAGE}
     */
    ApprovalPage list(ApprovalState state, Optional<ApprovalPage.Place> after, int limit);

    /** As {@link #list}, of one run, in whatever state, also in one that only a newer release knows. */
    ApprovalPage listOfRun(String run, Optional<ApprovalPage.Place> after, int limit);
}
