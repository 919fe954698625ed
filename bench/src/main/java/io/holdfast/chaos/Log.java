package io.holdfast.chaos;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * What was written to one workflow or run, in order.
 *
 * @param first the number of the first that there can be
 * @param last the number that is stored as that of the last
 */
record Log(long first, List<Line> lines, long last) {

    /** A write, from its first number to its last. */
    record Line(String write, long from, long to) {}

    /** Each with one number. */
    static Log of(long first, List<String> writes, long last) {
        return new Log(
                first,
                IntStream.range(0, writes.size())
                        .mapToObj(i -> new Line(writes.get(i), first + i, first + i))
                        .toList(),
                last);
    }

    List<String> writes() {
        return lines.stream().map(Line::write).toList();
    }

    Optional<Line> find(String write) {
        return lines.stream().filter(line -> line.write().equals(write)).findFirst();
    }
}
