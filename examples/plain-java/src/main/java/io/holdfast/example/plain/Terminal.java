package io.holdfast.example.plain;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.util.Locale;

/** Where the output goes: to a person, with colours and a line that moves, or to a file, with neither. */
final class Terminal {

    enum Colour {
        PLAIN(""),
        BOLD("1"),
        DIM("2"),
        RED("1;31"),
        GREEN("32"),
        YELLOW("33");

        private final String code;

        Colour(String code) {
            this.code = code;
        }
    }

    private static final int WIDTH = 79;

    private final PrintStream out;
    private final boolean live;
    private final boolean coloured;
    private boolean lineStands;

    Terminal(PrintStream out, boolean live, boolean coloured) {
        this.out = out;
        this.live = live;
        this.coloured = coloured;
    }

    /** This process's output. Not {@code System.out}, which a build tool may have wrapped. */
    static Terminal ofThisProcess() {
        Charset charset = Charset.forName(System.getProperty("native.encoding", "UTF-8"));
        boolean live = isTerminal() && !"dumb".equals(System.getenv("TERM"));
        boolean coloured = live && System.getenv("NO_COLOR") == null;
        return new Terminal(new PrintStream(new FileOutputStream(FileDescriptor.out), true, charset), live, coloured);
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

    boolean isLive() {
        return live;
    }

    /** Shows a line in place of the one before; does nothing where lines cannot be replaced. */
    synchronized void replace(String line) {
        if (live) {
            out.print("\r\u001b[K" + (line.length() > WIDTH ? line.substring(0, WIDTH) : line));
            out.flush();
            lineStands = true;
        }
    }

    /** Takes the replaceable line away. */
    synchronized void clear() {
        if (lineStands) {
            out.print("\r\u001b[K");
            lineStands = false;
        }
    }

    synchronized void print(String line) {
        clear();
        out.println(line);
    }

    void print(Colour colour, String format, Object... arguments) {
        print(in(colour, String.format(Locale.ROOT, format, arguments)));
    }

    void heading(String text) {
        print("");
        print(Colour.BOLD, "%s", text);
    }

    String in(Colour colour, String text) {
        return coloured && !colour.code.isEmpty() ? "\u001b[" + colour.code + "m" + text + "\u001b[0m" : text;
    }
}
