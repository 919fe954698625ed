package io.holdfast.repository.race;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.failure.CorruptRecordException;
import io.holdfast.idempotency.KeepFor;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A process of a newer release is at a key that one of this release waits for, and leaves it in a status of its own. */
@ExtendWith(Race.Parameter.class)
class NewerKeyRaceTest {

    private static final String KEY = "wf:step";

    private final Race race;

    NewerKeyRaceTest(Race race) {
        this.race = race;
    }

    /** The call waits for the rival, which commits; it hears of the key, and nothing is written. */
    private void namesTheKey(Callable<?> call) {
        race.unchecked("idempotency_key", "idempotency_key_status_known");
        Rival rival = race.rival().update("idempotency_key", KEY, "status = 'parked'");
        Background<?> waiting = race.inBackground(call);
        race.awaitBlocked(waiting);
        String stood = rival.commit();
        assertThat(waiting.failure()).isInstanceOf(CorruptRecordException.class).hasMessageContaining(KEY);
        race.assertStands(stood);
    }

    @Test
    void aLapsedKeyIsNotReservedAnew() {
        race.stores.idempotencyKeys().reserve(KEY, "req", "wf", KeepFor.DEFAULT);
        race.expire("idempotency_key", KEY);
        namesTheKey(() -> race.stores.idempotencyKeys().reserve(KEY, "req", "wf", KeepFor.DEFAULT));
    }

    @Test
    void aKeyIsNotCompleted() {
        Worker worker = Worker.at(race, "wf");
        namesTheKey(() -> race.stores.idempotencyKeys().complete(worker.claim(), Worker.OUTCOME));
    }

    @Test
    void aStepIsNotResumed() {
        Worker worker = Worker.at(race, "wf");
        namesTheKey(
                () -> race.stores.steps().begin(worker.step(), worker.lease().fence()));
    }

    @Test
    void aStepIsNotFinished() {
        namesTheKey(Worker.at(race, "wf")::finish);
    }

    @Test
    void aWholeStepIsNotWritten() {
        namesTheKey(Worker.at(race, "wf")::whole);
    }
}
