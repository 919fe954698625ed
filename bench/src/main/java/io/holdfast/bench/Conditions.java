package io.holdfast.bench;

import io.holdfast.testing.TestDatabase;
import java.util.Locale;
import org.postgresql.util.DriverInfo;

/** Under what conditions was measured. */
final class Conditions {

    private Conditions() {}

    static String of(Arena arena, Options options) {
        return of(
                arena.database,
                "a HikariCP pool of 8 for all contenders"
                        + arena.pgbenchVersion().map(version -> "; " + version).orElse(""),
                String.format(
                        Locale.ROOT,
                        "%d rounds; at most %.1f s per contender, cell and round, in slices that take turns; %s",
                        options.rounds(),
                        options.seconds(),
                        (options.quick() ? "not warmed up: says nothing" : "warmed up")
                                + (options.withoutChecks() ? "; no check constraints" : "")));
    }

    /**
     * @param who what the client is besides
     * @param run how often and how long
     */
    static String of(TestDatabase database, String who, String run) {
        String settings = database.value("""
                select string_agg(name || ' ' || current_setting(name), ', ' order by name) from pg_settings
                 where name in ('fsync', 'synchronous_commit', 'full_page_writes', 'wal_sync_method', 'max_wal_size',
                                'shared_buffers', 'autovacuum')
                """);
        return String.format(
                Locale.ROOT,
                """
                server    PostgreSQL %s (embedded, on this machine, by TCP): %s
                client    %s %s, at most %d MB; Hibernate %s; driver %s; %s
                machine   %d processors, %s %s %s
                code      %s
                run       %s
                """,
                database.value("show server_version"),
                settings,
                System.getProperty("java.vm.name"),
                Runtime.version(),
                Runtime.getRuntime().maxMemory() >> 20,
                org.hibernate.Version.getVersionString(),
                DriverInfo.DRIVER_VERSION,
                who,
                Runtime.getRuntime().availableProcessors(),
                System.getProperty("os.name"),
                System.getProperty("os.version"),
                System.getProperty("os.arch"),
                System.getProperty("holdfast.bench.code", "unknown"),
                run);
    }
}
