package io.holdfast.repository;

import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the driver said, in an exception of a transaction manager's: some attach it as suppressed. */
final class Suppressed {

    private Suppressed() {}

    /** The first with an SQLState, else the first. */
    static @Nullable SQLException sqlException(Throwable error) {
        Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        Deque<Throwable> open = new ArrayDeque<>(List.of(error));
        SQLException first = null;
        while (!open.isEmpty()) {
            Throwable link = open.removeFirst();
            if (!seen.add(link)) {
                continue;
            }
            if (link instanceof SQLException sql) {
                if (sql.getSQLState() != null) {
                    return sql;
                }
                first = first == null ? sql : first;
            }
            if (link.getCause() != null) {
                open.add(link.getCause());
            }
            open.addAll(List.of(link.getSuppressed()));
        }
        return first;
    }
}
