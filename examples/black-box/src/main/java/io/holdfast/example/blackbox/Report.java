package io.holdfast.example.blackbox;

import java.io.PrintStream;
import java.util.Locale;

/** One line for each case, and the sum. */
final class Report {

    private final PrintStream out;
    private final int width;
    private int passed;
    private int failed;
    private int skipped;

    Report(PrintStream out, int width) {
        this.out = out;
        this.width = width;
    }

    void passed(String name, long nanos) {
        passed++;
        line(name, String.format(Locale.ROOT, "passed   %6.2f s", nanos / 1e9));
    }

    void failed(String name, String reason) {
        failed++;
        line(name, "FAILED   " + reason);
    }

    void skipped(String name, String reason) {
        skipped++;
        line(name, "skipped, because " + reason);
    }

    private void line(String name, String text) {
        out.println(name + " ".repeat(Math.max(1, width + 2 - name.length())) + text);
    }

    /** @return whether no case failed */
    boolean sum() {
        out.println(passed + " passed, " + failed + " failed, " + skipped + " skipped");
        return failed == 0;
    }
}
