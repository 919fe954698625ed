package io.holdfast.example.quarkus;

import io.agroal.api.AgroalDataSource;
import io.holdfast.failure.SqlStates;
import io.holdfast.migrations.Components;
import io.holdfast.migrations.Migrator;
import io.holdfast.repository.Holdfast;
import io.holdfast.repository.LeaseKeeper;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** Brings the tables up to date before the first request. Any number of instances may start at once. */
@ApplicationScoped
public class Start {

    private static final String OWN_TABLE = """
            begin;
            select pg_advisory_xact_lock(hashtext('purchase_order')); -- "if not exists" alone is not safe for two at once
            create table if not exists purchase_order (
                id text primary key, item text not null, quantity int not null, stage text not null, version bigint not null);
            commit
            """;

    // snippet: start
    @Inject
    AgroalDataSource dataSource;

    void migrate(
            @Observes StartupEvent event, @CommitsAlone Instance<Holdfast> holdfast, Instance<LeaseKeeper> keeper) {
        Migrator.of(dataSource, "holdfast").migrate(Components.own());
        createOwnTable();
        holdfast.get(); // now: what cannot work shall not start
        keeper.get();
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
