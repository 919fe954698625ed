/** How Hibernate keeps the promises of the model. */
module io.holdfast.repository {
    requires transitive io.holdfast.model;
    requires transitive io.holdfast.migrations;
    requires transitive jakarta.persistence;
    requires org.hibernate.orm.core;
    // Only for a flight recording, which brings it.
    requires static jdk.jfr;
    // Only for JTA; Hibernate brings it.
    requires static jakarta.transaction;
    // Only for a pool of our own.
    requires static com.zaxxer.hikari;
    requires static org.postgresql.jdbc;
    requires static transitive org.jspecify;

    exports io.holdfast.repository;

    provides io.holdfast.connect.RunRepositoryProvider with
            io.holdfast.repository.PostgresRepositoryProvider;
}
