package io.holdfast.approval;

/** The answer to a decide. Only {@link Decided} has written something. */
public sealed interface Ruling {

    /** Decided now, by this call. */
    record Decided(Approval approval) implements Ruling {}

    /**
     * It was decided before, and that stands.
     *
     * @param same whether by the very decision of this call: then this was a repeat
     */
    record AlreadyDecided(Approval approval, boolean same) implements Ruling {}

    /** The decision was about another payload. */
    record Mismatch() implements Ruling {}

    /** It takes another role. */
    record WrongRole(String role) implements Ruling {}

    /** Its time was over before anybody had decided. */
    record Expired(Approval approval) implements Ruling {}

    /** It was taken back before anybody had decided. */
    record Withdrawn(Approval approval) implements Ruling {}

    /** There is no such approval in this scope. */
    record NotFound() implements Ruling {}
}
