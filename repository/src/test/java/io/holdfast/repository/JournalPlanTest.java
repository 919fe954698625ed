package io.holdfast.repository;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.Scope;
import io.holdfast.approval.ApprovalUse;
import io.holdfast.approval.ApprovedCall;
import io.holdfast.approval.Consumption;
import io.holdfast.journal.EffectClass;
import io.holdfast.journal.EffectId;
import io.holdfast.journal.JournalCommit;
import io.holdfast.journal.NewRun;
import io.holdfast.journal.Opened;
import io.holdfast.journal.RecoverableRun;
import io.holdfast.journal.Resolution;
import io.holdfast.journal.Resolution.Finding;
import io.holdfast.journal.Resolved;
import io.holdfast.journal.RunKind;
import io.holdfast.journal.RunLeases;
import io.holdfast.journal.RunStatus;
import io.holdfast.journal.StepKey;
import io.holdfast.lease.Fence;
import io.holdfast.testing.TestDatabase;
import java.lang.management.ManagementFactory;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What recovery and heartbeats cost, in a database that has seen a lot. */
class JournalPlanTest {

    private static final int FINISHED = 100_000;
    private static final int PAUSED = 5_000;
    private static final int LOOKS = 50; // the system counts processor time in steps of ten milliseconds
    private static final Scope SCOPE = Scope.of("busy");
    private static final String ANSWERED = "run-" + (FINISHED + PAUSED);

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
                "insert into holdfast.checkpoint (scope, run_id, path, definition_hash, status, steps, revision, history_from)"
                        + " select e.scope, e.id, e.id || chr(9), repeat('0', 64), case when e.watched then 'running'"
                        + " else 'completed' end, 1, 1, 1 from holdfast.execution e",
                "insert into holdfast.agent_checkpoint (scope, run_id, status, revision, phase, payload, created_at, updated_at)"
                        + " select e.scope, e.id, case e.status when 'completed' then 'finished' else e.status end, 1,"
                        + " case e.status when 'paused' then 'paused' when 'running' then 'model_next' end,"
                        + " case when e.status <> 'completed' then '{}' end, now(), now() from holdfast.execution e",
                "insert into holdfast.approval (scope, id, run_id, payload, digest, status, created_at, expires_at, verdict,"
                        + " decided_by, decided_reason, decided_at, consumed_by, consumed_token, consumed_at)"
                        + " select e.scope, 'ap-' || e.id, e.id, '1', repeat('0', 64), s.status, now(), now() + interval '1 hour',"
                        + " s.verdict, s.by, s.reason, s.at, s.by, s.token, s.at from holdfast.execution e"
                        + " join (values ('completed', 'consumed', 'approved', 'ann', '', now(), 1::bigint),"
                        + " ('paused', 'pending', null, null, null, null, null))"
                        + " s (of_run, status, verdict, by, reason, at, token) on s.of_run = e.status",
                "update holdfast.approval set status = 'rejected', verdict = 'rejected', decided_by = 'ann', decided_reason = '',"
                        + " decided_at = now() where run_id = '" + ANSWERED + "'",
                "insert into holdfast.execution_step (scope, run_id, ordinal, step_key, outcome, output, ended_at)"
                        + " select 'busy', 'run-' || g, 1, 's', 'completed', '1', now() from generate_series(1, 5000) g",
                "insert into holdfast.execution_effect (scope, run_id, ordinal, step_key, index, effect_id, idempotency_key, status,"
                        + " created_at, updated_at) select 'busy', 'run-' || g, 1, 's', 0, lpad('' || g, 64, '0'), 'k' || g, 'confirmed',"
                        + " now(), now() from generate_series(1, 5000) g",
                "analyze holdfast.execution",
                "analyze holdfast.execution_step",
                "analyze holdfast.execution_effect",
                "analyze holdfast.checkpoint",
                "analyze holdfast.agent_checkpoint",
                "analyze holdfast.approval",
                "analyze holdfast.lease");
    }

    @AfterAll
    static void close() {
        holdfast.close();
        database.close();
    }

    @Test // 3.9: one crashed run among a hundred thousand, and one of five thousand that wait was answered
    void theOneCrashedAndTheOneAnsweredRunAreFoundInTwentyMillisecondsAlongIndexes() throws Exception {
        try (HikariDataSource pool = pool();
                Holdfast pooled = Holdfast.open(pool)) {
            RunLeases runs = pooled.in(SCOPE).runLeases();
            Duration before = processorTime();
            for (int look = 0; look < LOOKS; look++) {
                var page = runs.recoverable("", 100);
                assertThat(page.next()).isEmpty();
                assertThat(page.runs()).extracting(RecoverableRun::id).containsExactly(ANSWERED, "run-77777-crashed");
            }
            assertThat(processorTime().minus(before).dividedBy(LOOKS))
                    .isBetween(Duration.ofNanos(1), Duration.ofMillis(20));
        }
        for (String mode : new String[] {"force_custom_plan", "force_generic_plan"}) {
            Map<String, String> values = Map.of("scope", "'busy'", "after", "''", "limit", "100", "look_at", "10000");
            Plan plan = Plan.of(
                    database, holdfast, mode, "RunRecovery", "RECOVERABLE", values, List.of("limit", "look_at"));
            assertThat(plan.text())
                    .contains(
                            "execution_watch",
                            "checkpoint_running",
                            "agent_checkpoint_recoverable",
                            "approval_unheard",
                            "approval_lapse",
                            "lease_pk",
                            "execution_pk")
                    .doesNotContain("Seq Scan");
        }
    }

    private static HikariDataSource pool() {
        HikariConfig config = new HikariConfig();
        config.setDataSource(database.dataSource());
        config.setMaximumPoolSize(1); // one server process for all looks
        return new HikariDataSource(config);
    }

    /** Of the server's processes for this database and of this thread: a clock would tell what else the machine does. */
    private static Duration processorTime() {
        String pids = database.value("select string_agg(pid::text, ',') from pg_stat_activity"
                + " where datname = current_database() and pid <> pg_backend_pid()");
        return Stream.of(requireNonNull(pids).split(","))
                .map(pid -> ProcessHandle.of(Long.parseLong(pid))
                        .flatMap(process -> process.info().totalCpuDuration())
                        .orElseThrow())
                .reduce(
                        Duration.ofNanos(ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime()),
                        Duration::plus);
    }

    /**
     * A run that has done a lot, in tables of which the planner knows that runs are short, and that this scope has next to
     * nothing: so all indexes that begin with either are as good to it.
     */
    private static void longRun(TestDatabase database, String scope) {
        String of = "'" + scope + "', 'run', ";
        database.execute(
                "insert into holdfast.execution (scope, id, kind, origin, definition_digest, status, state, state_version, steps,"
                        + " effects) values (" + of + "'agent', '{}', 'd', 'running', '{}', 1, 5000, 5000)",
                "insert into holdfast.lease (scope, kind, id, owner, token, ttl_ms, granted_at, expires_at)"
                        + " values ('" + scope + "', 'run', 'run', 'w', 1, 60000, now(), now() + interval '1 hour')",
                "insert into holdfast.execution_step (scope, run_id, ordinal, step_key, payload_digest, idempotency_key, effect_class,"
                        + " reservations, intended_at) select " + of
                        + "g, 's' || g, 'd', 'k' || g, 'idempotent', '[]', now()"
                        + " from generate_series(1, 5000) g",
                "insert into holdfast.execution_effect (scope, run_id, ordinal, step_key, index, effect_id, idempotency_key, status,"
                        + " created_at, updated_at) select " + of + "g, 's' || g, 0, lpad('' || g, 64, '0'), 'k' || g,"
                        + " case g when 42 then 'indeterminate' else 'pending' end, now(), now() from generate_series(1, 5000) g",
                "insert into holdfast.approval (scope, id, run_id, payload, digest, status, created_at, verdict, decided_by,"
                        + " decided_reason, decided_at, consumed_by, consumed_token, consumed_at) values"
                        + " ('" + scope
                        + "', 'used', 'run', '1', repeat('0', 64), 'consumed', now(), 'approved', 'ann', '', now(),"
                        + " 'approved', 1, now())",
                "insert into holdfast.approval (scope, id, run_id, payload, digest, status, created_at, verdict, decided_by,"
                        + " decided_reason, decided_at) values"
                        + " ('" + scope
                        + "', 'ready', 'run', '1', repeat('0', 64), 'approved', now(), 'approved', 'ann', '', now())");
    }

    @Test // however much the run has done, and whatever the planner has heard of it: here that runs are short
    void aCommitReadsOfALongRunWhatItWritesTo() throws Exception {
        readsLittle(database, "long");
    }

    @Test
    void aCommitReadsOfALongRunWhatItWritesToAlsoIfNobodyHasAnalyzedTheTables() throws Exception {
        try (TestDatabase fresh = TestDatabase.migrated("journal plan, not analyzed")) {
            readsLittle(fresh, "long");
        }
    }

    private static void readsLittle(TestDatabase database, String scope) throws SQLException {
        longRun(database, scope);
        String commit = "select verdict from holdfast.journal_commit_v1(null, '" + scope
                + "', 'run', 1, null, repeat('0', 64), 'w', 1, null, null,"
                + " false, null, null, false, '{s4711,new,approved}', array[null, 'd', repeat('0', 64)], '{NULL,new,approved}',"
                + " '{NULL,idempotent,idempotent}', '{NULL,NULL,used}', '{NULL,[],[]}', '{completed,NULL,NULL}', '{1,NULL,NULL}',"
                + " '{s4711,new,approved}', '{0,0,0}', array[lpad('4711', 64, '0'), repeat('f', 64), repeat('e', 64)],"
                + " '{confirmed,pending,pending}', '{NULL,new,approved}', '{NULL,NULL,NULL}', '{}', '{}')";
        String effect = "select status from holdfast.journal_effect_v1('" + scope + "', 'run', lpad('42', 64, '0'))";
        String taken = "select verdict from holdfast.journal_commit_v1(null, '" + scope
                + "', 'run', 1, null, repeat('0', 64), 'w', 1, null, null, false, null, null, false, '{late}', '{d}', '{late}',"
                + " '{idempotent}', '{NULL}', '{[]}', '{NULL}', '{NULL}', '{late}', '{0}', array[repeat('d', 64)], '{pending}',"
                + " '{k77}', '{NULL}', '{}', '{}')";
        for (String mode : Plan.MODES) {
            assertThat(reading(database, mode, commit, "DONE")).as(mode).isLessThan(20);
            assertThat(reading(database, mode, taken, "KEY")).as(mode).isLessThan(20);
            assertThat(reading(database, mode, effect, "indeterminate"))
                    .as(mode)
                    .isLessThan(20);
        }
    }

    /** How many rows of steps and effects it reads; it is taken back. */
    private static long reading(TestDatabase database, String mode, String query, String answer) throws SQLException {
        try (Connection connection = database.connect();
                var session = connection.createStatement()) {
            connection.setAutoCommit(false);
            session.execute("set plan_cache_mode = " + mode);
            assertThat(first(session, query)).isEqualTo(answer);
            return Long.parseLong(first(
                    session,
                    "select sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0)) from pg_stat_xact_user_tables"
                            + " where relname in ('execution_step', 'execution_effect')"));
        }
    }

    @Test
    void aDispatchAndAResolutionReadOfALongRunWhatTheyWriteTo() throws Exception {
        longRun(database, "longer");
        StepKey step = StepKey.visit("new", 1);
        EffectId inDoubt = new EffectId("0".repeat(62) + "42");
        Map<String, String> run = Map.of("scope", "'longer'", "owner", "'w'", "token", "1");
        Map<String, String> dispatch = new HashMap<>(run);
        dispatch.putAll(Map.of("id", "'ready'", "run", "'run'", "digest", "repeat('0', 64)", "step", "'" + step + "'"));
        dispatch.putAll(Map.of("effect", "repeat('f', 64)", "key", "'new'", "class", "'idempotent'", "event", "'{}'"));
        Map<String, String> resolve = new HashMap<>(run);
        resolve.putAll(Map.of("id", "'run'", "known_version", "1", "effect", "'" + inDoubt.hex() + "'"));
        resolve.putAll(Map.of("resolution", "'failed'", "actor", "'ann'", "type", "'resolved'", "event", "'{}'"));
        for (String mode : Plan.MODES) {
            for (Plan plan : List.of(
                    plan(mode, "ApprovalDispatch", "DISPATCH", dispatch),
                    plan(mode, "JournalResolve", "RESOLVE", resolve))) {
                assertThat(plan.rows()).as(mode + "\n" + plan.text()).isLessThan(20);
            }
        }
        Stores stores = holdfast.in(Scope.of("longer")); // what was looked at is what writes
        Fence fence = new Fence("w", 1);
        ApprovalUse use = new ApprovalUse("ready", "run", "0".repeat(64), step);
        assertThat(stores.approvals().dispatch(ApprovedCall.of(use, EffectClass.IDEMPOTENT), fence))
                .isInstanceOf(Consumption.Dispatched.class);
        assertThat(stores.journal().resolveEffect(fence, "run", inDoubt, Resolution.of(Finding.FAILED, "ann")))
                .isInstanceOf(Resolved.Done.class);
    }

    private static Plan plan(String mode, String owner, String field, Map<String, String> values) throws Exception {
        return Plan.of(database, holdfast, mode, owner, field, values, List.of("token", "known_version"));
    }

    private static String first(java.sql.Statement session, String query) throws SQLException {
        try (var rows = session.executeQuery(query)) {
            rows.next();
            return rows.getString(1);
        }
    }

    @Test // as many as recovery looks at, and one more
    void theLapsedRequestsOfFailedRunsHideNoneOfARunThatWaits() {
        Stores stores = holdfast.in(Scope.of("failed"));
        for (String id : List.of("failed", "waiting")) {
            var opened = (Opened.Done) stores.journal()
                    .open(NewRun.of(id, RunKind.AGENT, "digest", "{}"), "worker", Duration.ofMinutes(1));
            int requests = id.equals("failed") ? RunLeases.MAX_LOOKED_AT + 1 : 1;
            database.execute(
                    "insert into holdfast.approval (scope, id, run_id, payload, digest, status, created_at, expires_at)"
                            + " select 'failed', '" + id + "' || g, '" + id
                            + "', '1', repeat('0', 64), 'pending', now(), clock_timestamp()"
                            + " from generate_series(1, " + requests + ") g");
            RunStatus status = id.equals("failed") ? RunStatus.FAILED : RunStatus.PAUSED;
            stores.journal()
                    .commit(
                            opened.lease().fence(),
                            JournalCommit.to(opened.head()).status(status).build());
        }
        assertThat(stores.runLeases().recoverable("", 10).runs())
                .extracting(RecoverableRun::id)
                .containsExactly("waiting");
    }

    @Test // J20, hole 2
    void aRenewalOfARunWithALargeStateWritesLittle() throws Exception {
        Stores stores = holdfast.in(Scope.of("large"));
        var opened = (Opened.Done) stores.journal()
                .open(NewRun.of("run", RunKind.AGENT, "digest", largeState()), "worker", Duration.ofMinutes(1));
        Map<String, String> values = Map.of(
                "scope", "'large'",
                "kind", "'run'",
                "id", "'run'",
                "owner", "'worker'",
                "token", Long.toString(opened.lease().fence().token()));
        for (String mode : Plan.MODES) {
            Plan plan = Plan.of(database, holdfast, mode, "JpaLeases", "RENEW", values, List.of("token"));
            // The server's log would also tell what autovacuum writes. A page may be written whole.
            assertThat(plan.writtenBytes()).as(plan.text()).isBetween(1, 20_000);
        }
    }

    /** 300 KB that cannot be compressed. */
    private static String largeState() {
        var text = new StringBuilder("{\"s\":\"");
        new Random(1).longs(19_200).forEach(number -> text.append(String.format(Locale.ROOT, "%016x", number)));
        return text.append("\"}").toString();
    }
}
