package io.holdfast.idempotency;

/** What a key is bound to, in the order in which it is compared; named when a call is about another. */
public enum Binding {
    /** The request the key was reserved for. */
    REQUEST,
    /** The workflow that works on it. */
    WORKFLOW,
    /** The reservation's number: the key lapsed and was reserved anew. */
    RESERVATION
}
