package io.holdfast.repository.race;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.holdfast.HoldfastException;
import io.holdfast.cleanup.Cutoff;
import io.holdfast.failure.StoreTimeoutException;
import io.holdfast.failure.TransactionLostException;
import io.holdfast.idempotency.KeepFor;
import io.holdfast.lease.Acquisition;
import io.holdfast.lease.LeaseKey;
import io.holdfast.repository.Holdfast;
import io.holdfast.repository.Settings;
import io.holdfast.repository.Stores;
import io.holdfast.state.WorkflowState;
import io.holdfast.step.Step;
import io.holdfast.step.StepResult;
import io.holdfast.step.StepResult.LeaseAfter;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What a lost race does to an application's own transaction. */
@ExtendWith(Race.Parameter.class)
class CallerRaceTest {

    /** An operation that loses, if {@link #lose} comes before it. */
    private enum Operation {
        ACQUIRE {
            @Override
            Object run(Stores stores, Worker worker) {
                return stores.leases().acquire(worker.lease().key(), "c", Race.TTL);
            }
        },
        ACQUIRE_FIRST {
            @Override
            Object run(Stores stores, Worker worker) {
                return stores.leases().acquire(LeaseKey.ofWorkflow("fresh"), "c", Race.TTL);
            }
        },
        RENEW {
            @Override
            Object run(Stores stores, Worker worker) {
                return stores.leases()
                        .renew(worker.lease().key(), worker.lease().fence());
            }
        },
        RENEW_ALL {
            @Override
            Object run(Stores stores, Worker worker) {
                return stores.leases()
                        .renewAll(Map.of(worker.lease().key(), worker.lease().fence()));
            }
        },
        RELEASE {
            @Override
            Object run(Stores stores, Worker worker) {
                return stores.leases()
                        .release(worker.lease().key(), worker.lease().fence());
            }
        },
        CREATE {
            @Override
            Object run(Stores stores, Worker worker) {
                return stores.workflows().create(Worker.running("fresh"), Map.of());
            }
        },
        UPDATE {
            @Override
            Object run(Stores stores, Worker worker) {
                return stores.workflows().update(worker.read(), worker.checkpoint());
            }
        },
        UPDATE_FENCED {
            @Override
            Object run(Stores stores, Worker worker) {
                return worker.in(stores).update();
            }
        },
        REQUEST_CANCEL {
            @Override
            Object run(Stores stores, Worker worker) {
                return stores.workflows().requestCancel("wf", "late");
            }
        },
        RESERVE {
            @Override
            Object run(Stores stores, Worker worker) {
                return stores.idempotencyKeys().reserve("fresh", "late", "wf", KeepFor.DEFAULT);
            }
        },
        COMPLETE {
            @Override
            Object run(Stores stores, Worker worker) {
                return stores.idempotencyKeys().complete(worker.claim(), Worker.OUTCOME);
            }
        },
        BEGIN {
            @Override
            Object run(Stores stores, Worker worker) {
                return stores.steps().begin(worker.step(), worker.lease().fence());
            }
        },
        FINISH {
            @Override
            Object run(Stores stores, Worker worker) {
                return worker.in(stores).finish();
            }
        },
        STEP {
            @Override
            Object run(Stores stores, Worker worker) {
                return worker.in(stores).whole();
            }
        },
        FRESH_BEGIN {
            @Override
            Object run(Stores stores, Worker worker) {
                return stores.steps()
                        .begin(new Step("wf", "fresh", "req"), worker.lease().fence());
            }
        },
        FRESH_STEP {
            @Override
            Object run(Stores stores, Worker worker) {
                return stores.steps()
                        .step(
                                new Step("wf", "fresh", "req"),
                                new StepResult(worker.read(), worker.checkpoint(), Worker.OUTCOME, LeaseAfter.KEEP),
                                worker.lease().fence());
            }
        };

        abstract Object run(Stores stores, Worker worker);
    }

