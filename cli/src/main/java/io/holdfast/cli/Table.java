package io.holdfast.cli;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Rows under named columns: aligned for people, a list of objects for machines. */
final class Table {

    private static final String GAP = "  ";

    private final List<String> columns;
    private final List<List<@Nullable Object>> rows = new ArrayList<>();

    /** @param columns their names in JSON; people see them in capitals, with blanks for underscores */
    Table(String... columns) {
        this.columns = List.of(columns);
    }

    Table add(@Nullable Object... cells) {
        rows.add(new ArrayList<>(Arrays.asList(cells)));
        return this;
    }

    boolean isEmpty() {
        return rows.isEmpty();
    }

    int size() {
        return rows.size();
    }

    List<Map<String, @Nullable Object>> json() {
        List<Map<String, @Nullable Object>> objects = new ArrayList<>();
        for (List<@Nullable Object> row : rows) {
            Map<String, @Nullable Object> object = new LinkedHashMap<>();
            for (int i = 0; i < columns.size(); i++) {
                object.put(columns.get(i), Cell.json(row.get(i)));
            }
            objects.add(object);
        }
        return objects;
    }

    void print(Host host) {
        List<List<String>> lines = new ArrayList<>();
        lines.add(columns.stream()
                .map(column -> column.toUpperCase(Locale.ROOT).replace('_', ' '))
                .toList());
        rows.forEach(row -> lines.add(row.stream().map(Cell::text).toList()));
        int[] widths = IntStream.range(0, columns.size())
                .map(i -> lines.stream()
                        .mapToInt(line -> width(line.get(i)))
                        .max()
                        .orElse(0))
                .toArray();
        for (int l = 0; l < lines.size(); l++) {
            String line = line(lines.get(l), widths);
            host.out().println(l == 0 ? Style.HEADING.on(line, host) : line);
        }
    }

    private String line(List<String> cells, int[] widths) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < cells.size(); i++) {
            String padding = " ".repeat(widths[i] - width(cells.get(i)));
            line.append(isNumber(i) ? padding + cells.get(i) : cells.get(i) + padding)
                    .append(GAP);
        }
        return line.toString().stripTrailing();
    }

    private boolean isNumber(int column) {
        return rows.stream().anyMatch(row -> row.get(column) instanceof Number);
    }

    private static int width(String text) {
        return text.codePointCount(0, text.length());
    }
}
