package io.holdfast.repository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.holdfast.Scope;
import io.holdfast.agent.AgentCheckpoints;
import io.holdfast.agent.AgentPhase;
import io.holdfast.agent.AgentState;
import io.holdfast.agent.AgentStatus;
import io.holdfast.approval.ApprovalState;
import io.holdfast.approval.ApprovalUse;
import io.holdfast.approval.Approvals;
import io.holdfast.approval.ApprovedCall;
import io.holdfast.approval.Decision;
import io.holdfast.checkpoint.Checkpoint;
import io.holdfast.checkpoint.Checkpoints;
import io.holdfast.checkpoint.Definition;
import io.holdfast.checkpoint.DefinitionHash;
import io.holdfast.checkpoint.RunStart;
import io.holdfast.checkpoint.SavedCheckpoint;
import io.holdfast.cleanup.Cleanup;
import io.holdfast.cleanup.RetentionPace;
import io.holdfast.cleanup.RetentionPolicy;
import io.holdfast.codec.Document;
import io.holdfast.failure.InvalidValueException;
import io.holdfast.idempotency.IdempotencyKeys;
import io.holdfast.idempotency.KeepFor;
import io.holdfast.idempotency.KeyClaim;
import io.holdfast.journal.EffectClass;
import io.holdfast.journal.EffectId;
import io.holdfast.journal.ExecutionJournal;
import io.holdfast.journal.JournalCommit;
import io.holdfast.journal.NewRun;
import io.holdfast.journal.Resolution;
import io.holdfast.journal.RunKind;
import io.holdfast.journal.RunLeases;
import io.holdfast.journal.StepKey;
import io.holdfast.lease.Fence;
import io.holdfast.lease.Lease;
import io.holdfast.lease.LeaseKey;
import io.holdfast.lease.Leases;
import io.holdfast.run.Run;
import io.holdfast.run.RunChange;
import io.holdfast.run.Runs;
import io.holdfast.session.WorkspaceSessions;
import io.holdfast.state.WorkflowState;
import io.holdfast.step.Step;
import io.holdfast.step.StepResult;
import io.holdfast.step.StepResult.LeaseAfter;
import io.holdfast.step.Steps;
import io.holdfast.workflow.Workflow;
import io.holdfast.workflow.WorkflowFilter;
import io.holdfast.workflow.Workflows;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A null for any argument is refused with the argument's name, and nothing is sent. */
class NullArgumentsTest {

    private static final Instant AT = Instant.parse("2026-01-01T00:00:00Z");
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final String PRINT = "sha256:" + "a".repeat(64);
    private static final WorkflowState STATE = WorkflowState.create("wf-1", "req-1");
    private static final Workflow READ = new Workflow(STATE, 1, new UUID(0, 0), Optional.empty(), Map.of(), AT, AT);
    private static final StepResult RESULT = new StepResult(READ, STATE, PRINT, LeaseAfter.KEEP);
    private static final Step STEP = new Step("wf-1", "k", "req-1");
    private static final KeyClaim CLAIM = new KeyClaim("k", "wf-1", 1);
    private static final Fence FENCE = new Fence("worker", 1);
    private static final LeaseKey LEASE = LeaseKey.ofWorkflow("wf-1");
    private static final Lease HELD = new Lease(LEASE, FENCE, MINUTE, AT, AT, MINUTE);
    private static final Consumer<KeptLease> STOP = lost -> {};

    /** Whoever gets here has sent something. */
    private static final Transactions NOTHING_IS_SENT = new Transactions() {
        @Override
        public <R> R single(String operation, Effect effect, Function<Statements, R> work) {
            throw new AssertionError(operation + " was sent");
        }

        @Override
        public <R> R whole(String operation, Function<Statements, R> work) {
            throw new AssertionError(operation + " was sent");
        }

        @Override
        public boolean isCallers() {
            return false;
        }

        @Override
        public <R> R atomically(Function<Transactions, R> code) {
            throw new AssertionError("a transaction was begun");
        }
    };