    private final Race race;

    CallerRaceTest(Race race) {
        this.race = race;
        RaceUnit.DATABASE.execute("create table if not exists public.race_note (scope text not null)");
    }

    /** Everything has another owner, another revision, another reservation by now, and what was free is taken. */
    private void lose() {
        race.sql("update holdfast.lease set owner = 'b', token = token + 1 where scope = :scope");
        race.sql("update holdfast.workflow set revision = revision + 1, status = 'closed' where scope = :scope");
        race.sql(
                "update holdfast.idempotency_key set reservation = reservation + 1, request_id = 'rival' where scope = :scope");
        race.granted("fresh", "b");
        race.stores.workflows().create(WorkflowState.create("fresh", "rival"), Map.of());
        race.stores.idempotencyKeys().reserve("fresh", "rival", "fresh", KeepFor.DEFAULT);
    }

    private void assertUsable(Caller caller) {
        caller.run("insert into public.race_note values (:scope)").commit();
        assertThat(race.value("select count(*) from public.race_note where scope = :scope"))
                .isEqualTo("1");
    }

    // BL-24
    @ParameterizedTest
    @EnumSource
    void atReadCommittedTheTransactionStaysUsableAfterALostRace(Operation operation) {
        Worker worker = Worker.at(race, "wf");
        Caller caller = race.caller().run("select count(*) from holdfast.lease");
        lose();
        String before = race.dump();
        Object answer = operation.run(caller.stores, worker);
        assertThat(answer.toString()).doesNotContain("Granted", "Renewed", "Created[", "Updated", "New[", "Done");
        assertUsable(caller);
        race.assertStands(before);
    }

    // BL-24: also when the race is one of inserts, where a constraint would be violated
    @ParameterizedTest
    @EnumSource(names = {"ACQUIRE_FIRST", "CREATE", "RESERVE", "FRESH_BEGIN", "FRESH_STEP"})
    void atReadCommittedTheTransactionStaysUsableAfterALostInsertThatWasWaitedFor(Operation operation) {
        Worker worker = Worker.at(race, "wf");
        Caller rival = race.caller();
        rival.stores.leases().acquire(race.key("fresh"), "b", Race.TTL);
        rival.stores.workflows().create(WorkflowState.create("fresh", "rival"), Map.of());
        rival.stores.idempotencyKeys().reserve("fresh", "rival", "fresh", KeepFor.DEFAULT);
        Caller caller = race.caller();
        Background<Object> waiting = race.inBackground(caller, () -> operation.run(caller.stores, worker));
        race.awaitBlocked(waiting);
        String stood = rival.commit();
        assertThat(waiting.result().toString()).containsAnyOf("Busy", "Taken", "Conflict");
        assertUsable(caller);
        race.assertStands(stood);
    }

    /** 55P03 is the server's bound on the wait itself; the driver's bound on the statement, in whole seconds, is 57014. */
    @ParameterizedTest
    @EnumSource(names = {"ACQUIRE_FIRST", "CREATE", "RESERVE", "FRESH_BEGIN", "FRESH_STEP"})
    void inATransactionOfOurOwnTheWaitForARivalsInsertIsBoundedToTheMillisecond(Operation operation) {
        Worker worker = Worker.at(race, "wf");
        Caller rival = race.caller();
        rival.stores.leases().acquire(race.key("fresh"), "b", Race.TTL);
        rival.stores.workflows().create(WorkflowState.create("fresh", "rival"), Map.of());
        rival.stores.idempotencyKeys().reserve("fresh", "rival", "fresh", KeepFor.DEFAULT);
        Stores hasty = Holdfast.over(RaceUnit.FACTORY, Settings.DEFAULT.withCommandTimeout(Duration.ofMillis(150)))
                .in(race.scope);
        assertThatThrownBy(() -> operation.run(hasty, worker))
                .isInstanceOfSatisfying(
                        StoreTimeoutException.class,
                        e -> assertThat(e.details()).containsEntry("sqlstate", "55P03"));
        rival.rollback();
    }

