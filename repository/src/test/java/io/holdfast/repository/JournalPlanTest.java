package io.holdfast.repository;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Scope;
import io.holdfast.journal.NewRun;
import io.holdfast.journal.Opened;
import io.holdfast.journal.RecoverableRun;
import io.holdfast.journal.RunKind;
import io.holdfast.lease.Fence;
import io.holdfast.lease.LeaseKey;
import io.holdfast.lease.Renewal;
import io.holdfast.testing.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What recovery and heartbeats cost, in a database that has seen a lot. */
class JournalPlanTest {

    private static final int FINISHED = 100_000;
    private static final int PAUSED = 5_000;
    private static final Scope SCOPE = Scope.of("busy");

    private static TestDatabase database;
    private static Holdfast holdfast;

    @BeforeAll
    static void fill() {
        database = TestDatabase.migrated("journal plan");
        holdfast = Holdfast.open(database.dataSource());
        database.execute(
                "insert into holdfast.execution (scope, id, kind, origin, definition_digest, status, watched, state, state_version)"
                        + " select 'busy', 'run-' || g, 'workflow', '{}', 'd', case when g <= " + FINISHED
                        + " then 'completed' else 'paused' end, false, '{}', 1 from generate_series(1, "
                        + (FINISHED + PAUSED) + ") g",
                "insert into holdfast.execution (scope, id, kind, origin, definition_digest, status, state, state_version)"
                        + " values ('busy', 'run-77777-crashed', 'workflow', '{}', 'd', 'running', '{}', 1)",
                "insert into holdfast.lease (scope, kind, id, owner, token, ttl_ms, granted_at, expires_at)"
                        + " select e.scope, 'run', e.id, case when e.watched then 'gone' end, 1, 30000, now() - interval '1 hour',"
                        + " now() - interval '1 minute' from holdfast.execution e",
                "analyze holdfast.execution",
                "analyze holdfast.lease");
    }

    @AfterAll
    static void close() {
        holdfast.close();
        database.close();
    }

    @Test // 3.9: one crashed run among a hundred thousand
    void theOneCrashedRunIsFoundInTwentyMillisecondsAlongAnIndex() throws Exception {
        var runs = holdfast.in(SCOPE).runLeases();
        long best = Long.MAX_VALUE;
        for (int time = 0; time < 10; time++) {
            long begun = System.nanoTime();
            var page = runs.recoverable("", 100);
            best = Math.min(best, System.nanoTime() - begun);
            assertThat(page.next()).isEmpty();
            assertThat(page.runs()).extracting(RecoverableRun::id).containsExactly("run-77777-crashed");
        }
        assertThat(Duration.ofNanos(best)).isLessThan(Duration.ofMillis(20));
        assertThat(plan())
                .contains("execution_watch", "lease_pk", "execution_pk")
                .doesNotContain("Seq Scan on execution", "Seq Scan on lease");
    }

    private static String plan() throws ReflectiveOperationException, SQLException {
        var field = JpaRunLeases.class.getDeclaredField("RECOVERABLE");
        field.setAccessible(true);
        Tables tables = holdfast.open().single("plan", Transactions.Effect.READ, Statements::tables);
        NamedParameters statement = tables.resolve(((Statement<?>) field.get(null)).sql());
        String[] values = new String[statement.count()];
        statement
                .places()
                .forEach((name, places) -> places.forEach(place -> values[place] = switch (name) {
                    case "scope" -> "'busy'";
                    case "after" -> "''";
                    case "limit" -> "100";
                    default -> "10000";
                }));
        StringBuilder sql = new StringBuilder("explain (analyze, costs off, timing off) ");
        int place = 0;
        for (char c : statement.sql().toCharArray()) {
            sql.append(c == '?' ? values[place++] : String.valueOf(c));
        }
        StringBuilder plan = new StringBuilder();
        try (Connection connection = database.connect();
                var session = connection.createStatement();
                var lines = session.executeQuery(sql.toString())) {
            while (lines.next()) {
                plan.append(lines.getString(1)).append('\n');
            }
        }
        return plan.toString();
    }

    @Test // J20, hole 2
    void tenRenewalsOfARunWithALargeStateWriteLittle() {
        String state = "{\"s\":\"" + "0123456789abcdef".repeat(19_200) + "\"}";
        Stores stores = holdfast.in(Scope.of("large"));
        var opened = (Opened.Done) stores.journal()
                .open(NewRun.of("run", RunKind.AGENT, "digest", state), "worker", Duration.ofMinutes(1));
        Fence fence = opened.lease().fence();
        database.execute("checkpoint"); // the first change of a page after one writes the whole page
        String before = database.value("select pg_current_wal_insert_lsn()");
        for (int time = 0; time < 10; time++) {
            assertThat(stores.leases().renew(LeaseKey.ofRun("run"), fence)).isInstanceOf(Renewal.Renewed.class);
        }
        String written = database.value("select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '" + before + "')");
        assertThat(Long.parseLong(String.valueOf(written))).isLessThan(50_000);
    }
}
