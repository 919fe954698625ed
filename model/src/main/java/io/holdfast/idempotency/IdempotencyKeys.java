package io.holdfast.idempotency;

import io.holdfast.lease.Fence;
import java.util.Optional;

/**
 * Idempotency keys of one scope. Thread-safe. Each method is one statement (a reservation that waited for a rival's, which was
 * rolled back, is given its whole time by a second); it joins the caller's transaction if the facade
 * does, and is a transaction of its own otherwise. No constraint violation is ever provoked: a caller's transaction stays
 * usable whatever the answer.
 *
 * <p>A key in a status that only a newer release knows is left as it is, also when its time is over: whoever asks for it hears a
 * {@link io.holdfast.failure.CorruptRecordException}. The same holds for {@link io.holdfast.step.Steps}.
 */
public interface IdempotencyKeys {

    /**
     * Reserves the key for a request and the workflow that works on it, or says who has it.
     *
     * <p>Many at once: one is {@code New}; the others wait for it to commit, then hear {@code InProgress} (the same request
     * and workflow), {@code Completed}, or a {@code Conflict} that names the first difference. A repeat is
     * {@code InProgress} and changes nothing, also not the time. A lapsed key is reserved anew, completed or not.
     *
     * @param key 1 to 128 characters, {@code A-Z a-z 0-9 _ . : -}; begins with a letter or digit
     * @param requestId 1 to 128 characters, {@code A-Z a-z 0-9 _ . -}; begins with a letter or digit
     * @param workflowId likewise
     */
    Reservation reserve(String key, String requestId, String workflowId, KeepFor keepFor);

    /**
     * Reserves the key for a request whose workflow has no id yet: a new one is made ({@code workflow-} and 16 hex digits).
     * Twins of the same request that race hear {@code InProgress} with the winner's workflow, never a conflict over it.
     */
    Reservation reserve(String key, String requestId, KeepFor keepFor);

    /**
     * Stores how it ended, and keeps it for the key's time from now on.
     *
     * <p>A repeat with the same outcome is {@code AlreadyCompleted} and {@code same}. A reservation that has expired but was
     * not reserved anew can still be completed.
     *
     * @param outcome fingerprint of the outcome: {@code sha256:} and 64 lower-case hex digits
     */
    Completion complete(KeyClaim claim, String outcome);

    /** As {@link #complete}, but only while the lease of the claim's workflow is held under this fence. */
    Completion completeFenced(KeyClaim claim, String outcome, Fence fence);

    /** The key as it is stored, also when it has expired. Takes no lock and works on a read replica. */
    Optional<IdempotencyKey> find(String key);
}
