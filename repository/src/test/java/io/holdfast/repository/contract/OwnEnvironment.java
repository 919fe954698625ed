package io.holdfast.repository.contract;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.migrations.Components;
import io.holdfast.migrations.Migrator;
import io.holdfast.repository.Holdfast;
import io.holdfast.repository.Settings;
import io.holdfast.testing.TestDatabase;

/** Transactions of Holdfast's own, over a host's pool. */
final class OwnEnvironment extends Environment {

    /** A schema whose name needs quotes. */
    static final String ODD_NAME = "Odd {lease} {workflow}";

    private final Holdfast holdfast;

    private OwnEnvironment(String schema, Holdfast holdfast) {
        super(schema);
        this.holdfast = holdfast;
    }

    static Environment autocommit() {
        return once(
                "own", () -> new OwnEnvironment(TestDatabase.SCHEMA, Holdfast.open(pool(TestDatabase.get(), true))));
    }

    /** Common advice for Hibernate; on such a pool a lone write vanishes when the connection goes back. */
    static Environment withoutAutocommit() {
        return once(
                "own without autocommit",
                () -> new OwnEnvironment(TestDatabase.SCHEMA, Holdfast.open(pool(TestDatabase.get(), false))));
    }

    static Environment inAnOddSchema() {
        return once("own in an odd schema", () -> {
            migrateOddSchema();
            Settings settings = Settings.DEFAULT.withSchema(ODD_NAME);
            return new OwnEnvironment(ODD_NAME, Holdfast.open(pool(TestDatabase.get(), true), settings));
        });
    }

    static Environment overAHostsUnit() {
        return once("over a host's unit", () -> new OwnEnvironment(TestDatabase.SCHEMA, Holdfast.over(HostUnit.get())));
    }

    /** The host's mapping file names another schema for our tables. */
    static Environment overAHostsUnitThatMapsElsewhere() {
        return once("over a host's unit that maps elsewhere", () -> {
            migrateOddSchema();
            return new OwnEnvironment(ODD_NAME, Holdfast.over(HostUnit.mappedElsewhere()));
        });
    }

    static void migrateOddSchema() {
        Migrator.of(TestDatabase.get().directDataSource(), ODD_NAME).migrate(Components.own());
    }

    static HikariDataSource pool(TestDatabase database, boolean autocommit) {
        HikariConfig config = new HikariConfig();
        config.setDataSource(database.dataSource());
        config.setMaximumPoolSize(4);
        config.setMinimumIdle(0);
        config.setAutoCommit(autocommit);
        return new HikariDataSource(config);
    }

    @Override
    Holdfast holdfast() {
        return holdfast;
    }
}
