package io.holdfast.chaos;

import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * How far the workers are along things that are numbered under a prefix. A new life begins where the others are: it would live
 * no longer than it takes to pass all that ended before.
 */
final class Frontier {

    private final String table;
    private final String column;
    private final String prefix;
    private OptionalInt at = OptionalInt.empty();

    /** @param column by which a row of the table is called the prefix and its number */
    Frontier(String table, String column, String prefix) {
        this.table = table;
        this.column = column;
        this.prefix = prefix;
    }

    /** One for each slot, where the ids are {@code name-0.17}. */
    static List<Frontier> ofSlots(String table, String name, int slots) {
        return IntStream.range(0, slots)
                .mapToObj(slot -> new Frontier(table, "id", name + "-" + slot + "."))
                .toList();
    }

    /** Of the last there is, when it is asked first; 0 if there is none. */
    int at(Desk desk) {
        if (at.isEmpty()) {
            at = OptionalInt.of(stored(desk));
        }
        return at.getAsInt();
    }

    /** The id at the frontier. */
    String id(Desk desk) {
        return prefix + at(desk);
    }

    void moveOn(Desk desk) {
        at = OptionalInt.of(at(desk) + 1);
    }

    private int stored(Desk desk) {
        Object last = desk.own(manager -> manager.createNativeQuery("select coalesce(max(cast(substr(" + column
                        + ", length(cast(?1 as text)) + 1) as int)), 0) from holdfast." + table + " where scope = ?2"
                        + " and starts_with(" + column + ", ?1)")
                .setParameter(1, prefix)
                .setParameter(2, Desk.SCOPE.id())
                .getSingleResult());
        return ((Number) last).intValue();
    }
}
