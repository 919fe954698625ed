package io.holdfast.migrations;

/** How a schema stands to a component of this release. Only {@link Current} and {@link Ahead} can be worked with. */
public sealed interface SchemaStatus {

    /** The component was never migrated there; the schema itself may be missing too. */
    record Missing() implements SchemaStatus {}

    /** Everything is as this release needs it. */
    record Current(int version) implements SchemaStatus {}

    /** Older than this release needs: {@link Migrator#migrate} has work to do. */
    record Pending(int current, int supported) implements SchemaStatus {}

    /** Made by a newer release, which says that this one works with it: a rolling upgrade is on its way. */
    record Ahead(int found, int supported) implements SchemaStatus {}

    /** There is a history of a component that nobody here knows: of a newer release, or of a jar that is not there. */
    record Unknown() implements SchemaStatus {}

    /** Made by a newer release than this one; it is refused and left as it is. */
    record Newer(int found, int supported) implements SchemaStatus {}

    /** Whether this release can work with it. */
    default boolean works() {
        return this instanceof Current || this instanceof Ahead;
    }

    /**
     * Not as any release left it.
     *
     * @param detail names the file, the table or the version; safe to log
     */
    record Damaged(Fault fault, String detail) implements SchemaStatus {}

    /** What is wrong with a damaged schema. */
    enum Fault {
        /** The history table has other columns, or a version that is no number, or a gap. */
        HISTORY_UNREADABLE,
        /** A migration ended half way and was recorded as failed. */
        MIGRATION_FAILED,
        /** A file that was applied had another text than it has in this release. */
        FILE_CHANGED,
        /** The history says that a table or a function was made, and it is gone. */
        TABLES_MISSING,
        /** A table, view or other relation, or a function, of ours stands there already, and no history says that we made it. */
        NAMES_TAKEN
    }
}
