package io.holdfast.repository;

import static io.holdfast.repository.Worker.OUTCOME;
import static io.holdfast.repository.Worker.TTL;
import static io.holdfast.repository.Worker.queued;
import static io.holdfast.repository.Worker.result;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.Scope;
import io.holdfast.agent.Ended;
import io.holdfast.agent.Saved;
import io.holdfast.approval.Consumption;
import io.holdfast.approval.Registration;
import io.holdfast.approval.Ruling;
import io.holdfast.approval.Withdrawal;
import io.holdfast.failure.OutcomeUnknownException;
import io.holdfast.failure.StoreUnavailableException;
import io.holdfast.idempotency.Completion;
import io.holdfast.idempotency.KeepFor;
import io.holdfast.idempotency.KeyClaim;
import io.holdfast.idempotency.Reservation;
import io.holdfast.lease.Acquisition;
import io.holdfast.lease.Fence;
import io.holdfast.lease.Renewal;
import io.holdfast.run.Append;
import io.holdfast.run.Run;
import io.holdfast.run.RunChange;
import io.holdfast.run.RunEvent;
import io.holdfast.run.RunUpdate;
import io.holdfast.run.Runs;
import io.holdfast.step.Begun;
import io.holdfast.step.Finished;
import io.holdfast.step.StepResult.LeaseAfter;
import io.holdfast.testing.ServerProxy;
import io.holdfast.testing.TestDatabase;
import io.holdfast.workflow.Cancellation;
import io.holdfast.workflow.Creation;
import io.holdfast.workflow.Update;
import io.holdfast.workflow.Workflow;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The connection breaks when the answer of a write is due: G-13, BL-41. Whether the server had it or not, the caller hears
 * the same, since nobody can know; and sending the call again is safe and tells.
 */
class UnknownOutcomeTest {

    private static final AtomicInteger NUMBER = new AtomicInteger();

    private static ServerProxy proxy;
    private static Holdfast committing;
    private static Holdfast withTransactions;
    private static HikariDataSource hosts;

    @BeforeAll
    static void open() {
        TestDatabase database = TestDatabase.get();
        proxy = ServerProxy.to(database);
        committing = Holdfast.open(
                Settings.of(proxy.url(), database.user(), database.password()).withPoolSize(1));
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(proxy.url());
        config.setUsername(database.user());
        config.setPassword(database.password());
        config.setMaximumPoolSize(1);
        config.setAutoCommit(false);
        hosts = new HikariDataSource(config);
        withTransactions = Holdfast.open(hosts);
    }

    @AfterAll
    static void close() {
        committing.close();
        withTransactions.close();
        hosts.close();
        proxy.close();
    }

    /**
     * A write, and what its repetition answers.
     *
     * @param sql what its statement, and no other, has in it
     * @param ifDone the answer to the repetition when the first call was carried out
     * @param ifNot the answer to it when it was not
     */
    record Write(String name, String sql, Object ifDone, Object ifNot, Function<Worker, Supplier<?>> prepare) {

        @Override
        public String toString() {
            return name;
        }
    }

    static final String OURS = "lock_timeout";

    private static Write write(String name, Object ifDone, Object ifNot, Function<Worker, Supplier<?>> prepare) {
        return new Write(name, OURS, ifDone, ifNot, prepare);
    }

    static Stream<Write> writes() {
        return Stream.concat(ofWorkers(), RunWrites.all());
    }

