package io.holdfast.example.blackbox;

/** What the application did is not what it must do. The message is for whoever reads the report: request, expected, was. */
final class CaseFailure extends RuntimeException {

    private static final long serialVersionUID = 1L;

    CaseFailure(String message) {
        super(message);
    }
}
