package io.holdfast.example.quarkus;

/** The request cannot be granted as things stand; whatever its transaction did is rolled back. */
final class Refused extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final int status;

    private Refused(int status, String message) {
        super(message);
        this.status = status;
    }

    static Refused notFound(String id) {
        return new Refused(404, "There is no order " + id);
    }

    /** The answer of a write that lost, by its name. */
    static Refused lost(Object answer) {
        return new Refused(409, answer.getClass().getSimpleName());
    }

    int status() {
        return status;
    }
}
