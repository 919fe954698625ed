package io.holdfast.cli;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which part of a list: so many rows, after a place. The place is a word to hand back, of no meaning to its reader. */
final class Page {

    private static final int MAX = 1_000;
    private static final String BETWEEN = "\u0000"; // no text of the tables has it

    @Option(
            names = "--limit",
            paramLabel = "ROWS",
            defaultValue = "50",
            description = "At most so many, 1 to 1000; ${DEFAULT-VALUE} unless told otherwise.")
    private int limit;

    @Option(
            names = "--after",
            paramLabel = "PLACE",
            description = "Go on where the page before ended: what it says at its end.")
    private @Nullable String after;

    /** One more than wanted, to see whether there is more. */
    int fetched() {
        if (limit < 1 || limit > MAX) {
            throw Refusal.usage("--limit is 1 to " + MAX);
        }
        return limit + 1;
    }

    /** The key to go on after. */
    List<String> place(String... first) {
        if (after == null) {
            return List.of(first);
        }
        try {
            String text = new String(Base64.getUrlDecoder().decode(after), StandardCharsets.UTF_8);
            List<String> place = List.of(text.split(BETWEEN, -1));
            if (place.size() == first.length) {
                return place;
            }
        } catch (IllegalArgumentException e) {
            throw notAPlace();
        }
        throw notAPlace();
    }

    private static Refusal notAPlace() {
        return Refusal.usage("--after takes what a page of this very list says at its end");
    }

    /** Prints what is wanted of the rows, and where to go on. */
    <T> void print(Answer answer, String name, List<T> rows, Columns<T> columns) {
        Table table = new Table(columns.names());
        List<T> shown = rows.subList(0, Math.min(limit, rows.size()));
        shown.forEach(row -> table.add(columns.cells(row)));
        String next = rows.size() > limit ? word(columns.place(shown.get(limit - 1))) : null;
        answer.table(name, table, "none").value("next", next);
        if (next != null) {
            answer.line("").line("more: --after " + next);
        }
    }

    private static String word(List<String> place) {
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(String.join(BETWEEN, place).getBytes(StandardCharsets.UTF_8));
    }

    /** How rows are shown, and in which order they stand. */
    interface Columns<T> {
        String[] names();

        @Nullable
        Object[] cells(T row);

        List<String> place(T row);
    }
}
