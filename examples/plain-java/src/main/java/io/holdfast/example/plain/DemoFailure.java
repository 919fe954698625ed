package io.holdfast.example.plain;

/** The demonstration cannot go on; the message is for people. */
final class DemoFailure extends RuntimeException {

    private static final long serialVersionUID = 1L;

    DemoFailure(String message) {
        super(message);
    }
}
