package io.holdfast.bench;

import java.util.Locale;
import org.postgresql.util.DriverInfo;

/** Under what conditions was measured. */
final class Conditions {

    private Conditions() {}

    static String of(Arena arena, Options options) {
        String settings = arena.database.value("""
                select string_agg(name || ' ' || current_setting(name), ', ' order by name) from pg_settings
                 where name in ('fsync', 'synchronous_commit', 'full_page_writes', 'wal_sync_method', 'max_wal_size',
                                'shared_buffers', 'autovacuum')
                """);
        return String.format(
                Locale.ROOT,
                """
                server    PostgreSQL %s (embedded, on this machine, by TCP): %s
                client    %s %s, at most %d MB; Hibernate %s; driver %s; a HikariCP pool of 8 for all contenders
                machine   %d processors, %s %s %s
                run       %d rounds; at most %.1f s per contender, cell and round, in slices that take turns; %s
                """,
                arena.database.value("show server_version"),
                settings,
                System.getProperty("java.vm.name"),
                Runtime.version(),
                Runtime.getRuntime().maxMemory() >> 20,
                org.hibernate.Version.getVersionString(),
                DriverInfo.DRIVER_VERSION,
                Runtime.getRuntime().availableProcessors(),
                System.getProperty("os.name"),
                System.getProperty("os.version"),
                System.getProperty("os.arch"),
                options.rounds(),
                options.seconds(),
                options.quick() ? "not warmed up: says nothing" : "warmed up");
    }
}
