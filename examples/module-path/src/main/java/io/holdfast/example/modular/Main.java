package io.holdfast.example.modular;

import io.holdfast.Scope;
import io.holdfast.lease.Acquisition;
import io.holdfast.lease.LeaseKey;
import io.holdfast.migrations.Components;
import io.holdfast.migrations.Migrator;
import io.holdfast.repository.Holdfast;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;

/** Makes the tables, opens Holdfast over them, and takes a lease and looks for a workflow. */
public final class Main {

    private Main() {}

    public static void main(String[] arguments) throws IOException {
        for (Class<?> type : List.of(Scope.class, Migrator.class, Holdfast.class)) {
            if (!type.getModule().isNamed()) {
                throw new IllegalStateException(type + " is not in a module");
            }
        }
        try (EmbeddedPostgres postgres = EmbeddedPostgres.start()) {
            DataSource database = postgres.getPostgresDatabase();
            Migrator.of(database, "holdfast").migrate(Components.own());
            try (Holdfast holdfast = Holdfast.open(database)) {
                var stores = holdfast.in(Scope.UNSCOPED);
                Acquisition lease =
                        stores.leases().acquire(LeaseKey.ofWorkflow("order-1"), "worker-1", Duration.ofSeconds(30));
                if (stores.workflows().find("order-1").isPresent()
                        || !stores.workflows().list("", 10).isEmpty()) {
                    throw new IllegalStateException("found what nobody made");
                }
                System.out.println("On the module path: " + lease);
            }
        }
    }
}
