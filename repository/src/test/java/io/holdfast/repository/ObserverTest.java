package io.holdfast.repository;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.Scope;
import io.holdfast.cleanup.Cutoff;
import io.holdfast.failure.InvalidValueException;
import io.holdfast.failure.StoreUnavailableException;
import io.holdfast.idempotency.KeepFor;
import io.holdfast.lease.Lease;
import io.holdfast.testing.ServerProxy;
import io.holdfast.testing.TestDatabase;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What an observer is told, and that it makes no difference to the caller. */
class ObserverTest {

    private static final AtomicInteger NUMBER = new AtomicInteger();
    private static final TestDatabase DATABASE = TestDatabase.get();
    private static final Heard HEARD = new Heard();
    private static final Holdfast UNOBSERVED =
            Holdfast.open(Settings.of(DATABASE.url(), DATABASE.user(), DATABASE.password()));
    private static final Holdfast HOLDFAST = UNOBSERVED.observed(HEARD);

    /** By what {@link Operations} calls it. */
    private static final Map<String, String> TOLD = Map.ofEntries(
            entry("open a run", "journal.open done"),
            entry("open a run again", "journal.open conflict"),
            entry("claim a run", "journal.claim granted"),
            entry("claim a run that is held", "journal.claim busy"),
            entry("commit to a run", "journal.commit done"),
            entry("commit to a run again", "journal.commit repeated"),
            entry("commit to a run after a takeover", "journal.commit fenced"),
            entry("resolve an effect", "journal.resolveEffect done"),
            entry("find a journal", "journal.find done"),
            entry("list events of a run", "journal.events done"),
            entry("list runs to recover", "journal.recoverable done"),
            entry("purge runs", "journal.purge done"),
            entry("create", "workflow.create done"),
            entry("create again", "workflow.create repeated"),
            entry("create what is taken", "workflow.create conflict"),
            entry("find", "workflow.find done"),
            entry("find nothing", "workflow.find not_found"),
            entry("find checkpoint", "workflow.find done"),
            entry("update", "workflow.update done"),
            entry("update by an illegal move", "workflow.update conflict"),
            entry("update again", "workflow.update repeated"),
            entry("update of an old revision", "workflow.update conflict"),
            entry("fenced update", "workflow.updateFenced done"),
            entry("fenced update again", "workflow.updateFenced repeated"),
            entry("fenced update after a takeover", "workflow.updateFenced fenced"),
            entry("fenced update of an old revision", "workflow.updateFenced conflict"),
            entry("request cancel", "workflow.requestCancel done"),
            entry("request cancel again", "workflow.requestCancel repeated"),
            entry("list", "workflow.list done"),
            entry("acquire", "lease.acquire granted"),
            entry("acquire what was released", "lease.acquire granted"),
            entry("acquire what is held", "lease.acquire busy"),
            entry("renew", "lease.renew renewed"),
            entry("renew after a takeover", "lease.renew fenced"),
            entry("renew all", "lease.renewAll renewed"),
            entry("release", "lease.release done"),
            entry("find lease", "lease.find done"),
            entry("reserve", "key.reserve done"),
            entry("reserve again", "key.reserve busy"),
            entry("reserve for another request", "key.reserve conflict"),
            entry("reserve what is completed", "key.reserve repeated"),
            entry("complete", "key.complete done"),
            entry("complete otherwise", "key.complete conflict"),
            entry("fenced complete", "key.completeFenced done"),
            entry("find key", "key.find done"),
            entry("begin", "step.begin done"),
            entry("begin again", "step.begin resumed"),
            entry("begin what is done", "step.begin repeated"),
            entry("begin for another request", "step.begin conflict"),
            entry("begin after a takeover", "step.begin fenced"),
            entry("finish", "step.finish done"),
            entry("finish again", "step.finish repeated"),
            entry("finish on an old revision", "step.finish conflict"),
            entry("finish after a takeover", "step.finish fenced"),
            entry("create checkpoint", "checkpoint.create done"),
            entry("create checkpoint again", "checkpoint.create repeated"),
            entry("create checkpoint that is taken", "checkpoint.create conflict"),
            entry("create fork of nothing", "checkpoint.create not_found"),
            entry("save checkpoint", "checkpoint.save done"),
            entry("save checkpoint again", "checkpoint.save repeated"),
            entry("save checkpoint of an old revision", "checkpoint.save conflict"),
            entry("save checkpoint after a takeover", "checkpoint.save fenced"),
            entry("save checkpoint of what has ended", "checkpoint.save terminal"),
            entry("overwrite checkpoint", "checkpoint.overwrite done"),
            entry("find checkpointed run", "checkpoint.find done"),
            entry("history", "checkpoint.history done"),
            entry("children", "checkpoint.children done"),
            entry("identities", "checkpoint.identities done"),
            entry("incomplete", "checkpoint.incomplete done"),
            entry("purge checkpoints", "checkpoint.purge done"),
            entry("step", "step.step done"),
            entry("step again", "step.step repeated"),
            entry("step after a takeover", "step.step fenced"),
            entry("step for another request", "step.step conflict"),
            entry("step on an old revision", "step.step conflict"),
            entry("create run", "run.create done"),
            entry("create run again", "run.create repeated"),
            entry("create run that is taken", "run.create conflict"),
            entry("find run", "run.find done"),
            entry("update run", "run.update done"),
            entry("update run again", "run.update repeated"),
            entry("update run of an old revision", "run.update conflict"),
            entry("update run against its status", "run.update terminal"),
            entry("append to what was read", "run.append done"),
            entry("append", "run.append done"),
            entry("append to nothing", "run.append not_found"),
            entry("events", "run.events done"),
            entry("list runs", "run.list done"),
            entry("save session", "session.save done"),
            entry("save session again", "session.save repeated"),
            entry("save session of an old revision", "session.save conflict"),
            entry("save session anew", "session.save done"),
            entry("find session", "session.find done"),
            entry("list sessions", "session.list done"),
            entry("register", "approval.register done"),
            entry("register again", "approval.register repeated"),
            entry("find approval", "approval.find done"),
            entry("decide", "approval.decide done"),
            entry("decide again", "approval.decide repeated"),
            entry("consume", "approval.consume done"),
            entry("consume what nobody has decided", "approval.consume busy"),
            entry("dispatch without a run", "approval.dispatch conflict"),
            entry("dispatch", "approval.dispatch done"),
            entry("dispatch again", "approval.dispatch repeated"),
            entry("withdraw", "approval.withdraw done"),
            entry("withdraw what is over", "approval.withdrawExpired done"),
            entry("list approvals", "approval.list done"),
            entry("list approvals of a run", "approval.list done"),
            entry("save", "agent.save done"),
            entry("save the next", "agent.save done"),
            entry("save again", "agent.save repeated"),
            entry("save without a lease", "agent.save fenced"),
            entry("pause", "agent.pause done"),
            entry("load", "agent.load done"),
            entry("finish a run", "agent.finish done"),
            entry("purge", "agent.purge done"),
            entry("list incomplete runs", "agent.incomplete done"));

