package io.holdfast.repository;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.HoldfastException;
import io.holdfast.Scope;
import io.holdfast.approval.ApprovalRequest;
import io.holdfast.approval.ApprovalUse;
import io.holdfast.approval.ApprovedCall;
import io.holdfast.approval.Consumption;
import io.holdfast.approval.Decision;
import io.holdfast.approval.Expiry;
import io.holdfast.approval.Ruling;
import io.holdfast.journal.EffectClass;
import io.holdfast.journal.StepKey;
import io.holdfast.lease.Acquisition;
import io.holdfast.lease.Fence;
import io.holdfast.lease.LeaseKey;
import io.holdfast.testing.ServerProxy;
import io.holdfast.testing.TestDatabase;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Asked, decided, dispatched: the connection breaks before and after each statement, and somebody comes and begins at the
 * beginning. What is stored at the end is what would be without the crash, and the call goes out under one key, or never.
 */
class ApprovalCrashTest {

    private static final AtomicInteger NUMBER = new AtomicInteger();
    private static final Duration TTL = Duration.ofMinutes(1);
    private static final StepKey STEP = StepKey.visit("charge", 1);

    private static final String REGISTER = "'registered'";
    private static final String ACQUIRE = "lease_floor";
    private static final String DECIDE = "then 'decided'";
    private static final String DISPATCH = "then 'key_taken'";
    private static final String COMMIT = "commit";

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

    /** The moments at which a run that waits for somebody can die; each statement commits by itself. */
    record Crash(String statement, boolean after) {

        ServerProxy.Strike arm() {
            if (statement.equals(COMMIT)) {
                return proxy.cutAtCommit(after);
            }
            return after ? proxy.cutAfter(statement) : proxy.cutBefore(statement);
        }
    }

    private static Stream<Crash> each(String... statements) {
        return Stream.of(statements).flatMap(sql -> Stream.of(new Crash(sql, false), new Crash(sql, true)));
    }

    static Stream<Crash> crashes() {
        return each(REGISTER, ACQUIRE, DECIDE, DISPATCH);
    }

    static Stream<Crash> crashesInOneTransaction() {
        return each(ACQUIRE, DECIDE, DISPATCH, COMMIT);
    }

    /** One attempt after the other until one comes through; what went out, it adds. */
    private static final class Scene {

        private final Stores stores = holdfast.in(Scope.of("approval-crash-" + NUMBER.incrementAndGet()));
        private final Decision.Verdict verdict;
        private final Set<String> sent = new HashSet<>();

        Scene(Decision.Verdict verdict) {
            this.verdict = verdict;
            new Worker(stores, "run").run();
            new Worker(stores, "warm").acquired("warm"); // the scope has its floor
        }

        private ApprovalRequest request() {
            return ApprovalRequest.of("ap", "run", "the call", Expiry.DEFAULT);
        }

        private void register() {
            stores.approvals().register(request());
        }

        private Ruling decide(Stores on) {
            String digest = request().digest();
            return on.approvals()
                    .decide("ap", new Decision(verdict, digest, "ann", Optional.empty(), "", Optional.empty()));
        }

        private Fence acquire(Stores on) {
            return ((Acquisition.Granted) on.leases().acquire(LeaseKey.ofRun("run"), "worker", TTL))
                    .lease()
                    .fence();
        }

        private Consumption dispatch(Stores on, Fence fence) {
            ApprovalUse use = new ApprovalUse("ap", "run", request().digest(), STEP);
            return on.approvals().dispatch(ApprovedCall.of(use, EffectClass.IDEMPOTENT), fence);
        }

        /** Who has the approval sends; under the key that the journal has. */
        private void send(Consumption answer) {
            if (answer instanceof Consumption.Dispatched
                    || (answer instanceof Consumption.AlreadyConsumed already && already.same())) {
                sent.add(value("select idempotency_key from holdfast.execution_effect where scope = :scope"));
            } else {
                assertThat(answer).isInstanceOf(Consumption.Rejected.class);
            }
        }

        void attempt() {
            register();
            Fence fence = acquire(stores);
            decide(stores);
            send(dispatch(stores, fence));
        }

        void attemptInOneTransaction() {
            register();
            send(holdfast.atomically(bound -> {
                Stores on = bound.in(stores.scope());
                Fence fence = acquire(on);
                decide(on);
                return dispatch(on, fence);
            }));
        }

        String value(String query) {
            return TestDatabase.get()
                    .value(query.replace(":scope", "'" + stores.scope().id() + "'"));
        }

        /** All that is stored, but for times and tokens, which tell how often it was tried. */
        List<String> picture() {
            return Stream.of(
                            "select concat_ws(' ', status, verdict, decided_by, consumed_by) from holdfast.approval"
                                    + " where scope = :scope",
                            "select concat_ws(' ', status, watched, revision, steps, effects, events) from holdfast.execution"
                                    + " where scope = :scope",
                            "select string_agg(concat_ws(' ', ordinal, step_key, approval_id, outcome), ',')"
                                    + " from holdfast.execution_step where scope = :scope",
                            "select string_agg(concat_ws(' ', ordinal, step_key, index, status), ',')"
                                    + " from holdfast.execution_effect where scope = :scope",
                            "select string_agg(concat_ws(' ', sequence, type, payload), ',') from holdfast.execution_event"
                                    + " where scope = :scope")
                    .map(query -> String.valueOf(value(query)))
                    .toList();
        }

        void crashing(Crash crash, Runnable attempt) {
            ServerProxy.Strike strike = crash.arm();
            try {
                attempt.run();
            } catch (HoldfastException died) {
                assertThat(died.retryable()).isTrue();
            }
            assertThat(strike.happened()).isTrue();
        }
    }

    private static List<String> undisturbed(Decision.Verdict verdict) {
        Scene scene = new Scene(verdict);
        scene.attempt();
        return scene.picture();
    }

    @ParameterizedTest
    @MethodSource("crashes")
    void anApprovedCallIsDispatchedOnceWhereverTheRunDies(Crash crash) {
        Scene scene = new Scene(Decision.Verdict.APPROVED);
        scene.crashing(crash, scene::attempt);
        scene.attempt();
        assertThat(scene.picture()).isEqualTo(undisturbed(Decision.Verdict.APPROVED));
        assertThat(scene.sent).hasSize(1);
    }

    @ParameterizedTest // W14
    @MethodSource("crashes")
    void aRejectedCallIsNeverDispatchedWhereverTheRunDies(Crash crash) {
        Scene scene = new Scene(Decision.Verdict.REJECTED);
        scene.crashing(crash, scene::attempt);
        scene.attempt();
        assertThat(scene.picture()).isEqualTo(undisturbed(Decision.Verdict.REJECTED));
        assertThat(scene.sent).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("crashesInOneTransaction")
    void decisionLeaseAndDispatchInOneTransactionAreAllThereOrNone(Crash crash) {
        Scene scene = new Scene(Decision.Verdict.APPROVED);
        scene.register();
        List<String> before = scene.picture();
        scene.crashing(crash, scene::attemptInOneTransaction);
        List<String> whole = undisturbed(Decision.Verdict.APPROVED);
        boolean committed = crash.equals(new Crash(COMMIT, true));
        assertThat(scene.picture()).isEqualTo(committed ? whole : before);
        scene.attemptInOneTransaction();
        assertThat(scene.picture()).isEqualTo(whole);
        assertThat(scene.sent).hasSize(1);
    }
}
