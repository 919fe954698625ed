package io.holdfast.cli;

import static org.awaitility.Awaitility.await;

import io.holdfast.Scope;
import io.holdfast.agent.AgentPhase;
import io.holdfast.agent.AgentState;
import io.holdfast.approval.ApprovalRequest;
import io.holdfast.approval.ApprovalUse;
import io.holdfast.approval.ApprovedCall;
import io.holdfast.approval.Decision;
import io.holdfast.approval.Expiry;
import io.holdfast.idempotency.KeepFor;
import io.holdfast.journal.EffectClass;
import io.holdfast.journal.EffectEntry;
import io.holdfast.journal.JournalCommit;
import io.holdfast.journal.NewRun;
import io.holdfast.journal.Opened;
import io.holdfast.journal.RunKind;
import io.holdfast.journal.RunStatus;
import io.holdfast.journal.StepKey;
import io.holdfast.lease.Acquisition;
import io.holdfast.lease.Lease;
import io.holdfast.lease.LeaseKey;
import io.holdfast.repository.Holdfast;
import io.holdfast.repository.Stores;
import io.holdfast.session.Message;
import io.holdfast.state.WorkflowState;
import io.holdfast.testing.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;

/** A migrated database with rows in it, written by the library, as an application does. */
final class Rows implements AutoCloseable {

    static final Scope ACME = Scope.of("acme");

    final TestDatabase database;
    final Shell shell;
    private @Nullable Holdfast holdfast;

    private Rows(TestDatabase database) {
        this.database = database;
        this.shell = Shell.on(database);
    }

    /** The tables, and nothing in them. */
    static Rows none() {
        return new Rows(None.WRITTEN.copy("cli"));
    }

    static Rows usual() {
        return new Rows(Usual.WRITTEN.copy("cli"));
    }

    static Rows runs() {
        return new Rows(Runs.WRITTEN.copy("cli"));
    }

    // Each is written once in this JVM, and copied for whoever asks.

    private static final class None {
        static final TestDatabase WRITTEN = written(new Rows(TestDatabase.migrated("cli")), Rows::migrate);
    }

    private static final class Usual {
        static final TestDatabase WRITTEN = written(none(), Rows::withUsual);
    }

    private static final class Runs {
        static final TestDatabase WRITTEN = written(none(), Rows::withRuns);
    }

    private static TestDatabase written(Rows rows, Consumer<Rows> writing) {
        writing.accept(rows);
        rows.closeLibrary();
        return TestDatabase.lasting(rows.database);
    }

    private void migrate() {
        Shell.Result migrated = shell.run("db", "migrate");
        if (migrated.status() != 0) {
            throw new AssertionError(migrated.err());
        }
    }

    /** Opened by the first who asks: most tests look through the command line alone. */
    Stores acme() {
        if (holdfast == null) {
            holdfast = Holdfast.open(database.directDataSource());
        }
        return holdfast.in(ACME);
    }

    void workflow(String id) {
        Object created =
                acme().workflows().create(WorkflowState.create(id, "req-" + id), Map.of("customer", "harbour"));
        if (created == null) {
            throw new AssertionError();
        }
    }

    Lease lease(String id, String owner) {
        return ((Acquisition.Granted) acme().leases().acquire(LeaseKey.ofWorkflow(id), owner, Duration.ofMinutes(10)))
                .lease();
    }

    void key(String key, String workflow) {
        Object reserved = acme().idempotencyKeys().reserve(key, workflow, KeepFor.DEFAULT);
        if (reserved == null) {
            throw new AssertionError();
        }
        database.execute(
                "update holdfast.idempotency_key set workflow_id = '" + workflow + "' where key = '" + key + "'");
    }

    /** Three workflows, of which one is held, one was held, and one ended; a key of each. */
    Rows withUsual() {
        for (String id : new String[] {"order-1001", "order-1002", "order-1003"}) {
            workflow(id);
            key(id, id);
        }
        lease("order-1001", "worker-7");
        lease("order-1002", "worker-8");
        database.execute(
                "update holdfast.lease set granted_at = granted_at - interval '3 days',"
                        + " expires_at = expires_at - interval '3 days' where id = 'order-1002'",
                "update holdfast.idempotency_key set created_at = created_at - interval '9 days',"
                        + " expires_at = clock_timestamp() - interval '8 days' where key = 'order-1002'");
        return this;
    }