    @AfterAll
    static void close() {
        HOLDFAST.close();
    }

    @BeforeEach
    void nothingHeardYet() {
        HEARD.forget();
    }

    @ParameterizedTest
    @MethodSource("io.holdfast.repository.Operations#all")
    void everyOperationIsToldOnceWithItsOutcome(Operations.Case operation) {
        Worker worker = new Worker(HOLDFAST.in(Scope.of("observed")), "wf-" + NUMBER.incrementAndGet());
        new Worker(worker.stores(), "warm").acquired("warm"); // the scope has its floor
        Supplier<?> prepared = operation.prepare().apply(worker);
        HEARD.forget();
        assertThat(prepared.get()).isInstanceOf(operation.answer());
        assertThat(HEARD.ended).containsExactly(TOLD.get(operation.name()));
        assertThat(HEARD.begun).hasSize(1);
    }

    @Test
    void aTransactionIsToldAroundWhatIsDoneInIt() {
        Worker worker = fresh(HOLDFAST);
        HOLDFAST.atomically(bound -> new Worker(bound.in(worker.stores().scope()), "wf").created());
        assertThat(HEARD.begun).containsExactly("transaction", "workflow.create");
        assertThat(HEARD.ended).containsExactly("workflow.create done", "transaction done");
    }

    @Test
    void whatTheApplicationThrowsInATransactionIsARollback() {
        assertThatThrownBy(() -> HOLDFAST.atomically(bound -> {
                    throw new IllegalStateException("of the application");
                }))
                .hasMessage("of the application");
        assertThat(HEARD.ended).containsExactly("transaction rolled_back");
    }

