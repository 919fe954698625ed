/** The tables of each component, and the code that makes and checks them. */
module io.holdfast.migrations {
    requires transitive io.holdfast.model;
    requires transitive java.sql;
    // Flyway's jars are automatic modules, named after their files. Its PostgreSQL part is a plug-in: no code names it,
    // it only has to be there.
    requires flyway.core;
    requires flyway.database.postgresql;
    requires static transitive org.jspecify;

    uses io.holdfast.migrations.ComponentProvider;

    exports io.holdfast.migrations;
}