    private static final Holdfast HOLDFAST = Holdfast.of(NOTHING_IS_SENT, () -> {});
    private static final Stores STORES = HOLDFAST.in(Scope.UNSCOPED);
    private static final DataSource SOURCE = untouched(DataSource.class);
    private static final EntityManagerFactory UNIT = untouched(EntityManagerFactory.class);
    private static final EntityManager MANAGER = untouched(EntityManager.class);

    private static <T> T untouched(Class<T> type) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, args) -> {
            throw new AssertionError(method + " was called");
        }));
    }

    record Call(String method, String argument, ThrowingCallable call) {
        @Override
        public String toString() {
            return method + "(" + argument + ")";
        }
    }

    private static Call of(String method, String argument, ThrowingCallable call) {
        return new Call(method, argument, call);
    }

    static Stream<Call> calls() {
        return Stream.of(
                        journal(),
                        facade(),
                        settings(),
                        keepers(),
                        workflows(),
                        leases(),
                        keys(),
                        steps(),
                        runs(),
                        sessions(),
                        approvals(),
                        agents(),
                        checkpoints())
                .flatMap(List::stream);
    }

    private static List<Call> journal() {
        ExecutionJournal journal = STORES.journal();
        RunLeases runs = STORES.runLeases();
        NewRun run = NewRun.of("run-1", RunKind.AGENT, "d", "{}");
        EffectId effect = new EffectId("a".repeat(64));
        Resolution found = Resolution.of(Resolution.Finding.FAILED, "somebody");
        return List.of(
                of("ExecutionJournal.open", "run", () -> journal.open(null, "worker", MINUTE)),
                of("ExecutionJournal.open", "owner", () -> journal.open(run, null, MINUTE)),
                of("ExecutionJournal.open", "ttl", () -> journal.open(run, "worker", null)),
                of("ExecutionJournal.find", "runId", () -> journal.find(null)),
                of(
                        "ExecutionJournal.commit",
                        "fence",
                        () -> journal.commit(
                                null, JournalCommit.toAny("run-1").cursor("x").build())),
                of("ExecutionJournal.commit", "entry", () -> journal.commit(FENCE, null)),
                of("ExecutionJournal.resolveEffect", "fence", () -> journal.resolveEffect(null, "r", effect, found)),
                of("ExecutionJournal.resolveEffect", "runId", () -> journal.resolveEffect(FENCE, null, effect, found)),
                of("ExecutionJournal.resolveEffect", "effect", () -> journal.resolveEffect(FENCE, "r", null, found)),
                of(
                        "ExecutionJournal.resolveEffect",
                        "resolution",
                        () -> journal.resolveEffect(FENCE, "r", effect, null)),
                of("ExecutionJournal.steps", "runId", () -> journal.steps(null, 0, 1)),
                of("ExecutionJournal.effects", "runId", () -> journal.effects(null, 0, 1)),
                of("ExecutionJournal.events", "runId", () -> journal.events(null, 0, 1)),
                of("ExecutionJournal.purge", "finishedFor", () -> journal.purge(null, 1)),
                of("RunLeases.claim", "runId", () -> runs.claim(null, "worker", MINUTE, "d")),
                of("RunLeases.claim", "owner", () -> runs.claim("r", null, MINUTE, "d")),
                of("RunLeases.claim", "ttl", () -> runs.claim("r", "worker", null, "d")),
                of("RunLeases.claim", "definitionDigest", () -> runs.claim("r", "worker", MINUTE, null)),
                of("RunLeases.recoverable", "after", () -> runs.recoverable(null, 1)));
    }

    private static List<Call> facade() {
        return List.of(
                of("Holdfast.open", "settings", () -> Holdfast.open((Settings) null)),
                of("Holdfast.open", "dataSource", () -> Holdfast.open((DataSource) null)),
                of("Holdfast.open", "dataSource", () -> Holdfast.open(null, Settings.DEFAULT)),
                of("Holdfast.open", "settings", () -> Holdfast.open(SOURCE, null)),
                of("Holdfast.over", "factory", () -> Holdfast.over(null)),
                of("Holdfast.over", "factory", () -> Holdfast.over(null, Settings.DEFAULT)),
                of("Holdfast.over", "settings", () -> Holdfast.over(UNIT, null)),
                of("Holdfast.jta", "factory", () -> Holdfast.jta(null)),
                of("Holdfast.jta", "factory", () -> Holdfast.jta(null, Settings.DEFAULT)),
                of("Holdfast.jta", "settings", () -> Holdfast.jta(UNIT, null)),
                of("Holdfast.joining", "entityManager", () -> Holdfast.joining(null)),
                of("Holdfast.joining", "entityManager", () -> Holdfast.joining(null, Settings.DEFAULT)),
                of("Holdfast.joining", "settings", () -> Holdfast.joining(MANAGER, null)),
                of("Holdfast.observed", "observer", () -> HOLDFAST.observed(null)),
                of("Holdfast.in", "scope", () -> HOLDFAST.in(null)),
                of("Holdfast.atomically", "code", () -> HOLDFAST.atomically(null)),
                of("Cleanup.pass", "cutoff", () -> HOLDFAST.cleanup().pass(null)),
                of("Cleanup.pass", "cutoff", () -> STORES.cleanup().pass(null)),
                of("Cleanup.plan", "policy", () -> HOLDFAST.cleanup().plan(null)),
                of("Cleanup.run", "policy", () -> HOLDFAST.cleanup().run(null, RetentionPace.DEFAULT, done -> {})),
                of("Cleanup.run", "pace", () -> HOLDFAST.cleanup().run(RetentionPolicy.DEFAULT, null, done -> {})),
                of(
                        "Cleanup.run",
                        "progress",
                        () -> HOLDFAST.cleanup().run(RetentionPolicy.DEFAULT, RetentionPace.DEFAULT, null)));
    }

    private static Settings settings(Optional<Endpoint> endpoint, io.holdfast.migrations.SchemaName schema) {
        return new Settings(endpoint, schema, 1, MINUTE.dividedBy(60), MINUTE, MINUTE, true, false);
    }

    private static List<Call> settings() {
        Settings usual = Settings.DEFAULT;
        LeaseKeeperSettings keeper = LeaseKeeperSettings.DEFAULT;
        return List.of(
                of("Endpoint", "url", () -> new Endpoint(null, "u", "p")),
                of("Endpoint", "user", () -> new Endpoint("jdbc:postgresql:x", null, "p")),
                of("Endpoint", "password", () -> new Endpoint("jdbc:postgresql:x", "u", null)),
                of("Settings", "endpoint", () -> settings(null, usual.schema())),
                of("Settings", "schema", () -> settings(Optional.empty(), null)),
                of("Settings.withEndpoint", "endpoint", () -> usual.withEndpoint(null)),
                of("Settings.withSchema", "schema", () -> usual.withSchema(null)),
                of("Settings.withConnectTimeout", "connectTimeout", () -> usual.withConnectTimeout(null)),
                of("Settings.withCheckoutTimeout", "checkoutTimeout", () -> usual.withCheckoutTimeout(null)),
                of("Settings.withCommandTimeout", "commandTimeout", () -> usual.withCommandTimeout(null)),
                of("LeaseKeeperSettings.withInterval", "interval", () -> keeper.withInterval(null)),
                of("LeaseKeeperSettings.withMargin", "margin", () -> keeper.withMargin(null)),
                of("LeaseKeeperSettings.withThreads", "threads", () -> keeper.withThreads(null)),
                of("LeaseKeeperSettings.withExecutor", "executor", () -> keeper.withExecutor(null)),
                of("LeaseKeeperSettings.withObserver", "observer", () -> keeper.withObserver(null)));
    }

    private static void kept(Consumer<LeaseKeeper> call) {
        try (LeaseKeeper keeper = LeaseKeeper.over(HOLDFAST)) {
            call.accept(keeper);
        }
    }

    private static List<Call> keepers() {
        LeaseKeeperSettings usual = LeaseKeeperSettings.DEFAULT;
        long now = System.nanoTime();
        return List.of(
                of("LeaseKeeper.open", "database", () -> LeaseKeeper.open(null)),
                of("LeaseKeeper.open", "database", () -> LeaseKeeper.open(null, usual)),
                of("LeaseKeeper.open", "settings", () -> LeaseKeeper.open(Settings.DEFAULT, null)),
                of("LeaseKeeper.open", "dataSource", () -> LeaseKeeper.open(null, Settings.DEFAULT, usual)),
                of("LeaseKeeper.open", "database", () -> LeaseKeeper.open(SOURCE, null, usual)),
                of("LeaseKeeper.open", "settings", () -> LeaseKeeper.open(SOURCE, Settings.DEFAULT, null)),
                of("LeaseKeeper.over", "own", () -> LeaseKeeper.over(null)),
                of("LeaseKeeper.over", "own", () -> LeaseKeeper.over(null, usual)),
                of("LeaseKeeper.over", "settings", () -> LeaseKeeper.over(HOLDFAST, null)),
                of("LeaseKeeper.acquire", "stores", () -> kept(k -> k.acquire(null, LEASE, "worker", MINUTE, STOP))),
                of("LeaseKeeper.acquire", "key", () -> kept(k -> k.acquire(STORES, null, "worker", MINUTE, STOP))),
                of("LeaseKeeper.acquire", "owner", () -> kept(k -> k.acquire(STORES, LEASE, null, MINUTE, STOP))),
                of("LeaseKeeper.acquire", "ttl", () -> kept(k -> k.acquire(STORES, LEASE, "worker", null, STOP))),
                of("LeaseKeeper.acquire", "onLost", () -> kept(k -> k.acquire(STORES, LEASE, "worker", MINUTE, null))),
                of("LeaseKeeper.keep", "stores", () -> kept(k -> k.keep(null, HELD, now, STOP))),
                of("LeaseKeeper.keep", "lease", () -> kept(k -> k.keep(STORES, null, now, STOP))),
                of("LeaseKeeper.keep", "onLost", () -> kept(k -> k.keep(STORES, HELD, now, null))));
    }

    private static List<Call> workflows() {
        Workflows workflows = STORES.workflows();
        return List.of(
                of("Workflows.create", "state", () -> workflows.create(null, Map.of())),
                of("Workflows.create", "labels", () -> workflows.create(STATE, null)),
                of("Workflows.create", "labels", () -> workflows.create(STATE, Collections.singletonMap(null, "x"))),
                of("Workflows.create", "labels", () -> workflows.create(STATE, Collections.singletonMap("x", null))),
                of("Workflows.find", "id", () -> workflows.find(null)),
                of("Workflows.findCheckpoint", "id", () -> workflows.findCheckpoint(null, "req-1")),
                of("Workflows.findCheckpoint", "requestId", () -> workflows.findCheckpoint("wf-1", null)),
                of("Workflows.update", "read", () -> workflows.update(null, STATE)),
                of("Workflows.update", "next", () -> workflows.update(READ, null)),
                of("Workflows.updateFenced", "read", () -> workflows.updateFenced(null, STATE, FENCE)),
                of("Workflows.updateFenced", "next", () -> workflows.updateFenced(READ, null, FENCE)),
                of("Workflows.updateFenced", "fence", () -> workflows.updateFenced(READ, STATE, null)),
                of("Workflows.requestCancel", "id", () -> workflows.requestCancel(null, "")),
                of("Workflows.requestCancel", "reason", () -> workflows.requestCancel("wf-1", null)),
                of("Workflows.search", "filter", () -> workflows.search(null, Optional.empty(), 1)),
                of("Workflows.search", "after", () -> workflows.search(WorkflowFilter.ALL, null, 1)),
                of("Workflows.list", "after", () -> workflows.list(null, 1)));
    }

    private static List<Call> leases() {
        Leases leases = STORES.leases();
        return List.of(
                of("Leases.acquire", "key", () -> leases.acquire(null, "worker", MINUTE)),
                of("Leases.acquire", "owner", () -> leases.acquire(LEASE, null, MINUTE)),
                of("Leases.acquire", "ttl", () -> leases.acquire(LEASE, "worker", null)),
                of("Leases.renew", "key", () -> leases.renew(null, FENCE)),
                of("Leases.renew", "fence", () -> leases.renew(LEASE, null)),
                of("Leases.renewAll", "held", () -> leases.renewAll(null)),
                of("Leases.renewAll", "held", () -> leases.renewAll(Collections.singletonMap(null, FENCE))),
                of("Leases.renewAll", "held", () -> leases.renewAll(Collections.singletonMap(LEASE, null))),
                of("Leases.release", "key", () -> leases.release(null, FENCE)),
                of("Leases.release", "fence", () -> leases.release(LEASE, null)),
                of("Leases.find", "key", () -> leases.find(null)));
    }

    private static List<Call> keys() {
        IdempotencyKeys keys = STORES.idempotencyKeys();
        KeepFor ever = KeepFor.EVER;
        return List.of(
                of("IdempotencyKeys.reserve", "key", () -> keys.reserve(null, "req-1", "wf-1", ever)),
                of("IdempotencyKeys.reserve", "requestId", () -> keys.reserve("k", null, "wf-1", ever)),
                of("IdempotencyKeys.reserve", "workflowId", () -> keys.reserve("k", "req-1", null, ever)),
                of("IdempotencyKeys.reserve", "keepFor", () -> keys.reserve("k", "req-1", "wf-1", null)),
                of("IdempotencyKeys.reserve", "key", () -> keys.reserve(null, "req-1", ever)),
                of("IdempotencyKeys.reserve", "requestId", () -> keys.reserve("k", null, ever)),
                of("IdempotencyKeys.reserve", "keepFor", () -> keys.reserve("k", "req-1", null)),
                of("IdempotencyKeys.complete", "claim", () -> keys.complete(null, PRINT)),
                of("IdempotencyKeys.complete", "outcome", () -> keys.complete(CLAIM, null)),
                of("IdempotencyKeys.completeFenced", "claim", () -> keys.completeFenced(null, PRINT, FENCE)),
                of("IdempotencyKeys.completeFenced", "outcome", () -> keys.completeFenced(CLAIM, null, FENCE)),
                of("IdempotencyKeys.completeFenced", "fence", () -> keys.completeFenced(CLAIM, PRINT, null)),
                of("IdempotencyKeys.find", "key", () -> keys.find(null)));
    }

    private static List<Call> steps() {
        Steps steps = STORES.steps();
        return List.of(
                of("Steps.begin", "step", () -> steps.begin(null, FENCE)),
                of("Steps.begin", "fence", () -> steps.begin(STEP, null)),
                of("Steps.finish", "claim", () -> steps.finish(null, RESULT, FENCE)),
                of("Steps.finish", "result", () -> steps.finish(CLAIM, null, FENCE)),
                of("Steps.finish", "fence", () -> steps.finish(CLAIM, RESULT, null)),
                of("Steps.step", "step", () -> steps.step(null, RESULT, FENCE)),
                of("Steps.step", "result", () -> steps.step(STEP, null, FENCE)),
                of("Steps.step", "fence", () -> steps.step(STEP, RESULT, null)));
    }

    private static List<Call> runs() {
        Runs runs = STORES.runs();
        Run read = new Run("r", "running", 1, new UUID(0, 0), 0, Map.of(), Map.of(), Map.of(), AT, AT);
        return List.of(
                of("Runs.create", "id", () -> runs.create(null, Map.of(), Map.of())),
                of("Runs.create", "state", () -> runs.create("r", null, Map.of())),
                of("Runs.create", "metadata", () -> runs.create("r", Map.of(), null)),
                of("Runs.find", "id", () -> runs.find(null)),
                of("Runs.update", "read", () -> runs.update(null, RunChange.to("x"))),
                of("Runs.update", "change", () -> runs.update(read, null)),
                of("Runs.append", "read", () -> runs.append((Run) null, List.of(Map.of()))),
                of("Runs.append", "events", () -> runs.append(read, null)),
                of("Runs.append", "id", () -> runs.append((String) null, List.of(Map.of()))),
                of("Runs.append", "events", () -> runs.append("r", null)),
                of("Runs.append", "events[0]", () -> runs.append("r", Collections.singletonList(null))),
                of("Runs.events", "id", () -> runs.events(null, 0, 1)),
                of("Runs.list", "after", () -> runs.list(null, 1)));
    }

    private static List<Call> sessions() {
        WorkspaceSessions sessions = STORES.workspaceSessions();
        return List.of(
                of("WorkspaceSessions.find", "id", () -> sessions.find(null)),
                of("WorkspaceSessions.save", "id", () -> sessions.save(null, List.of(), 0)),
                of("WorkspaceSessions.save", "messages", () -> sessions.save("s", null, 0)),
                of("WorkspaceSessions.save", "messages", () -> sessions.save("s", Collections.singletonList(null), 0)),
                of("WorkspaceSessions.list", "after", () -> sessions.list(null, 1)));
    }

    private static List<Call> agents() {
        AgentCheckpoints agents = STORES.agentCheckpoints();
        AgentState state = AgentState.of(AgentPhase.MODEL_NEXT, "{\"run_id\":\"run-1\"}");
        return List.of(
                of("AgentCheckpoints.save", "run", () -> agents.save(null, 0, state, FENCE)),
                of("AgentCheckpoints.save", "state", () -> agents.save("run-1", 0, null, FENCE)),
                of("AgentCheckpoints.save", "fence", () -> agents.save("run-1", 0, state, null)),
                of("AgentCheckpoints.pause", "run", () -> agents.pause(null, 0, state, FENCE)),
                of("AgentCheckpoints.pause", "state", () -> agents.pause("run-1", 0, null, FENCE)),
                of("AgentCheckpoints.pause", "fence", () -> agents.pause("run-1", 0, state, null)),
                of("AgentCheckpoints.load", "run", () -> agents.load(null)),
                of("AgentCheckpoints.finish", "run", () -> agents.finish(null, LeaseAfter.KEEP, FENCE)),
                of("AgentCheckpoints.finish", "leaseAfter", () -> agents.finish("run-1", null, FENCE)),
                of("AgentCheckpoints.finish", "fence", () -> agents.finish("run-1", LeaseAfter.KEEP, null)),
                of("AgentCheckpoints.purge", "run", () -> agents.purge(null)),
                of("AgentCheckpoints.incomplete", "status", () -> agents.incomplete(null, Optional.empty(), 1)),
                of("AgentCheckpoints.incomplete", "after", () -> agents.incomplete(AgentStatus.RUNNING, null, 1)));
    }

    private static List<Call> approvals() {
        Approvals approvals = STORES.approvals();
        ApprovalUse use = new ApprovalUse("ap-1", "run-1", "a".repeat(64), StepKey.visit("a", 1));
        ApprovedCall call = ApprovedCall.of(use, EffectClass.IDEMPOTENT);
        Decision decision = Decision.approve("a".repeat(64), "ann");
        return List.of(
                of("Approvals.register", "request", () -> approvals.register(null)),
                of("Approvals.find", "id", () -> approvals.find(null)),
                of("Approvals.decide", "id", () -> approvals.decide(null, decision)),
                of("Approvals.decide", "decision", () -> approvals.decide("ap-1", null)),
                of("Approvals.dispatch", "call", () -> approvals.dispatch(null, FENCE)),
                of("Approvals.dispatch", "fence", () -> approvals.dispatch(call, null)),
                of("Approvals.consume", "use", () -> approvals.consume(null, FENCE)),
                of("Approvals.consume", "fence", () -> approvals.consume(use, null)),
                of("Approvals.withdraw", "id", () -> approvals.withdraw(null, "ann", "")),
                of("Approvals.withdraw", "by", () -> approvals.withdraw("ap-1", null, "")),
                of("Approvals.withdraw", "reason", () -> approvals.withdraw("ap-1", "ann", null)),
                of("Approvals.list", "state", () -> approvals.list(null, Optional.empty(), 1)),
                of("Approvals.list", "after", () -> approvals.list(ApprovalState.PENDING, null, 1)),
                of("Approvals.listOfRun", "run", () -> approvals.listOfRun(null, Optional.empty(), 1)),
                of("Approvals.listOfRun", "after", () -> approvals.listOfRun("run-1", null, 1)));
    }

    private static List<Call> checkpoints() {
        Checkpoints checkpoints = STORES.checkpoints();
        RunStart run = RunStart.of("r");
        Checkpoint first = Checkpoint.first(Definition.of(new DefinitionHash("ab".repeat(32))), "a", Document.EMPTY);
        SavedCheckpoint read = new SavedCheckpoint(run, first, 1, new UUID(0, 0), Optional.empty(), AT, AT);
        return List.of(
                of("Checkpoints.create", "run", () -> checkpoints.create(null, first)),
                of("Checkpoints.create", "first", () -> checkpoints.create(run, null)),
                of("Checkpoints.save", "read", () -> checkpoints.save(null, first, FENCE)),
                of("Checkpoints.save", "next", () -> checkpoints.save(read, null, FENCE)),
                of("Checkpoints.save", "fence", () -> checkpoints.save(read, first, null)),
                of("Checkpoints.overwrite", "read", () -> checkpoints.overwrite(null, first)),
                of("Checkpoints.overwrite", "next", () -> checkpoints.overwrite(read, null)),
                of("Checkpoints.find", "runId", () -> checkpoints.find(null)),
                of("Checkpoints.history", "runId", () -> checkpoints.history(null, 0, 1)),
                of("Checkpoints.children", "parentRunId", () -> checkpoints.children(null, "", 1)),
                of("Checkpoints.children", "after", () -> checkpoints.children("r", null, 1)),
                of("Checkpoints.identities", "runIds", () -> checkpoints.identities(null)),
                of("Checkpoints.identities", "runIds", () -> checkpoints.identities(Collections.singleton(null))),
                of("Checkpoints.incomplete", "after", () -> checkpoints.incomplete(null, 1)),
                of("Checkpoints.purge", "endedFor", () -> checkpoints.purge(null, 0, 1)));
    }

    @ParameterizedTest
    @MethodSource("calls")
    void aNullIsRefusedByTheArgumentsNameAndNothingIsSent(Call call) {
        assertThatExceptionOfType(InvalidValueException.class)
                .isThrownBy(call.call())
                .satisfies(refusal -> assertThat(refusal.field()).isEqualTo(call.argument()));
    }

    /** So that a method or an argument that is added is not forgotten above. */
    @Test
    void everyArgumentOfEveryPublicMethodIsTried() {
        Stream<String> arguments = Stream.of(
                        Workflows.class,
                        Leases.class,
                        IdempotencyKeys.class,
                        Steps.class,
                        Runs.class,
                        WorkspaceSessions.class,
                        Approvals.class,
                        AgentCheckpoints.class,
                        Checkpoints.class,
                        Cleanup.class,
                        Holdfast.class,
                        LeaseKeeper.class)
                .flatMap(type -> Stream.of(type.getDeclaredMethods()))
                .filter(method -> Modifier.isPublic(method.getModifiers()) && !method.isSynthetic())
                .flatMap(method -> Stream.of(method.getParameters())
                        .filter(parameter -> !parameter.getType().isPrimitive())
                        .map(parameter -> method.getDeclaringClass().getSimpleName() + "." + method.getName() + "("
                                + parameter.getName() + ")"));
        assertThat(calls().map(Call::toString)).containsAll(arguments.toList());
    }
}