    @Test
    void whatIsThrownIsToldByItsKind() {
        assertThatThrownBy(() -> fresh(HOLDFAST).stores().workflows().list("", 0))
                .isInstanceOf(InvalidValueException.class);
        Heard heard = new Heard();
        try (ServerProxy proxy = ServerProxy.to(DATABASE);
                Holdfast holdfast = Holdfast.open(Settings.of(proxy.url(), DATABASE.user(), DATABASE.password()))
                        .observed(heard)) {
            Stores stores = fresh(holdfast).stores();
            stores.workflows().find("wf");
            proxy.close();
            assertThatThrownBy(() -> stores.workflows().find("wf")).isInstanceOf(StoreUnavailableException.class);
        }
        assertThat(HEARD.ended).containsExactly("workflow.list invalid");
        assertThat(heard.ended).containsExactly("workflow.find not_found", "workflow.find unavailable");
    }

    @Test
    void askingAgainIsCounted() throws Exception {
        Worker worker = fresh(HOLDFAST);
        Scope scope = worker.stores().scope();
        // Asked without a floor, the floor made, asked again.
        worker.acquired("a");
        assertThat(HEARD.ended).containsExactly("lease.acquire granted after 3");
        HEARD.forget();
        try (var rival = DATABASE.connect();
                var statement = rival.createStatement()) {
            rival.setAutoCommit(false);
            statement.execute(
                    "insert into holdfast.idempotency_key (scope, key, reservation, request_id, workflow_id, status)"
                            + " values ('" + scope.id() + "', 'k', 1, 'req-2', 'wf-2', 'reserved')");
            var waiting = Background.run(
                    () -> worker.stores().idempotencyKeys().reserve("k", "req-1", "wf-1", KeepFor.DEFAULT));
            Background.awaitBlocked(rival);
            rival.commit();
            waiting.get();
        }
        assertThat(HEARD.ended).containsExactly("key.reserve conflict after 2");
        HEARD.forget();
        worker.stores().cleanup().pass(new Cutoff(Duration.ZERO, Duration.ZERO, 10));
        assertThat(HEARD.ended).containsExactly("cleanup.pass done");
    }

    @Test
    void anObserverThatFailsChangesNothing() {
        Observer broken = new Observer() {
            @Override
            public Call begins(Operation operation) {
                if (operation == Operation.WORKFLOW_FIND) {
                    throw new IllegalStateException("out of order");
                }
                return (outcome, attempts) -> {
                    throw new IllegalStateException("out of order");
                };
            }

            @Override
            public void waited(long nanos) {
                throw new IllegalStateException("out of order");
            }

            @Override
            public void keeps(LeaseKeeper keeper) {
                throw new IllegalStateException("out of order");
            }
        };
        Worker worker = fresh(HOLDFAST.observed(broken));
        assertThat(worker.created().id()).isEqualTo("wf");
        assertThat(worker.stores().workflows().find("wf")).isPresent();
        assertThat(HEARD.ended).containsExactly("workflow.create done", "workflow.find done");
        LeaseKeeper.over(HOLDFAST.observed(broken)).close();
    }

