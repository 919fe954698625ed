package io.holdfast.repository;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Scope;
import io.holdfast.agent.AgentPhase;
import io.holdfast.agent.AgentState;
import io.holdfast.agent.Ended;
import io.holdfast.agent.Saved;
import io.holdfast.checkpoint.Checkpoint;
import io.holdfast.checkpoint.CheckpointCreation;
import io.holdfast.checkpoint.Definition;
import io.holdfast.checkpoint.DefinitionHash;
import io.holdfast.checkpoint.Fork;
import io.holdfast.checkpoint.Purged;
import io.holdfast.checkpoint.RunStart;
import io.holdfast.checkpoint.SavedCheckpoint;
import io.holdfast.checkpoint.Saving;
import io.holdfast.codec.Document;
import io.holdfast.idempotency.Completion;
import io.holdfast.idempotency.KeepFor;
import io.holdfast.idempotency.KeyClaim;
import io.holdfast.idempotency.Reservation;
import io.holdfast.lease.Acquisition;
import io.holdfast.lease.Fence;
import io.holdfast.lease.LeaseKey;
import io.holdfast.lease.Renewal;
import io.holdfast.run.Append;
import io.holdfast.run.Run;
import io.holdfast.run.RunChange;
import io.holdfast.run.RunCreation;
import io.holdfast.run.RunUpdate;
import io.holdfast.session.Message;
import io.holdfast.session.SessionSave;
import io.holdfast.step.Begun;
import io.holdfast.step.Finished;
import io.holdfast.step.Step;
import io.holdfast.step.StepResult.LeaseAfter;
import io.holdfast.testing.TestDatabase;
import io.holdfast.workflow.Cancellation;
import io.holdfast.workflow.Creation;
import io.holdfast.workflow.Update;
import io.holdfast.workflow.Workflow;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.PersistenceConfiguration;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.hibernate.Session;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What a call on leases, keys, workflows, steps, checkpoints, runs, agents or transcripts reads of a scope that holds thousands of them while the planner expects
 * one: what it shows or writes. What foreign keys look at is counted too.
 */
class LargeScopePlanTest {

    private static final int ROWS = 30_000;
    private static final String ONE = "r15000";
    private static final Fence FENCE = new Fence("w", 1);
    private static final Definition DEFINITION = Definition.of(new DefinitionHash("ab".repeat(32)));
    private static final Checkpoint FIRST = Checkpoint.first(DEFINITION, "a", Document.EMPTY);
    private static final AgentState STATE = AgentState.of(AgentPhase.MODEL_NEXT, "{\"run_id\":\"" + ONE + "\"}");
    private static final List<Message> HELLO = List.of(Message.of("user", "hello"));

    /** What the planner was told of the tables. */
    enum Known {
        THAT_ANOTHER_SCOPE_HAS_IT_ALL("'other'"),
        THAT_EACH_SCOPE_HAS_ONE("'t' || g"),
        NOTHING("");

        private final String scope;

        Known(String scope) {
            this.scope = scope;
        }
    }

    private record Call(String name, Class<?> answer, Function<Stores, Object> call) {}

    private static final LeaseKey NEW = LeaseKey.ofWorkflow("new");
    private static final Step STEP = new Step(ONE, ONE, "req-1");
    private static final LeaseKey WORKFLOW = LeaseKey.ofWorkflow(ONE);
    private static final KeyClaim CLAIM = new KeyClaim(ONE, ONE, 1);

