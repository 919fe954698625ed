package io.holdfast.cli;

/** A command ends without having done what was asked. The message is for the person who asked. */
final class Refusal extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final int status;
    private final String code;

    private Refusal(int status, String code, String message) {
        super(message, null, false, false);
        this.status = status;
        this.code = code;
    }

    static Refusal usage(String message) {
        return new Refusal(ExitStatus.USAGE, "USAGE", message);
    }

    /** @param code for machines, stable */
    static Refusal notAsAsked(String code, String message) {
        return new Refusal(ExitStatus.NOT_AS_ASKED, code, message);
    }

    int status() {
        return status;
    }

    String code() {
        return code;
    }

    String text() {
        return String.valueOf(getMessage());
    }
}