    /**
     * Runs: of {@code refund-1} nobody knows what came of its effect; the worker of {@code refund-2} died in mid-effect;
     * {@code refund-3} waits for a person; {@code refund-4} is done, long ago; {@code chat-1} is an agent whose worker died.
     */
    Rows withRuns() {
        Opened.Done first = open("refund-1");
        dispatched("refund-1", "ap-1", first);
        StepKey step = StepKey.visit("refund", 1);
        acme().journal()
                .commit(
                        first.lease().fence(),
                        JournalCommit.toAny("refund-1")
                                .effect(EffectEntry.indeterminate(step, 0))
                                .status(RunStatus.PAUSED)
                                .build());
        dispatched("refund-2", "ap-2", open("refund-2"));
        Opened.Done third = open("refund-3");
        registered("refund-3", "ap-3");
        end(third, "refund-3", RunStatus.PAUSED);
        end(open("refund-4"), "refund-4", RunStatus.COMPLETED);
        registered("refund-4", "ap-4");
        acme().approvals().withdraw("ap-4", "ann", "not needed");
        Lease chat = ((Acquisition.Granted)
                        acme().leases().acquire(LeaseKey.ofRun("chat-1"), "worker-9", Duration.ofMinutes(10)))
                .lease();
        acme().agentCheckpoints()
                .save("chat-1", 0, AgentState.of(AgentPhase.MODEL_NEXT, "{\"run_id\":\"chat-1\"}"), chat.fence());
        acme().runs().create("import-1", Map.of(), Map.of());
        acme().workspaceSessions().save("talk-1", List.of(Message.of("user", "hello")), 0);
        database.execute(
                "update holdfast.lease set granted_at = granted_at - interval '3 days',"
                        + " expires_at = expires_at - interval '3 days' where kind = 'run'",
                "update holdfast.execution set updated_at = updated_at - interval '3 days' where id <> 'refund-4'",
                "update holdfast.execution set updated_at = updated_at - interval '40 days' where id = 'refund-4'",
                "update holdfast.agent_checkpoint set updated_at = updated_at - interval '3 days'",
                "update holdfast.approval set consumed_at = consumed_at - interval '3 days' where status = 'consumed'",
                "update holdfast.approval set created_at = created_at - interval '100 days',"
                        + " withdrawn_at = withdrawn_at - interval '99 days' where id = 'ap-4'",
                "update holdfast.run set status = 'done', created_at = created_at - interval '41 days',"
                        + " updated_at = updated_at - interval '40 days'",
                "update holdfast.workspace_session set created_at = created_at - interval '100 days',"
                        + " updated_at = updated_at - interval '99 days'");
        return this;
    }

    private Opened.Done open(String run) {
        return (Opened.Done) acme().journal()
                .open(NewRun.of(run, RunKind.AGENT, "digest", "{}"), "worker-9", Duration.ofMinutes(10));
    }

    private void end(Opened.Done opened, String run, RunStatus status) {
        acme().journal()
                .commit(
                        opened.lease().fence(),
                        JournalCommit.toAny(run).status(status).build());
    }

    ApprovalRequest registered(String run, String approval) {
        ApprovalRequest request =
                ApprovalRequest.of(approval, run, Map.of("refund", approval), Expiry.after(Duration.ofDays(7)));
        acme().approvals().register(request);
        return request;
    }

    private void dispatched(String run, String approval, Opened.Done opened) {
        String digest = registered(run, approval).digest();
        acme().approvals().decide(approval, Decision.approve(digest, "ann"));
        ApprovalUse use = new ApprovalUse(approval, run, digest, StepKey.visit("refund", 1));
        acme().approvals()
                .dispatch(
                        ApprovedCall.of(use, EffectClass.NON_IDEMPOTENT),
                        opened.lease().fence());
    }

    @Override
    public void close() {
        closeLibrary();
        database.close();
    }

    private void closeLibrary() {
        if (holdfast != null) {
            holdfast.close();
        }
    }

    /** Somebody's statement first, in a transaction that commits once the command waits for it. */
    Shell.Result against(String sql, Supplier<Shell.Result> command) throws Exception {
        try (Connection rival = database.connect()) {
            rival.setAutoCommit(false);
            try (var statement = rival.createStatement()) {
                statement.execute(sql);
            }
            CompletableFuture<Shell.Result> waiting = CompletableFuture.supplyAsync(command);
            awaitBlocked(rival);
            rival.commit();
            return waiting.get(30, TimeUnit.SECONDS);
        }
    }

    private void awaitBlocked(Connection rival) throws SQLException {
        int pid = rival.unwrap(PGConnection.class).getBackendPID();
        String blocked = "select count(*) from pg_stat_activity where " + pid + " = any (pg_blocking_pids(pid))";
        await().atMost(Duration.ofSeconds(30))
                .pollInterval(Duration.ofMillis(5))
                .until(() -> "1".equals(database.value(blocked)));
    }
}