    private static final List<Call> CALLS = List.of(
            new Call("leases.acquire", Acquisition.Granted.class, s -> acquire(s, WORKFLOW)),
            new Call("leases.acquire for the first time", Acquisition.Granted.class, s -> acquire(s, NEW)),
            new Call("leases.renew", Renewal.Renewed.class, s -> s.leases().renew(WORKFLOW, FENCE)),
            new Call("leases.renewAll", Map.class, s -> s.leases().renewAll(Map.of(WORKFLOW, FENCE))),
            new Call("leases.release", Boolean.class, s -> s.leases().release(WORKFLOW, FENCE)),
            new Call("leases.find", Optional.class, s -> s.leases().find(WORKFLOW)),
            new Call("keys.reserve", Reservation.New.class, s -> reserve(s, "new", ONE)),
            new Call("keys.reserve again", Reservation.InProgress.class, s -> reserve(s, ONE, ONE)),
            new Call("keys.reserve what has lapsed", Reservation.New.class, s -> reserve(s, "lapsed", "gone")),
            new Call(
                    "keys.complete",
                    Completion.Done.class,
                    s -> s.idempotencyKeys().complete(CLAIM, Worker.OUTCOME)),
            new Call(
                    "keys.completeFenced",
                    Completion.Done.class,
                    s -> s.idempotencyKeys().completeFenced(CLAIM, Worker.OUTCOME, FENCE)),
            new Call("keys.find", Optional.class, s -> s.idempotencyKeys().find(ONE)),
            new Call(
                    "workflows.create",
                    Creation.Created.class,
                    s -> s.workflows().create(new Worker(s, "new").first(), Map.of("team", "blue"))),
            new Call(
                    "workflows.create again",
                    Creation.AlreadyCreated.class,
                    s -> s.workflows().create(new Worker(s, ONE).first(), Map.of())),
            new Call("workflows.find", Optional.class, s -> s.workflows().find(ONE)),
            new Call(
                    "workflows.update",
                    Update.Updated.class,
                    s -> s.workflows().update(workflow(s), Worker.queued(workflow(s)))),
            new Call(
                    "workflows.updateFenced",
                    Update.Updated.class,
                    s -> s.workflows().updateFenced(workflow(s), Worker.queued(workflow(s)), FENCE)),
            new Call(
                    "workflows.requestCancel",
                    Cancellation.Requested.class,
                    s -> s.workflows().requestCancel(ONE, "enough")),
            new Call("workflows.list", List.class, s -> s.workflows().list("r2", 10)),
            new Call("steps.begin", Begun.New.class, s -> s.steps().begin(new Step(ONE, "new", "req-1"), FENCE)),
            new Call("steps.begin again", Begun.Resumed.class, s -> s.steps().begin(STEP, FENCE)),
            new Call(
                    "steps.finish",
                    Finished.Done.class,
                    s -> s.steps().finish(CLAIM, Worker.result(workflow(s)), FENCE)),
            new Call(
                    "steps.step",
                    Finished.Done.class,
                    s -> s.steps().step(new Step(ONE, "new", "req-1"), Worker.result(workflow(s)), FENCE)),
            new Call("runs.find", Optional.class, s -> s.runs().find(ONE)),
            new Call("runs.create", RunCreation.Created.class, s -> s.runs().create("new", Map.of(), Map.of())),
            new Call("runs.create again", RunCreation.Taken.class, s -> s.runs().create(ONE, Map.of("a", 1), Map.of())),
            new Call("runs.update", RunUpdate.Updated.class, s -> s.runs().update(run(s), RunChange.to("done"))),
            new Call("runs.append", Append.Appended.class, s -> s.runs().append(ONE, List.of(Map.of(), Map.of()))),
            new Call("runs.events", List.class, s -> s.runs().events(ONE, 0, 10)),
            new Call("runs.list", List.class, s -> s.runs().list("r2", 10)),
            new Call("sessions.find", Optional.class, s -> s.workspaceSessions().find(ONE)),
            new Call(
                    "sessions.save",
                    SessionSave.Saved.class,
                    s -> s.workspaceSessions().save(ONE, HELLO, 1)),
            new Call("sessions.list", List.class, s -> s.workspaceSessions().list("r2", 10)),
            new Call("agents.load", Optional.class, s -> s.agentCheckpoints().load(ONE)),
            new Call("agents.save", Saved.Done.class, s -> s.agentCheckpoints().save(ONE, 1, STATE, FENCE)),
            new Call("agents.pause", Saved.Done.class, s -> s.agentCheckpoints().pause(ONE, 1, STATE, FENCE)),
            new Call(
                    "agents.finish",
                    Ended.Done.class,
                    s -> s.agentCheckpoints().finish(ONE, LeaseAfter.RELEASE, FENCE)),
            new Call("agents.purge", Boolean.class, s -> s.agentCheckpoints().purge(ONE)),
            new Call("checkpoints.find", Optional.class, s -> s.checkpoints().find(ONE)),
            new Call(
                    "checkpoints.create",
                    CheckpointCreation.Created.class,
                    s -> s.checkpoints().create(RunStart.child(ONE, "b#1"), FIRST)),
            new Call(
                    "checkpoints.create again",
                    CheckpointCreation.AlreadyCreated.class,
                    s -> s.checkpoints().create(RunStart.of(ONE), FIRST)),
            new Call(
                    "checkpoints.fork",
                    CheckpointCreation.Created.class,
                    s -> s.checkpoints().create(RunStart.of("f").forked(new Fork(ONE, 1, 0, false)), FIRST)),
            new Call(
                    "checkpoints.save", Saving.Saved.class, s -> s.checkpoints().save(checkpoint(s), FIRST, FENCE)),
            new Call(
                    "checkpoints.overwrite",
                    Saving.Saved.class,
                    s -> s.checkpoints().overwrite(checkpoint(s), FIRST)),
            new Call("checkpoints.history", List.class, s -> s.checkpoints().history(ONE, 0, 10)),
            new Call("checkpoints.children", List.class, s -> s.checkpoints().children(ONE, "", 10)),
            new Call("checkpoints.identities", Map.class, s -> s.checkpoints().identities(List.of(ONE, "r7"))),
            new Call("checkpoints.purge", Purged.class, s -> s.checkpoints().purge(Duration.ZERO, 0, 10)));

