package io.holdfast.example.agent;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** Where the output goes: to a person, with a line that moves, or to a file, without. */
final class Screen {

    private static final int BAR = 20;

    private final PrintStream out;
    private final boolean live;

    Screen(PrintStream out, boolean live) {
        this.out = out;
        this.live = live;
    }

    /** This process's output. Not {@code System.out}, which a build tool may have wrapped. */
    static Screen ofThisProcess() {
        var out = new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
        return new Screen(out, !"dumb".equals(System.getenv("TERM")) && isTerminal());
    }

    // System.console() asks for the input as well, and since JDK 22 is there even without a terminal.
    private static boolean isTerminal() {
        try {
            return new ProcessBuilder("test", "-t", "1")
                            .redirectOutput(ProcessBuilder.Redirect.INHERIT)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false; // no such command: Windows
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** How far it is: on a terminal a line that changes, elsewhere a line when it is done. */
    void progress(String what, int done, int of) {
        int filled = BAR * done / of;
        String line = "[" + "#".repeat(filled) + "-".repeat(BAR - filled) + "] " + done + "/" + of + " " + what;
        if (live) {
            out.print("\r\u001b[K" + line);
            out.flush();
        } else if (done == of) {
            out.println(line);
        }
    }

    void clear() {
        if (live) {
            out.print("\r\u001b[K");
            out.flush();
        }
    }

    void print(String line) {
        clear();
        out.println(line);
    }
}
