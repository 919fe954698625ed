package io.holdfast.cli;

/** Colours, where there is a terminal that shows them. */
enum Style {
    GOOD("32"),
    BAD("31"),
    NOTICE("33"),
    HEADING("1"),
    QUIET("2");

    private final String code;

    Style(String code) {
        this.code = code;
    }

    String on(String text, Host host) {
        return host.terminal().colours() ? "\u001b[" + code + "m" + text + "\u001b[0m" : text;
    }
}