    /** Here the locks of the ordinary statement stay when the full one follows it. */
    @ParameterizedTest
    @EnumSource(names = {"FRESH_BEGIN", "FRESH_STEP"})
    void inATransactionTooLeasesAreLockedInTheOrderOfTheirKeysSoThatCrossedStepsDoNotDeadlock(Operation operation) {
        Worker worker = Worker.at(race, "wf");
        race.granted("dead", "x");
        race.stores.idempotencyKeys().reserve("fresh", "other", "dead", KeepFor.DEFAULT);
        race.expire("idempotency_key", "fresh");
        race.expire("lease", "dead");
        Rival first = race.rival().lock("lease", "dead");
        Caller caller = race.caller();
        Background<Object> waiting = race.inBackground(caller, () -> operation.run(caller.stores, worker));
        race.awaitBlocked(waiting);
        assertThat(race.value("select count(*) from (select from holdfast.lease where " + Rival.row("lease", "wf")
                        + " for no key update skip locked) own"))
                .as("the later key is not locked before the earlier one")
                .isEqualTo("1");
        first.rollback();
        assertThat(waiting.result().toString()).containsAnyOf("New[", "Done[");
    }

    private static Stream<Arguments> isolated() {
        return Stream.of("repeatable read", "serializable")
                .flatMap(level -> Arrays.stream(Operation.values()).map(operation -> Arguments.of(level, operation)));
    }

    @ParameterizedTest
    @MethodSource("isolated")
    void atAHigherIsolationALostRaceIsTypedAndRetryableAndEndsTheTransaction(String level, Operation operation) {
        Worker worker = Worker.at(race, "wf");
        race.expire("lease", "wf");
        Caller caller = race.caller().isolated(level).run("select count(*) from holdfast.lease");
        lose();
        String before = race.dump();
        Throwable failure = catchThrowable(() -> operation.run(caller.stores, worker));
        assertThat(failure)
                .isInstanceOfSatisfying(
                        TransactionLostException.class,
                        e -> assertThat(e.retryable()).isTrue());
        assertThatThrownBy(() -> caller.stores.leases().find(worker.lease().key()))
                .as("that transaction is over")
                .isInstanceOf(HoldfastException.class);
        caller.rollback();
        race.assertStands(before);
        Caller again = race.caller().isolated(level);
        operation.run(again.stores, worker);
        assertUsable(again);
    }

    @Test
    void atAHigherIsolationACleanUpThatLosesIsTypedAndRetryable() {
        race.granted("wf", "a");
        race.expire("lease", "wf");
        Caller caller = race.caller().isolated("repeatable read").run("select count(*) from holdfast.lease");
        assertThat(race.granted("wf", "b").fence().token()).isEqualTo(2);
        String before = race.dump();
        assertThatThrownBy(() -> caller.stores.cleanup().pass(new Cutoff(Duration.ZERO, Duration.ZERO, 10)))
                .isInstanceOf(TransactionLostException.class);
        caller.rollback();
        race.assertStands(before);
    }

    @Test
    void atAHigherIsolationAWaitingAcquireThatLosesIsTypedAndRetryable() {
        race.granted("wf", "a");
        race.expire("lease", "wf");
        Caller rival = race.caller();
        Race.granted(rival.stores.leases().acquire(race.key("wf"), "b", Race.TTL));
        Caller caller = race.caller().isolated("repeatable read");
        Background<Acquisition> waiting =
                race.inBackground(caller, () -> caller.stores.leases().acquire(race.key("wf"), "c", Race.TTL));
        race.awaitBlocked(waiting);
        String stood = rival.commit();
        assertThat(waiting.failure()).isInstanceOf(TransactionLostException.class);
        caller.rollback();
        race.assertStands(stood);
    }
}
