package io.holdfast.example.plain;

import io.holdfast.example.plain.Terminal.Colour;
import java.util.ArrayList;
import java.util.List;

/** Rows in aligned columns. A column whose heading begins with {@code >} is aligned to the right. */
final class TextTable {

    private record Row(List<String> cells, Colour colour) {}

    private final List<Row> rows = new ArrayList<>();
    private final boolean[] right;

    TextTable(String... headings) {
        right = new boolean[headings.length];
        List<String> names = new ArrayList<>();
        for (int i = 0; i < headings.length; i++) {
            right[i] = headings[i].startsWith(">");
            names.add(right[i] ? headings[i].substring(1) : headings[i]);
        }
        rows.add(new Row(names, Colour.DIM));
    }

    void add(Colour colour, List<String> cells) {
        rows.add(new Row(cells, colour));
    }

    void print(Terminal terminal) {
        int[] width = new int[right.length];
        for (Row row : rows) {
            for (int i = 0; i < width.length; i++) {
                width[i] = Math.max(width[i], length(row.cells.get(i)));
            }
        }
        for (Row row : rows) {
            var line = new StringBuilder();
            for (int i = 0; i < width.length; i++) {
                String cell = row.cells.get(i);
                String space = " ".repeat(width[i] - length(cell));
                line.append("  ").append(right[i] ? space + cell : cell + space);
            }
            terminal.print(terminal.in(row.colour, line.toString().stripTrailing()));
        }
    }

    private static int length(String text) {
        return text.codePointCount(0, text.length());
    }
}
