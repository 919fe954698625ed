package io.holdfast.bench;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.Scope;
import io.holdfast.cleanup.Keep;
import io.holdfast.cleanup.Removed;
import io.holdfast.cleanup.RetentionPace;
import io.holdfast.cleanup.RetentionPolicy;
import io.holdfast.cleanup.RetentionReport;
import io.holdfast.cleanup.RetentionRule;
import io.holdfast.repository.Holdfast;
import io.holdfast.state.WorkflowStatus;
import io.holdfast.testing.TestDatabase;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.logging.LogManager;

/**
 * Removes many expired rows beside a load on the living of the same scope. Clean-up and none take turns of some seconds, so
 * that whatever else the machine does falls on both alike.
 */
public final class Retention {

    static final String HELP = """
            Removes expired rows beside a load of renewals, fenced updates and new leases, and says what the load noticed.

              bench/run retention

              --rows 1000000             expired: four tenths workflows, three tenths keys, three tenths leases
              --threads 4                of the load
              --rate 400                 calls a second that the load attempts, of all threads
              --turn 5                   seconds with clean-up, and as many without
              --batch 500                rows of a batch
              --pause-ms 20              between batches
            """;

    static final Scope SCOPE = Scope.of("busy");
    private static final RetentionPolicy POLICY = RetentionPolicy.of(RetentionRule.KEEP_ALL
            .with(WorkflowStatus.SUCCEEDED, Keep.during(Duration.ofDays(1)))
            .withExpired(Duration.ofDays(1)));
    private static final String CLEANER = "holdfast-retention";

    private Retention() {}

    public static void main(String[] args) throws Exception {
        List<String> given = List.of(args);
        if (given.contains("--help")) {
            System.out.print(HELP);
            return;
        }
        int rows = number(given, "--rows", 1_000_000);
        int threads = number(given, "--threads", 4);
        int rate = number(given, "--rate", 400);
        Duration turn = Duration.ofSeconds(number(given, "--turn", 5));
        RetentionPace pace = RetentionPace.DEFAULT
                .withBatch(number(given, "--batch", 500))
                .withPause(Duration.ofMillis(number(given, "--pause-ms", 20)))
                .withAtMost(turn);
        LogManager.getLogManager().reset();
        try (TestDatabase database = TestDatabase.migrated("retention");
                HikariDataSource loads = pool(database.url(), threads);
                HikariDataSource cleaners = pool(database.url() + "&ApplicationName=" + CLEANER, 1);
                Holdfast loaded = Holdfast.open(loads);
                Holdfast cleaning = Holdfast.open(cleaners)) {
            progress("making %d rows", rows);
            fill(database, rows);
            progress("counting");
            long begun = System.nanoTime();
            RetentionReport plan = cleaning.cleanup().plan(POLICY);
            progress("%s in %.1f s", plan.total(), (System.nanoTime() - begun) / 1e9);
            Load load = new Load(loaded.in(SCOPE), threads, rate);
            LockWaits waits = new LockWaits(database, CLEANER);
            turns(cleaning, load, waits, pace, plan.total());
            load.close();
            waits.close();
            check(database, load, rows);
            System.out.print(load.report() + waits.report());
        }
        System.exit(0);
    }

    private static void turns(Holdfast cleaning, Load load, LockWaits waits, RetentionPace pace, Removed planned)
            throws InterruptedException {
        load.count(Load.Phase.WARM_UP);
        Thread.sleep(pace.atMost().toMillis());
        Removed removed = Removed.NOTHING;
        long busy = 0;
        for (boolean complete = false; !complete; ) {
            load.count(Load.Phase.WITHOUT);
            Thread.sleep(pace.atMost().toMillis());
            load.count(Load.Phase.BESIDE);
            waits.begin();
            long begun = System.nanoTime();
            RetentionReport report = cleaning.cleanup().run(POLICY, pace, done -> {});
            busy += System.nanoTime() - begun;
            waits.end();
            complete = report.complete();
            removed = removed.plus(report.total());
            progress("%d of %d", removed.total(), planned.total());
        }
        if (!removed.equals(planned)) {
            throw new IllegalStateException("Planned " + planned + ", removed " + removed);
        }
        System.out.printf(
                Locale.ROOT,
                "removed   %s in %.1f s, %.0f a second; batches of %d, pauses of %d ms%n",
                removed,
                busy / 1e9,
                removed.total() / (busy / 1e9),
                pace.batch(),
                pace.pause().toMillis());
    }

    private static void fill(TestDatabase database, int rows) {
        String of = " from generate_series(1, " + rows / 10;
        String then = "clock_timestamp() - interval '30 days' + g * interval '1 second'";
        database.execute(
                "alter system set max_wal_size = '8GB'",
                "select pg_reload_conf()",
                "insert into holdfast.workflow (scope, id, request_id, status, revision, snapshot, labels, created_at, updated_at)"
                        + " select 'busy', 'ended-' || g, 'r', 'succeeded', 5, '{\"of\": \"' || repeat('x', 400) || '\"}',"
                        + " '{\"team\": \"blue\"}', " + then + ", " + then + of + " * 4) g",
                "insert into holdfast.workflow_label select scope, 'team', 'blue', created_at, id from holdfast.workflow",
                "insert into holdfast.idempotency_key (scope, key, reservation, request_id, workflow_id, status, outcome, keep_ms,"
                        + " created_at, expires_at) select 'busy', 'old-' || g, 1, 'r', 'ended-' || g,"
                        + " case when g % 10 = 0 then 'reserved' else 'completed' end, case when g % 10 = 0 then null else"
                        + " 'sha256:' || repeat('a', 64) end, 86400000, " + then + ", " + then + of + " * 3) g",
                "insert into holdfast.lease (scope, kind, id, owner, token, ttl_ms, granted_at, expires_at) select 'busy',"
                        + " 'workflow', 'ended-' || g, case when g % 2 = 0 then 'w' end, 1, 60000, " + then + ", "
                        + then + of
                        + " * 3) g",
                "insert into holdfast.lease_floor (scope) values ('busy')",
                "vacuum analyze holdfast.workflow, holdfast.workflow_label, holdfast.idempotency_key, holdfast.lease",
                "checkpoint");
    }

    /** Nothing that lives has gone, and nothing that was due has stayed. */
    private static void check(TestDatabase database, Load load, int rows) {
        String left = database.value("select (select count(*) from holdfast.workflow) || ' ' || (select count(*) from"
                + " holdfast.idempotency_key) || ' ' || (select count(*) from holdfast.lease) || ' ' || (select floor from"
                + " holdfast.lease_floor)");
        String wanted = load.workflows() + " 0 " + load.leases() + " 1";
        if (!wanted.equals(left)) {
            throw new IllegalStateException("Left are " + left + ", not " + wanted + ", of " + rows);
        }
    }

    private static HikariDataSource pool(String url, int size) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setUsername("postgres");
        config.setPassword("postgres");
        config.setMaximumPoolSize(size);
        return new HikariDataSource(config);
    }

    private static int number(List<String> given, String option, int otherwise) {
        int at = given.indexOf(option);
        return at < 0 ? otherwise : Integer.parseInt(given.get(at + 1));
    }

    private static void progress(String format, Object... values) {
        System.err.println(String.format(Locale.ROOT, format, values));
    }
}
