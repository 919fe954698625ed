package io.holdfast.example.spring;

/** Somebody was faster, or the order does not move any more. Not an error of the system: read anew and decide. */
final class OrderConflict extends RuntimeException {

    private static final long serialVersionUID = 1L;

    OrderConflict(String message) {
        super(message);
    }
}
