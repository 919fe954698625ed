package io.holdfast.cli;

import io.holdfast.codec.Identifier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Who does something by hand, why, and whether that person really means it. */
final class Confirmation {

    private static final int MAX_REASON = 256;

    @Option(
            names = "--reason",
            required = true,
            paramLabel = "TEXT",
            description = "Why; kept with the deed. 1 to 256 characters.")
    private String reason = "";

    @Option(
            names = "--by",
            paramLabel = "WHO",
            description = "Who does it; kept with the deed. User and machine unless told otherwise.")
    private @Nullable String by;

    @Option(names = "--yes", description = "Do not ask. Needed where there is no terminal.")
    private boolean yes;

    String reason() {
        String text = reason.strip();
        int length = text.codePointCount(0, text.length());
        if (length < 1 || length > MAX_REASON || !Cell.safe(text).equals(text)) {
            throw Refusal.usage("--reason is 1 to " + MAX_REASON + " characters, none of them a control character");
        }
        return text;
    }

    String by(Host host) {
        return Identifier.text("--by", by == null ? host.operator() : by, 1, 255);
    }

    /** @throws Refusal unless somebody says yes */
    void ask(Host host, String... deed) {
        if (yes) {
            return;
        }
        for (String line : deed) {
            host.err().println(line);
        }
        if (!host.terminal().present()) {
            throw Refusal.usage("nothing was done: there is no terminal to ask at; --yes does it without asking");
        }
        String answer = host.terminal().ask("Type yes to go on: ");
        if (answer == null || !answer.strip().equals("yes")) {
            throw Refusal.notAsAsked("NOT_CONFIRMED", "nothing was done: not confirmed");
        }
    }
}