    private static Stream<Write> ofWorkers() {
        return Stream.of(
                write(
                        "create",
                        Creation.AlreadyCreated.class,
                        Creation.Created.class,
                        w -> () -> w.stores().workflows().create(w.first(), Map.of())),
                new Write("update", "set revision=", Update.AlreadyApplied.class, Update.Updated.class, w -> {
                    Workflow read = w.created();
                    return () -> w.stores().workflows().update(read, queued(read));
                }),
                write("fenced update", Update.AlreadyApplied.class, Update.Updated.class, w -> {
                    Workflow read = w.created();
                    Fence fence = w.acquired("a");
                    return () -> w.stores().workflows().updateFenced(read, queued(read), fence);
                }),
                write("request cancel", Cancellation.AlreadyRequested.class, Cancellation.Requested.class, w -> {
                    w.created();
                    return () -> w.stores().workflows().requestCancel(w.id(), "enough");
                }),
                // H23: the same owner is not locked out by the grant it never heard of.
                write(
                        "acquire",
                        2L,
                        1L,
                        w -> () -> ((Acquisition.Granted) w.stores().leases().acquire(w.lease(), "a", TTL))
                                .lease()
                                .fence()
                                .token()),
                write("renew", Renewal.Renewed.class, Renewal.Renewed.class, w -> {
                    Fence fence = w.acquired("a");
                    return () -> w.stores().leases().renew(w.lease(), fence);
                }),
                new Write("renew all", "unnest", Map.class, Map.class, w -> {
                    Fence fence = w.acquired("a");
                    return () -> w.stores().leases().renewAll(Map.of(w.lease(), fence));
                }),
                write("release", false, true, w -> {
                    Fence fence = w.acquired("a");
                    return () -> w.stores().leases().release(w.lease(), fence);
                }),
                write(
                        "reserve",
                        Reservation.InProgress.class,
                        Reservation.New.class,
                        w -> () -> w.stores().idempotencyKeys().reserve(w.key(), "req-1", w.id(), KeepFor.DEFAULT)),
                write(
                        "reserve without a workflow",
                        Reservation.InProgress.class,
                        Reservation.New.class,
                        w -> () -> w.stores().idempotencyKeys().reserve(w.key(), "req-1", KeepFor.DEFAULT)),
                write("complete", Completion.AlreadyCompleted.class, Completion.Done.class, w -> {
                    KeyClaim claim = w.reserved();
                    return () -> w.stores().idempotencyKeys().complete(claim, OUTCOME);
                }),
                write("fenced complete", Completion.AlreadyCompleted.class, Completion.Done.class, w -> {
                    KeyClaim claim = w.reserved();
                    Fence fence = w.acquired("a");
                    return () -> w.stores().idempotencyKeys().completeFenced(claim, OUTCOME, fence);
                }),
                new Write("begin", "step_begin_v1", Begun.Resumed.class, Begun.New.class, w -> {
                    Fence fence = w.acquired("a");
                    return () -> w.stores().steps().begin(w.step(), fence);
                }),
                new Write("finish", "step_finish_v1", Finished.AlreadyApplied.class, Finished.Done.class, w -> {
                    Workflow read = w.created();
                    Fence fence = w.acquired("a");
                    KeyClaim claim = w.begun(fence);
                    return () -> w.stores().steps().finish(claim, result(read), fence);
                }),
                new Write("step", "step_whole_v1", Finished.AlreadyApplied.class, Finished.Done.class, w -> {
                    Workflow read = w.created();
                    Fence fence = w.acquired("a");
                    return () -> w.stores().steps().step(w.step(), result(read), fence);
                }),
                write(
                        "register",
                        Registration.AlreadyRegistered.class,
                        Registration.Registered.class,
                        w -> () -> w.stores().approvals().register(w.request())),
                write("decide", Ruling.AlreadyDecided.class, Ruling.Decided.class, w -> {
                    w.registered();
                    return () -> w.stores().approvals().decide(w.id(), w.approval());
                }),
                write("consume", Consumption.AlreadyConsumed.class, Consumption.Consumed.class, w -> {
                    Fence fence = w.approved();
                    return () -> w.stores().approvals().consume(w.use(), fence);
                }),
                write("dispatch", Consumption.AlreadyConsumed.class, Consumption.Dispatched.class, w -> {
                    Fence fence = w.approved();
                    w.run();
                    return () -> w.stores().approvals().dispatch(w.call(), fence);
                }),
                write("withdraw", Withdrawal.AlreadyWithdrawn.class, Withdrawal.Withdrawn.class, w -> {
                    w.registered();
                    return () -> w.stores().approvals().withdraw(w.id(), "ann", "");
                }),
                write("save", Saved.AlreadyApplied.class, Saved.Done.class, w -> {
                    Fence fence = w.runAcquired();
                    return () -> w.stores().agentCheckpoints().save(w.id(), 0, w.agent(), fence);
                }),
                write("pause", Saved.AlreadyApplied.class, Saved.Done.class, w -> {
                    Fence fence = w.saved();
                    return () -> w.stores().agentCheckpoints().pause(w.id(), 1, w.agent(), fence);
                }),
                write("finish a run", Ended.AlreadyOver.class, Ended.Done.class, w -> {
                    Fence fence = w.saved();
                    return () -> w.stores().agentCheckpoints().finish(w.id(), LeaseAfter.RELEASE, fence);
                }));
    }

    @ParameterizedTest
    @MethodSource("writes")
    void aWriteThatWasCarriedOutRecognisesItsRepetition(Write write) {
        Supplier<?> call = prepared(committing, write);
        unknown(call, proxy.cutAfter(write.sql()));
        answers(call, write.ifDone());
    }

    @ParameterizedTest
    @MethodSource("writes")
    void aWriteThatNeverArrivedIsDoneByItsRepetition(Write write) {
        Supplier<?> call = prepared(committing, write);
        unknown(call, proxy.cutBefore(write.sql()));
        answers(call, write.ifNot());
    }

    @ParameterizedTest
    @MethodSource("writes")
    void aCommitThatWasCarriedOutIsRecognisedByItsRepetition(Write write) {
        Supplier<?> call = prepared(withTransactions, write);
        unknown(call, proxy.cutAtCommit(true));
        answers(call, write.ifDone());
    }

    @ParameterizedTest
    @MethodSource("writes")
    void aCommitThatNeverArrivedIsNotTakenForDone(Write write) {
        Supplier<?> call = prepared(withTransactions, write);
        unknown(call, proxy.cutAtCommit(false));
        answers(call, write.ifNot());
    }