    private static Acquisition acquire(Stores stores, LeaseKey key) {
        return stores.leases().acquire(key, FENCE.owner(), Worker.TTL);
    }

    private static Reservation reserve(Stores stores, String key, String workflow) {
        return stores.idempotencyKeys().reserve(key, "req-1", workflow, KeepFor.DEFAULT);
    }

    private static Workflow workflow(Stores stores) {
        return stores.workflows().find(ONE).orElseThrow();
    }

    private static Run run(Stores stores) {
        return stores.runs().find(ONE).orElseThrow();
    }

    private static SavedCheckpoint checkpoint(Stores stores) {
        return stores.checkpoints().find(ONE).orElseThrow();
    }

    /** So many rows of each table. */
    private static void fill(TestDatabase database, String scope, int rows) {
        String hash = "'" + DEFINITION.hash().hex() + "'";
        String from = " from generate_series(1, " + rows + ") g";
        String run = scope + ", 'r' || g";
        database.execute(
                "insert into holdfast.workflow (scope, id, request_id, status, revision, snapshot) select " + run
                        + ", 'req-1', 'created', 1, '{}'" + from,
                "insert into holdfast.idempotency_key (scope, key, reservation, request_id, workflow_id, status, expires_at)"
                        + " select " + run + ", 1, 'req-1', 'r' || g, 'reserved', now() + interval '1 hour'" + from,
                "insert into holdfast.lease (scope, kind, id, owner, token, ttl_ms, granted_at, expires_at) select "
                        + scope + ", 'workflow', 'r' || g, 'w', 1, 60000, now(), now() + interval '1 hour'" + from,
                "insert into holdfast.run (scope, id, status, input, state, metadata) select " + run
                        + ", 'running', '{}', '{}', '{}'" + from,
                "insert into holdfast.workspace_session (scope, id, message_count, payload) select " + run
                        + ", 0, '{\"messages\":[],\"revision\":1,\"schema_version\":1,\"session_id\":\"r' || g || '\"}'"
                        + from,
                "insert into holdfast.agent_checkpoint (scope, run_id, status, revision, phase, payload, token, created_at,"
                        + " updated_at) select " + run + ", 'running', 1, 'model_next', '{\"interruption\":"
                        + "\"{\\\"run_id\\\":\\\"r' || g || '\\\"}\",\"phase\":\"model_next\",\"schema_version\":1}', 1,"
                        + " now(), now()" + from,
                "insert into holdfast.checkpoint (scope, run_id, path, definition_hash, status, steps, revision,"
                        + " history_from) select " + run + ", 'r' || g || e'\\t', " + hash
                        + ", 'running', 0, 1, 1" + from,
                "insert into holdfast.checkpoint_entry (scope, run_id, revision, definition_hash, status, node, steps,"
                        + " state, details, saved_at) select " + run + ", 1, " + hash
                        + ", 'running', 'a', 0, '{}', '{}', now()" + from);
    }

