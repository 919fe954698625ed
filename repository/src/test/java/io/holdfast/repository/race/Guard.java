package io.holdfast.repository.race;

import java.util.function.Consumer;

/**
 * A part of a statement that is there for a race.
 *
 * @param name what it is for
 * @param of what only the text of this statement holds
 * @param guard its text, as it is sent
 * @param without what stands there without it
 * @param scenario the race that is then lost
 */
record Guard(String name, String of, String guard, String without, Consumer<Race> scenario) {

    /** The clock that is read behind the locks, and in its place the one of the statement's, or transaction's, beginning. */
    static final String LATE = "select clock_timestamp() as at";

    static final String EARLY = "select now() as at";

    @Override
    public String toString() {
        return name;
    }
}