    @Test
    void whoIsNotAskedHearsNothing() {
        fresh(UNOBSERVED).created();
        assertThat(HEARD.begun).isEmpty();
    }

    @Test
    void aWaitForAConnectionOfTheOwnPoolIsTold() {
        int before = HEARD.waits.size();
        fresh(HOLDFAST).created();
        assertThat(HEARD.waits.subList(before, HEARD.waits.size()))
                .hasSizeGreaterThanOrEqualTo(1)
                .allMatch(nanos -> nanos >= 0);
    }

    @Test
    void closingAnObservedFacadeClosesWhatItStandsFor() {
        Holdfast plain = Holdfast.open(DATABASE.dataSource());
        Holdfast observed = plain.observed(new Heard());
        observed.close();
        plain.close();
        assertThatThrownBy(() -> plain.in(Scope.UNSCOPED)).isInstanceOf(StoreUnavailableException.class);
        assertThatThrownBy(() -> observed.in(Scope.UNSCOPED)).isInstanceOf(StoreUnavailableException.class);
    }

    @Test
    void aKeeperSaysHowItStandsAndWhatItLost() throws Exception {
        Heard heard = new Heard();
        try (KeeperScene scene = new KeeperScene();
                LeaseKeeper keeper = LeaseKeeper.over(scene.keepers, KeeperScene.QUICK.withObserver(heard))) {
            assertThat(heard.keepers).containsExactly(keeper);
            assertThat(keeper.state()).isEqualTo(new KeeperState(0, Duration.ZERO, Optional.empty()));
            try (KeptLease released = scene.kept(keeper, "released", KeeperScene.MINUTE)) {
                scene.kept(keeper, "lost", Duration.ofSeconds(30));
                KeeperState both = keeper.state();
                assertThat(both.held()).isEqualTo(2);
                assertThat(both.untilNextLoss().orElseThrow())
                        .isBetween(Duration.ofSeconds(20), Duration.ofSeconds(27));
                assertThat(released.isHeld()).isTrue();
                scene.takenOver("lost");
                assertThat(scene.nextTold()).isNotNull();
            }
            await().until(() -> !heard.lost.isEmpty()); // the worker is told first
            assertThat(heard.lost).containsExactly(KeptLease.End.LOST);
            assertThat(heard.ended).contains("lease.renewAll fenced");
            assertThat(keeper.state().held()).isZero();
        }
    }

    @Test
    void aKeeperWhoseDatabaseIsSilentLagsMoreAndMore() {
        try (KeeperScene scene = new KeeperScene();
                LeaseKeeper keeper = LeaseKeeper.over(scene.keepers, KeeperScene.QUICK)) {
            scene.kept(keeper, "one", Lease.MIN_TTL.multipliedBy(30));
            scene.proxy.delay(Duration.ofSeconds(20));
            await().until(() -> keeper.state().renewalLag().compareTo(Duration.ofSeconds(1)) > 0);
            scene.proxy.delay(Duration.ZERO);
        }
    }

    @Test
    void renewalsThatFailAtOnceAreOverdueAllTheSame() {
        try (KeeperScene scene = new KeeperScene();
                LeaseKeeper keeper = LeaseKeeper.over(scene.keepers, KeeperScene.QUICK)) {
            scene.kept(keeper, "one", Lease.MIN_TTL.multipliedBy(30));
            scene.proxy.close();
            await().until(() -> keeper.state().renewalLag().compareTo(Duration.ofSeconds(3)) > 0);
        }
    }

    private static Worker fresh(Holdfast holdfast) {
        return new Worker(holdfast.in(Scope.of("observed-" + UUID.randomUUID())), "wf");
    }
}
