package io.holdfast.repository;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.testing.TestDatabase;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Who looks for a row by its whole key goes along that, also where the planner expects a scope to have next to nothing and takes
 * any index that begins with it for as good: most scopes are short, and the long one is new, or nobody has analyzed the tables.
 */
class WholeKeyPlanTest {

    private static final int LONG = 20_000;

    private static final List<String> NUMBERS =
            List.of("token", "valid", "limit", "known_version", "ttl", "state_version");

    private static TestDatabase analyzed;
    private static TestDatabase notAnalyzed;
    private static TestDatabase empty;

    @BeforeAll
    static void fill() {
        empty = TestDatabase.migrated("whole keys, empty");
        notAnalyzed = TestDatabase.migrated("whole keys, not analyzed");
        analyzed = TestDatabase.migrated("whole keys, analyzed");
        for (TestDatabase database : List.of(notAnalyzed, analyzed)) {
            database.execute("alter table holdfast.approval set (autovacuum_enabled = off)");
        }
        analyzed.execute(
                "insert into holdfast.approval (scope, id, run_id, payload, digest, status, created_at, expires_at)"
                        + " select 's' || g, 'a', 'run', '1', repeat('0', 64), 'pending', now(), now() + interval '1 hour'"
                        + " from generate_series(1, 5000) g",
                "analyze holdfast.approval");
        longScope(notAnalyzed);
        longScope(analyzed);
    }

    private static void longScope(TestDatabase database) {
        database.execute(
                "insert into holdfast.approval (scope, id, run_id, payload, digest, status, created_at, expires_at)"
                        + " select 'long', 'a-' || g, 'run-' || g, '1', repeat('0', 64), 'pending', now(), now() + interval '1 hour'"
                        + " from generate_series(1, " + LONG + ") g",
                "update holdfast.approval set status = 'approved', verdict = 'approved', decided_by = 'ann', decided_reason = '',"
                        + " decided_at = now() where scope = 'long' and id = 'a-77'",
                "update holdfast.approval set expires_at = created_at where scope = 'long' and id = 'a-79'",
                "update holdfast.approval set run_id = 'fresh', heard = true where scope = 'long' and id = 'a-80'",
                "insert into holdfast.execution (scope, id, kind, origin, definition_digest, status, state, state_version)"
                        + " values ('long', 'run-77', 'agent', '{}', repeat('0', 64), 'running', '{}', 1)",
                "insert into holdfast.lease_floor (scope, floor) values ('long', 0)",
                "insert into holdfast.lease (scope, kind, id, owner, token, ttl_ms, granted_at, expires_at)"
                        + " values ('long', 'run', 'run-77', 'w', 1, 60000, now(), now() + interval '1 hour')");
    }

    @AfterAll
    static void close() {
        List.of(empty, notAnalyzed, analyzed).forEach(TestDatabase::close);
    }

    @ParameterizedTest
    @CsvSource({
        "JpaApprovals, FIND, a-77",
        "ApprovalRegister, REGISTER, a-77",
        "JpaApprovals, DECIDE, a-78",
        "JpaApprovals, WITHDRAW, a-77",
        "ApprovalConsume, CONSUME, a-77",
        "ApprovalDispatch, DISPATCH, a-77",
        "ApprovalLists, WITHDRAW_EXPIRED, ",
        "JpaRunLeases, CLAIM, run-77",
        "JournalOpen, OPEN, fresh",
    })
    void ofALongScopeThatIsNewOneApprovalIsRead(String owner, String field, String id) throws Exception {
        for (TestDatabase database : List.of(analyzed, notAnalyzed)) {
            try (Holdfast holdfast = Holdfast.open(database.dataSource())) {
                for (String mode : Plan.MODES) {
                    Plan plan = Plan.of(database, holdfast, mode, owner, field, values(id), NUMBERS);
                    assertThat(plan.text()).contains("approval");
                    assertThat(plan.blocks()).as(mode + "\n" + plan.text()).isLessThan(150);
                }
            }
        }
    }

    private static Map<String, String> values(String id) {
        Map<String, String> values = new HashMap<>(Map.of(
                "scope",
                "'long'",
                "id",
                "'" + id + "'",
                "run",
                "'run-77'",
                "digest",
                "repeat('0', 64)",
                "owner",
                "'w'"));
        values.putAll(Map.of("token", "1", "step", "'a#1'", "by", "'ann'", "reason", "''", "decided", "'approved'"));
        values.putAll(Map.of("payload", "'1'", "limit", "10", "status", "'pending'", "at", "'-infinity'"));
        values.putAll(Map.of("effect", "repeat('f', 64)", "key", "'new'", "class", "'idempotent'", "event", "'{}'"));
        values.putAll(Map.of("known_version", "1", "ttl", "60000", "state_version", "1", "kind", "'agent'"));
        values.putAll(Map.of("state", "'{}'", "origin", "'{}'"));
        return values;
    }

    @Test
    void aWholeKeyLeadsAlongTheIndexOfTheKey() throws Exception {
        List<String> astray = new ArrayList<>();
        try (var connection = empty.connect();
                var session = connection.createStatement()) {
            session.execute("set enable_seqscan = off");
            session.execute("set enable_bitmapscan = off");
            session.execute("set plan_cache_mode = force_generic_plan");
            for (String[] key : keys()) {
                session.execute(
                        "prepare keyed (" + key[2] + ") as select from holdfast." + key[0] + " where " + key[3]);
                var plan = new StringBuilder();
                try (var lines =
                        session.executeQuery("explain execute keyed (" + key[2].replaceAll("[^,]+", "null") + ")")) {
                    while (lines.next()) {
                        plan.append(lines.getString(1)).append('\n');
                    }
                }
                if (!plan.toString().contains(" using " + key[1] + " ")) {
                    astray.add(key[0] + "\n" + plan);
                }
                session.execute("deallocate keyed");
            }
        }
        assertThat(astray).isEmpty();
    }

    /** Of every table but labels, of which nobody looks for one, and those where functions that sort nothing do: its name, its key's, the types of that and what it asks for. */
    private static List<String[]> keys() throws SQLException {
        List<String[]> keys = new ArrayList<>();
        try (var connection = empty.connect();
                var session = connection.createStatement();
                var rows = session.executeQuery("""
                        select t.relname, k.relname, string_agg(format_type(a.atttypid, a.atttypmod), ', ' order by c.place),
                               string_agg(a.attname || ' = $' || c.place, ' and ' order by c.place)
                          from pg_class t join pg_index i on i.indrelid = t.oid and i.indisprimary join pg_class k on k.oid = i.indexrelid
                         cross join unnest(i.indkey) with ordinality as c (attnum, place)
                          join pg_attribute a on a.attrelid = t.oid and a.attnum = c.attnum
                         where t.relnamespace = 'holdfast'::regnamespace and t.relname not like 'schema_history%'
                           and t.relname not in ('execution_step', 'execution_effect', 'workflow_label')
                         group by t.relname, k.relname
                        """)) {
            while (rows.next()) {
                keys.add(new String[] {rows.getString(1), rows.getString(2), rows.getString(3), rows.getString(4)});
            }
        }
        assertThat(keys).hasSizeGreaterThan(10);
        return keys;
    }
}
