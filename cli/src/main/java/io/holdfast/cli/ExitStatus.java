package io.holdfast.cli;

import java.util.LinkedHashMap;
import java.util.Map;

/** What a command's exit status says. */
final class ExitStatus {

    static final int OK = 0;
    static final int NOT_AS_ASKED = 1;
    static final int USAGE = 2;
    static final int NO_DATABASE = 3;
    static final int DEFECT = 4;
    static final int INTERRUPTED = 130;

    /** As every command's help shows them. */
    static final Map<String, String> MEANINGS = meanings();

    private ExitStatus() {}

    private static Map<String, String> meanings() {
        Map<String, String> meanings = new LinkedHashMap<>();
        meanings.put("0", "done, or all is well");
        meanings.put(
                "1",
                "answered, but not as asked: tables pending, newer, changed or unknown; trouble found; no such row; a race"
                        + " lost; not confirmed");
        meanings.put("2", "wrong usage or settings; nothing was tried");
        meanings.put("3", "the database could not be reached, refused, or took too long");
        meanings.put("4", "a defect of this tool");
        meanings.put("130", "broken off with Ctrl-C; what was under way was rolled back");
        return meanings;
    }
}
