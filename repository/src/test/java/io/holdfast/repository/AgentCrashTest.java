package io.holdfast.repository;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.HoldfastException;
import io.holdfast.Scope;
import io.holdfast.agent.AgentCheckpoint;
import io.holdfast.agent.AgentPhase;
import io.holdfast.agent.AgentState;
import io.holdfast.agent.Ended;
import io.holdfast.agent.Saved;
import io.holdfast.approval.ApprovalRequest;
import io.holdfast.approval.ApprovalState;
import io.holdfast.approval.ApprovalUse;
import io.holdfast.approval.Consumption;
import io.holdfast.approval.Decision;
import io.holdfast.approval.Decision.Verdict;
import io.holdfast.approval.Expiry;
import io.holdfast.journal.Committed;
import io.holdfast.journal.EffectClass;
import io.holdfast.journal.EffectEntry;
import io.holdfast.journal.Intent;
import io.holdfast.journal.JournalCommit;
import io.holdfast.journal.JournalEvent;
import io.holdfast.journal.NewRun;
import io.holdfast.journal.Opened;
import io.holdfast.journal.RunClaim;
import io.holdfast.journal.RunHead;
import io.holdfast.journal.RunKind;
import io.holdfast.journal.RunStatus;
import io.holdfast.journal.StepKey;
import io.holdfast.journal.StepOutcome;
import io.holdfast.lease.Fence;
import io.holdfast.step.StepResult.LeaseAfter;
import io.holdfast.testing.ServerProxy;
import io.holdfast.testing.TestDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * An agent from its first checkpoint to its end: it asks for an approval, pauses, is decided about, makes its call or does not,
 * and finishes. Checkpoint, journal and approval go into one transaction wherever they belong together. The connection breaks
 * before and after each statement of it, and another process goes on from what is stored: the end is the same, and the call
 * goes out under one key, or never.
 */
class AgentCrashTest {

    private static final AtomicInteger NUMBER = new AtomicInteger();
    private static final Duration TTL = Duration.ofMinutes(1);
    private static final String RUN = "run";
    private static final String DEFINITION = "d1";
    private static final StepKey CALL = StepKey.call(1, "c1");
    private static final ApprovalRequest REQUEST = ApprovalRequest.of("ap", RUN, "the call", Expiry.DEFAULT);

    private static ServerProxy proxy;
    private static Holdfast holdfast;

    @BeforeAll
    static void open() {
        TestDatabase database = TestDatabase.get();
        proxy = ServerProxy.to(database);
        holdfast = Holdfast.open(
                Settings.of(proxy.url(), database.user(), database.password()).withPoolSize(1));
    }

    @AfterAll
    static void close() {
        holdfast.close();
        proxy.close();
    }

    /** What is in the world besides the database: the person, and whoever receives the call. */
    private static final class World {

        private final Stores stores = holdfast.in(Scope.of("agent-crash-" + NUMBER.incrementAndGet()));
        private final Verdict verdict;
        private final Set<String> received = new HashSet<>();

        World(Verdict verdict) {
            this.verdict = verdict;
            new Worker(stores, "warm").acquired("warm"); // the scope has its floor
        }

        void decide() {
            String digest = REQUEST.digest();
            stores.approvals()
                    .decide("ap", new Decision(verdict, digest, "ann", Optional.empty(), "", Optional.empty()));
        }

        List<String> picture() {
            List<String> tables = List.of(
                    "select concat_ws(' ', status, verdict, decided_by, consumed_by) from holdfast.approval",
                    "select concat_ws(' ', status, watched, revision, state, steps, effects, events) from holdfast.execution",
                    "select string_agg(concat_ws(' ', ordinal, step_key, approval_id, outcome), ',' order by ordinal)"
                            + " from holdfast.execution_step",
                    "select string_agg(concat_ws(' ', ordinal, step_key, index, status), ',' order by ordinal)"
                            + " from holdfast.execution_effect",
                    "select string_agg(concat_ws(' ', sequence, type), ',' order by sequence) from holdfast.execution_event",
                    "select concat_ws(' ', status, revision, phase, payload) from holdfast.agent_checkpoint");
            return tables.stream()
                    .map(query -> String.valueOf(TestDatabase.get()
                            .value(query + " where scope = '" + stores.scope().id() + "'")))
                    .toList();
        }
    }

    /** One life of the agent's process; it knows nothing but what is stored. */
    private static final class Process {

        private final World world;
        private RunHead head;
        private Fence fence;

        Process(World world) {
            this.world = world;
        }

        void live() {
            while (takes()) {
                Optional<AgentCheckpoint> stored =
                        world.stores.agentCheckpoints().load(RUN);
                if (stored.isEmpty()) {
                    save(world.stores, 0, AgentPhase.MODEL_NEXT);
                } else {
                    goOn(stored.get());
                }
            }
        }

        /** Whether there is anything to do. */
        private boolean takes() {
            NewRun run = NewRun.of(RUN, RunKind.AGENT, DEFINITION, "{\"at\":0}");
            if (head == null && world.stores.journal().open(run, "worker", TTL) instanceof Opened.Done done) {
                head = done.head();
                fence = done.lease().fence();
                return true;
            }
            RunClaim claim = world.stores.runLeases().claim(RUN, "worker", TTL, DEFINITION);
            if (claim instanceof RunClaim.Granted granted) {
                head = granted.head();
                fence = granted.lease().fence();
                return true;
            }
            assertThat(claim).isInstanceOf(RunClaim.Finished.class);
            return false;
        }

