package io.holdfast.migrations;

import java.io.IOException;
import org.postgresql.ds.PGSimpleDataSource;

/** A process of its own that says it is ready, waits for a line, migrates and says how many migrations it applied. */
final class MigratingProcess {

    private MigratingProcess() {}

    public static void main(String[] arguments) throws IOException {
        var source = new PGSimpleDataSource();
        source.setUrl(System.getenv("MIGRATE_URL"));
        source.setUser(System.getenv("MIGRATE_USER"));
        source.setPassword(System.getenv("MIGRATE_PASSWORD"));
        Migrator migrator = Migrator.of(source, "holdfast");
        Component core = Component.core();
        System.out.println("ready");
        System.in.read();
        System.out.println("applied " + migrator.migrate(core).size());
    }
}
