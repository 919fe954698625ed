package io.holdfast.idempotency;

/** The answer to a reserve. */
public sealed interface Reservation {

    /** The key as it is stored after the call. */
    IdempotencyKey key();

    /** Reserved now, by this call: do the work. */
    record New(IdempotencyKey key) implements Reservation {}

    /** The same request reserved it before, and has not ended: it is at work, or was left behind. */
    record InProgress(IdempotencyKey key) implements Reservation {}

    /** The same request has ended; its outcome is in the key. Do not do it again. */
    record Completed(IdempotencyKey key) implements Reservation {}

    /** The key stands for something else; nothing was written. */
    record Conflict(Binding field, IdempotencyKey key) implements Reservation {}
}