        private void goOn(AgentCheckpoint at) {
            switch (at.state().phase()) {
                case MODEL_NEXT -> together(on -> ask(on, at));
                case PAUSED -> {
                    world.decide();
                    together(on -> begin(on, at));
                }
                case TOOLS_PENDING -> {
                    send();
                    together(on -> end(on, at));
                }
                case COMPLETED -> together(this::finish);
            }
        }

        private interface Part {
            void in(Stores stores);
        }

        private void together(Part part) {
            holdfast.atomically(bound -> {
                part.in(bound.in(world.stores.scope()));
                return true;
            });
        }

        private void ask(Stores on, AgentCheckpoint at) {
            on.approvals().register(REQUEST);
            save(on, at.revision(), AgentPhase.PAUSED);
            commit(
                    on,
                    JournalCommit.to(head)
                            .status(RunStatus.PAUSED)
                            .state("{\"at\":1}")
                            .event(new JournalEvent("run_paused", "{}")));
        }

        private void begin(Stores on, AgentCheckpoint at) {
            Consumption answer = on.approvals().consume(new ApprovalUse("ap", RUN, REQUEST.digest(), CALL), fence);
            if (answer instanceof Consumption.Consumed) {
                Intent intent = Intent.of(CALL, REQUEST.digest(), "key", EffectClass.IDEMPOTENT)
                        .under("ap");
                save(on, at.revision(), AgentPhase.TOOLS_PENDING);
                commit(
                        on,
                        JournalCommit.to(head)
                                .status(RunStatus.RUNNING)
                                .state("{\"at\":2}")
                                .intent(intent)
                                .effect(intent.pending())
                                .event(new JournalEvent("tool_dispatched", "{}")));
            } else {
                assertThat(answer).isInstanceOf(Consumption.Rejected.class);
                save(on, at.revision(), AgentPhase.COMPLETED);
                commit(on, JournalCommit.to(head).status(RunStatus.RUNNING).state("{\"at\":9}"));
            }
        }

        private void send() {
            world.received.add(world.stores.journal().effects(RUN, 0, 10).get(0).idempotencyKey());
        }

        private void end(Stores on, AgentCheckpoint at) {
            save(on, at.revision(), AgentPhase.COMPLETED);
            commit(
                    on,
                    JournalCommit.to(head)
                            .state("{\"at\":3}")
                            .outcome(StepOutcome.completed(CALL, "\"paid\""))
                            .effect(EffectEntry.confirmed(CALL, 0))
                            .event(new JournalEvent("tool_completed", "{}")));
        }

        private void finish(Stores on) {
            assertThat(on.agentCheckpoints().finish(RUN, LeaseAfter.KEEP, fence))
                    .isEqualTo(new Ended.Done());
            commit(
                    on,
                    JournalCommit.to(head).status(RunStatus.COMPLETED).event(new JournalEvent("run_completed", "{}")));
        }

        private void save(Stores on, long revision, AgentPhase phase) {
            AgentState state = AgentState.of(phase, "{\"run_id\":\"" + RUN + "\"}");
            assertThat(on.agentCheckpoints().save(RUN, revision, state, fence)).isEqualTo(new Saved.Done(revision + 1));
        }

        private void commit(Stores on, JournalCommit.Builder commit) {
            assertThat(on.journal().commit(fence, commit.build())).isInstanceOf(Committed.Done.class);
        }
    }

    @ParameterizedTest // W14, A21
    @EnumSource
    void theEndIsTheSameWhereverTheAgentDies(Verdict verdict) {
        World undisturbed = new World(verdict);
        proxy.reset();
        new Process(undisturbed).live();
        int statements = proxy.statements().size();
        List<String> whole = undisturbed.picture();
        Set<String> due = verdict == Verdict.APPROVED ? Set.of("key") : Set.of();
        assertThat(undisturbed.received).isEqualTo(due);
        assertThat(undisturbed.stores.approvals().find("ap").orElseThrow().state())
                .isEqualTo(verdict == Verdict.APPROVED ? ApprovalState.CONSUMED : ApprovalState.REJECTED);
        assertThat(statements).isGreaterThan(20);
        List<String> different = new ArrayList<>();
        for (int at = 0; at < statements; at++) {
            for (boolean after : new boolean[] {false, true}) {
                World world = new World(verdict);
                ServerProxy.Strike strike = proxy.cutAt(at, after);
                try {
                    new Process(world).live();
                } catch (HoldfastException died) {
                    assertThat(died.retryable())
                            .as("%d %s: %s", at, after, died)
                            .isTrue();
                }
                assertThat(strike.happened()).isTrue();
                new Process(world).live();
                if (!world.picture().equals(whole) || !world.received.equals(due)) {
                    different.add(at + (after ? " after " : " before ") + world.picture() + world.received);
                }
            }
        }
        assertThat(different).isEmpty();
    }
}
