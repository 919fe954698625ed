package io.holdfast.example.jakarta;

import io.holdfast.failure.SqlStates;
import io.holdfast.migrations.Components;
import io.holdfast.migrations.Migrator;
import io.holdfast.repository.Holdfast;
import jakarta.annotation.Resource;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.Initialized;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Instance;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/** Brings the tables up to date before the first request. Any number of instances may start at once. */
@ApplicationScoped
@SuppressWarnings("NullAway.Init") // the server fills the field
public class Start {

    private static final String OWN_TABLE = """
            begin;
            select pg_advisory_xact_lock(hashtext('purchase_order')); -- "if not exists" alone is not safe for two at once
            create table if not exists purchase_order (
                id text primary key, item text not null, quantity int not null, stage text not null, version bigint not null);
            commit
            """;

    // snippet: start
    @Resource(lookup = "java:comp/env/jdbc/orders")
    private DataSource dataSource;

    void migrate(
            @Observes @Initialized(ApplicationScoped.class) Object started, @CommitsAlone Instance<Holdfast> holdfast) {
        Migrator.of(dataSource, "holdfast").migrate(Components.own());
        createOwnTable();
        holdfast.get(); // now: what cannot work shall not start
    }
    // end

    private void createOwnTable() {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(OWN_TABLE);
        } catch (SQLException e) {
            throw SqlStates.classify("create the application's table", e);
        }
    }
}
