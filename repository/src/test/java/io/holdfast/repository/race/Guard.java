package io.holdfast.repository.race;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.Consumer;

/**
 * A part of a statement, or of a function in the schema, that is there for a race.
 *
 * @param name what it is for
 * @param inFunction whether {@code of} is a function's name
 * @param of what only the text of this statement holds
 * @param guard its text, as it is sent
 * @param without what stands there without it
 * @param scenario the race that is then lost
 */
record Guard(String name, boolean inFunction, String of, String guard, String without, Consumer<Race> scenario) {

    /** The clock that is read behind the locks, and in its place the one of the statement's, or transaction's, beginning. */
    static final String LATE = "select clock_timestamp() as at";

    static final String EARLY = "select now() as at";

    /** A lease that ran out while something else was waited for, but may have been renewed; and in its place the loss. */
    static final String LOOKED_AT_AGAIN = "case when h.expires_at <= b.since then 'LOST_EXPIRED' else 'AGAIN' end";

    static final String LOST = "'LOST_EXPIRED'";

    /** Whether the token is the one that was granted; and in its place whether it is that or a later one. */
    static final String TOKEN = "or h.token <> ";

    static final String ANY_LATER_TOKEN = "or h.token < ";

    /** Of a statement. */
    Guard(String name, String of, String guard, String without, Consumer<Race> scenario) {
        this(name, false, of, guard, without, scenario);
    }

    static Guard ofFunction(String name, String of, String guard, String without, Consumer<Race> scenario) {
        return new Guard(name, true, of, guard, without, scenario);
    }

    /** The text without the guard; another's as it is. */
    String takenOut(String sql) {
        if (!sql.contains(of)) {
            return sql;
        }
        assertThat(sql).contains(guard);
        return sql.replace(guard, without);
    }

    @Override
    public String toString() {
        return name;
    }
}
