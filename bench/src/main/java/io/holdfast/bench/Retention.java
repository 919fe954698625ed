package io.holdfast.bench;

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
              --minutes 0                ends after so many, whatever is left then; 0: when all is removed
              --batch 100                most rows of a batch
              --swift-ms 5               what takes longer halves the next batch
              --rest 4                   times as long as a batch took nothing is done after it
              --pause-ms 5               between batches, at least

            Ten million rows need some 20 GB of disk, a quarter of an hour to be made, and --minutes 30: the rate of each turn
            says whether clean-up becomes slower on the way.
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
        Duration most = Duration.ofMinutes(number(given, "--minutes", 0));
        RetentionPace usual = RetentionPace.DEFAULT;
        RetentionPace pace = usual.withBatch(number(given, "--batch", usual.batch()))
                .withSwift(Duration.ofMillis(
                        number(given, "--swift-ms", (int) usual.swift().toMillis())))
                .withRest(number(given, "--rest", usual.rest()))
                .withPause(Duration.ofMillis(
                        number(given, "--pause-ms", (int) usual.pause().toMillis())))
                .withAtMost(turn);
        LogManager.getLogManager().reset();
        try (TestDatabase database = TestDatabase.migrated("retention");
                HikariDataSource loads = Pools.of(database.url(), threads);
                HikariDataSource cleaners = Pools.of(database.url() + "&ApplicationName=" + CLEANER, 1);
                Holdfast loaded = Holdfast.open(loads);
                Holdfast cleaning = Holdfast.open(cleaners)) {
            long begun = System.nanoTime();
            fill(database, rows);
            System.out.printf(Locale.ROOT, "made      %d rows in %.1f s%n", rows, (System.nanoTime() - begun) / 1e9);
            begun = System.nanoTime();
            RetentionReport plan = cleaning.cleanup().plan(POLICY);
            System.out.printf(Locale.ROOT, "counted   %s in %.1f s%n", plan.total(), (System.nanoTime() - begun) / 1e9);
            Load load = new Load(loaded.in(SCOPE), threads, rate);
            LockWaits waits = new LockWaits(database, CLEANER);
            boolean all = turns(cleaning, load, waits, pace, plan.total(), most);
            load.close();
            waits.close();
            check(database, load, all, rows);
            System.out.print(load.report() + waits.report());
        }
        System.exit(0);
    }

    /** @return whether all was removed */
    private static boolean turns(
            Holdfast cleaning, Load load, LockWaits waits, RetentionPace pace, Removed planned, Duration most)
            throws InterruptedException {
        long end = System.nanoTime() + most.toNanos();
        load.count(Load.Phase.WARM_UP);
        Thread.sleep(pace.atMost().toMillis());
        Removed removed = Removed.NOTHING;
        long busy = 0;
        boolean complete = false;
        while (!complete && (most.isZero() || end - System.nanoTime() > 0)) {
            load.count(Load.Phase.WITHOUT);
            Thread.sleep(pace.atMost().toMillis());
            load.count(Load.Phase.BESIDE);
            waits.begin();
            long begun = System.nanoTime();
            RetentionReport report = cleaning.cleanup().run(POLICY, pace, done -> {});
            long took = System.nanoTime() - begun;
            busy += took;
            waits.end();
            complete = report.complete();
            removed = removed.plus(report.total());
            progress(
                    "%d of %d, %.0f a second",
                    removed.total(), planned.total(), report.total().total() / (took / 1e9));
        }
        if (complete && !removed.equals(planned)) {
            throw new IllegalStateException("Planned " + planned + ", removed " + removed);
        }
        System.out.printf(
                Locale.ROOT,
                "removed   %s in %.1f s, %.0f a second; batches of %d or what takes %d ms, rests of %d times that or %d ms%n",
                removed,
                busy / 1e9,
                removed.total() / (busy / 1e9),
                pace.batch(),
                pace.swift().toMillis(),
                pace.rest(),
                pace.pause().toMillis());
        return complete;
    }

    private static void fill(TestDatabase database, int rows) {
        database.execute("alter system set max_wal_size = '4GB'", "select pg_reload_conf()");
        int part = 100_000; // so that what is written ahead never holds more than a part
        for (int from = 0; from < rows; from += part) {
            fill(database, from / 10, Math.min(rows, from + part) / 10);
            progress("%d of %d made", Math.min(rows, from + part), rows);
        }
        database.execute(
                "insert into holdfast.lease_floor (scope) values ('busy')",
                "vacuum analyze holdfast.workflow, holdfast.workflow_label, holdfast.idempotency_key, holdfast.lease",
                "checkpoint");
    }

    private static void fill(TestDatabase database, int after, int upTo) {
        String then = "clock_timestamp() - interval '400 days' + g * interval '1 second'";
        database.execute(
                "insert into holdfast.workflow (scope, id, request_id, status, revision, snapshot, labels, created_at, updated_at)"
                        + " select 'busy', 'ended-' || g, 'r', 'succeeded', 5, '{\"of\": \"' || repeat('x', 400) || '\"}',"
                        + " '{\"team\": \"blue\"}', " + then + ", " + then + series(after, upTo, 4),
                "insert into holdfast.workflow_label select scope, 'team', 'blue', created_at, id from holdfast.workflow"
                        + " where scope = 'busy' and id in (select 'ended-' || g" + series(after, upTo, 4) + ")",
                "insert into holdfast.idempotency_key (scope, key, reservation, request_id, workflow_id, status, outcome, keep_ms,"
                        + " created_at, expires_at) select 'busy', 'old-' || g, 1, 'r', 'ended-' || g,"
                        + " case when g % 10 = 0 then 'reserved' else 'completed' end, case when g % 10 = 0 then null else"
                        + " 'sha256:' || repeat('a', 64) end, 86400000, " + then + ", " + then
                        + series(after, upTo, 3),
                "insert into holdfast.lease (scope, kind, id, owner, token, ttl_ms, granted_at, expires_at) select 'busy',"
                        + " 'workflow', 'ended-' || g, case when g % 2 = 0 then 'w' end, 1, 60000, " + then + ", "
                        + then + series(after, upTo, 3));
    }

    private static String series(int after, int upTo, int tenths) {
        return " from generate_series(" + (after * tenths + 1) + ", " + upTo * tenths + ") g";
    }

    /** Nothing that lives has gone, and where all was to go, nothing that was due has stayed. */
    private static void check(TestDatabase database, Load load, boolean all, int rows) {
        String due = all ? "" : " where id not like 'ended-%'";
        String left = database.value("select (select count(*) from holdfast.workflow" + due + ") || ' ' || "
                + (all ? "(select count(*) from holdfast.idempotency_key)" : "0")
                + " || ' ' || (select count(*) from holdfast.lease" + due + ")");
        String wanted = load.workflows() + " 0 " + load.leases();
        if (!wanted.equals(left)) {
            throw new IllegalStateException("Left are " + left + ", not " + wanted + ", of " + rows);
        }
        String floor = all ? database.value("select floor from holdfast.lease_floor") : "1";
        if (!"1".equals(floor)) {
            throw new IllegalStateException("The floor is at " + floor + ", not at 1");
        }
    }

    private static int number(List<String> given, String option, int otherwise) {
        int at = given.indexOf(option);
        return at < 0 ? otherwise : Integer.parseInt(given.get(at + 1));
    }

    private static void progress(String format, Object... values) {
        System.err.println(String.format(Locale.ROOT, format, values));
    }
}
