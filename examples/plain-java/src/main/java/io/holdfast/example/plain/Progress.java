package io.holdfast.example.plain;

import io.holdfast.example.plain.Terminal.Colour;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeMap;

/** How far it is: one line that changes on a terminal, a line now and then elsewhere. */
final class Progress {

    private static final int BAR = 20;

    private final Terminal terminal;
    private final int total;
    private final Map<String, String> doing = new TreeMap<>();
    private int finished;

    Progress(Terminal terminal, int total) {
        this.terminal = terminal;
        this.total = total;
    }

    int finished() {
        return finished;
    }

    void doing(String worker, String what) {
        doing.put(worker, what);
        show();
    }

    void finishedOne() {
        finished++;
        if (!terminal.isLive() && (finished == total || finished % Math.max(1, total / 4) == 0)) {
            terminal.print("Finished: " + finished + " of " + total);
        }
        show();
    }

    /** A line that stays. */
    void note(Colour colour, String text) {
        terminal.print(colour, "%s", text);
        show();
    }

    void over() {
        terminal.clear();
    }

    /** What each worker does. */
    @Override
    public String toString() {
        return String.join(
                ", ",
                doing.entrySet().stream()
                        .map(worker -> worker.getKey() + " " + worker.getValue())
                        .toList());
    }

    private void show() {
        int filled = BAR * finished / Math.max(1, total);
        var line = new StringJoiner("  ");
        line.add("[" + "#".repeat(filled) + "-".repeat(BAR - filled) + "] " + finished + "/" + total);
        doing.forEach((worker, what) -> line.add(worker.replace("worker-", "") + ":" + what));
        terminal.replace(line.toString());
    }
}
