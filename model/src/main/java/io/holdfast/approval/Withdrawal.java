package io.holdfast.approval;

/** The answer to a withdraw. Only {@link Withdrawn} has written something. */
public sealed interface Withdrawal {

    /** Taken back now, by this call: nobody will consume it. */
    record Withdrawn(Approval approval) implements Withdrawal {}

    /** It was taken back before. */
    record AlreadyWithdrawn(Approval approval) implements Withdrawal {}

    /** It was consumed or rejected before, and stays so. */
    record Settled(Approval approval) implements Withdrawal {}

    /** There is no such approval in this scope. */
    record NotFound() implements Withdrawal {}
}
