package io.holdfast.approval;

/** The answer to a register. Only {@link Registered} has written something. */
public sealed interface Registration {

    /** Registered now, by this call. */
    record Registered(Approval approval) implements Registration {}

    /** It was registered before, with these very terms; what has become of it is in it. */
    record AlreadyRegistered(Approval approval) implements Registration {}

    /** The id stands for something else. */
    record Taken(Term term) implements Registration {}

    /** What an approval is bound to, in the order in which it is compared; the first that differs is named. */
    enum Term {
        RUN,
        PAYLOAD,
        ROLE,
        EXPIRY
    }
}
