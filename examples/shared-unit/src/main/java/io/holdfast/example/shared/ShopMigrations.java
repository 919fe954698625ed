package io.holdfast.example.shared;

import io.holdfast.migrations.Components;
import io.holdfast.migrations.Migrator;
import java.util.Set;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;

/** The shop's Flyway for the shop's tables, and Holdfast's migrator for Holdfast's: neither sees the other's. */
final class ShopMigrations {

    /** The shop's own history, in each schema that it migrates. */
    static final String HISTORY = "SHOP_HISTORY";

    private final DataSource database;

    ShopMigrations(DataSource database) {
        this.database = database;
    }

    // snippet: migrations
    /** @param holdfast the schema that the mapping file names */
    void migrate(Edition edition, Set<String> tenants, String holdfast) {
        run(Edition.SHOP, "catalogue");
        edition.orderSchemas(tenants).forEach(schema -> run(schema, "orders"));
        Migrator.of(database, holdfast).migrate(Components.own());
    }
    // end

    private void run(String schema, String what) {
        Flyway.configure(ShopMigrations.class.getClassLoader())
                .dataSource(database)
                .schemas(schema)
                .table(HISTORY + "_" + what)
                .locations("classpath:db/shop/" + what)
                .baselineOnMigrate(true) // the shop's other tables may be in this schema
                .baselineVersion("0")
                .load()
                .migrate();
    }
}