    private static TestDatabase filled(Known known) {
        TestDatabase database = TestDatabase.migrated("large scope");
        for (String table : List.of(
                "workflow",
                "workflow_label",
                "idempotency_key",
                "lease_floor",
                "run",
                "run_event",
                "workspace_session",
                "agent_checkpoint",
                "checkpoint",
                "checkpoint_entry",
                "lease")) {
            database.execute("alter table holdfast." + table + " set (autovacuum_enabled = off)");
        }
        if (known != Known.NOTHING) {
            fill(database, known.scope, 5_000);
            database.execute("analyze");
        }
        fill(database, "'s'", ROWS);
        String part = "'s', '" + ONE + "/a#1', '" + ONE + "', e'" + ONE + "\\t/a\\tb1', '"
                + DEFINITION.hash().hex();
        database.execute(
                "insert into holdfast.checkpoint (scope, run_id, parent_run_id, path, definition_hash, status, steps, revision,"
                        + " history_from) values (" + part + "', 'completed', 0, 1, 1)",
                "insert into holdfast.lease_floor (scope) values ('s')",
                "insert into holdfast.idempotency_key (scope, key, reservation, request_id, workflow_id, status, expires_at)"
                        + " values ('s', 'lapsed', 1, 'other', 'gone', 'reserved', now() - interval '1 hour')",
                "delete from holdfast.workflow where scope = 's' and id = '" + ONE + "'",
                "insert into holdfast.lease (scope, kind, id, owner, token, ttl_ms, granted_at, expires_at)"
                        + " values ('s', 'run', '" + ONE + "', 'w', 1, 60000, now(), now() + interval '1 hour')");
        try (Holdfast holdfast = Holdfast.open(database.dataSource())) {
            new Worker(holdfast.in(Scope.of("s")), ONE).created();
        }
        return database;
    }

    @ParameterizedTest
    @EnumSource
    void aCallReadsOfALargeScopeWhatItShowsOrWrites(Known known) {
        try (TestDatabase database = filled(known);
                EntityManagerFactory factory = new PersistenceConfiguration("large scope")
                        .mappingFile("META-INF/holdfast-orm.xml")
                        .property("jakarta.persistence.nonJtaDataSource", database.dataSource())
                        .createEntityManagerFactory()) {
            List<String> astray = new ArrayList<>();
            for (String mode : Plan.MODES) {
                for (Call call : CALLS) {
                    long read = reading(factory, mode, call);
                    if (read > 60) {
                        astray.add(call.name() + ", " + mode + ": " + read);
                    }
                }
            }
            assertThat(astray).isEmpty();
        }
    }

    /** How many rows it reads; it is taken back. */
    private static long reading(EntityManagerFactory factory, String mode, Call call) {
        try (EntityManager manager = factory.createEntityManager()) {
            manager.getTransaction().begin();
            Stores stores = Holdfast.joining(manager).in(Scope.of("s"));
            value(manager, "select set_config('plan_cache_mode', '" + mode + "', true)");
            long before = read(manager);
            assertThat(call.call().apply(stores)).as(call.name()).isInstanceOf(call.answer());
            long after = read(manager);
            manager.getTransaction().rollback();
            return after - before;
        }
    }

    private static long read(EntityManager manager) {
        return Long.parseLong(value(
                manager,
                "select sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0)) from pg_stat_xact_user_tables"
                        + " where schemaname = 'holdfast'"));
    }

    private static String value(EntityManager manager, String query) {
        return manager.unwrap(Session.class).doReturningWork(connection -> {
            try (var statement = connection.createStatement();
                    var rows = statement.executeQuery(query)) {
                rows.next();
                return rows.getString(1);
            }
        });
    }
}