    /** In a transaction nothing is in doubt before its commit. */
    @ParameterizedTest
    @MethodSource("writes")
    void aStatementThatBreaksBeforeItsCommitHasWrittenNothing(Write write) {
        Supplier<?> call = prepared(withTransactions, write);
        ServerProxy.Strike strike = proxy.cutAfter(write.sql());
        Thrown.by(call::get).is(StoreUnavailableException.class, true);
        assertThat(strike.happened()).isTrue();
        answers(call, write.ifNot());
    }

    /** The one write that is not recognised, as it says: who looks for the event first has it once. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anEventWhoseOutcomeIsUnknownIsToldByTheLogAndNotByItsRepetition(boolean arrived) {
        Worker worker = worker(committing);
        Run read = worker.started();
        Runs runs = worker.stores().runs();
        Map<String, Object> event = Map.of("note", "n-1");
        Supplier<?> append = () -> runs.append(read, List.of(event));
        unknown(append, arrived ? proxy.cutAfter(OURS) : proxy.cutBefore(OURS));
        List<RunEvent> since = runs.events(read.id(), read.lastSeq(), 10);
        assertThat(since)
                .hasSize(arrived ? 1 : 0)
                .allSatisfy(e -> assertThat(e.payload()).isEqualTo(event));
        if (!arrived) {
            answers(append, Append.Appended.class);
        }
        assertThat(runs.events(read.id(), 0, 10)).hasSize(1);
        answers(append, Append.Appended.class);
        assertThat(runs.events(read.id(), 0, 10)).as("repeated without a look").hasSize(2);
    }

    /** Who must not log twice, and does not want to look. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anEventOfAnUpdateWhoseOutcomeIsUnknownIsLoggedOnceHoweverOftenItIsRepeated(boolean arrived) {
        Worker worker = worker(committing);
        Run read = worker.started();
        Runs runs = worker.stores().runs();
        RunChange noted = RunChange.to(read.status()).logging(Map.of("note", "n-1"));
        Supplier<?> update = () -> runs.update(read, noted);
        unknown(update, arrived ? proxy.cutAfter(OURS) : proxy.cutBefore(OURS));
        answers(update, arrived ? RunUpdate.AlreadyApplied.class : RunUpdate.Updated.class);
        answers(update, RunUpdate.AlreadyApplied.class);
        assertThat(runs.events(read.id(), 0, 10)).hasSize(1);
    }

    @Test
    void theOutcomeOfAtomicallyIsUnknownOnlyAtItsCommit() {
        Worker worker = worker(committing);
        Supplier<?> whole = () -> committing.atomically(bound -> {
            Worker inside = new Worker(bound.in(worker.stores().scope()), worker.id());
            inside.acquired("a");
            return inside.stores().workflows().create(inside.first(), Map.of());
        });
        unknown(whole, proxy.cutAtCommit(false));
        assertThat(worker.stores().workflows().find(worker.id())).isEmpty();
        unknown(whole, proxy.cutAtCommit(true));
        assertThat(worker.stores().workflows().find(worker.id())).isPresent();
        answers(whole, Creation.AlreadyCreated.class);
    }

    @Test
    void aReadIsNeverInDoubt() {
        Worker worker = worker(committing);
        worker.created();
        ServerProxy.Strike strike = proxy.cutAfter("snapshot");
        Thrown.by(() -> worker.stores().workflows().find(worker.id())).is(StoreUnavailableException.class, true);
        assertThat(strike.happened()).isTrue();
        assertThat(worker.stores().workflows().find(worker.id())).isPresent();
    }

    private static Worker worker(Holdfast holdfast) {
        Stores stores = holdfast.in(Scope.of("unknown-outcome"));
        new Worker(stores, "floor").acquired("a"); // the scope has its floor, so an acquire is one statement
        return new Worker(stores, "wf-" + NUMBER.incrementAndGet());
    }

    private static Supplier<?> prepared(Holdfast holdfast, Write write) {
        return write.prepare().apply(worker(holdfast));
    }

    static void unknown(Supplier<?> call, ServerProxy.Strike strike) {
        Thrown.by(call::get).is(OutcomeUnknownException.class, true);
        assertThat(strike.happened()).isTrue();
    }

    static void answers(Supplier<?> call, Object expected) {
        Object answer = call.get();
        if (expected instanceof Class<?> type) {
            assertThat(answer).isInstanceOf(type);
        } else {
            assertThat(answer).isEqualTo(expected);
        }
        if (answer instanceof Completion.AlreadyCompleted completed) {
            assertThat(completed.same()).isTrue();
        }
        if (answer instanceof Ruling.AlreadyDecided decided) {
            assertThat(decided.same()).isTrue();
        }
        if (answer instanceof Consumption.AlreadyConsumed consumed) {
            assertThat(consumed.same()).isTrue();
        }
    }
}
