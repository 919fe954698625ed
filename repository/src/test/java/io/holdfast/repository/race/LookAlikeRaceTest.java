package io.holdfast.repository.race;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.approval.ApprovalRequest;
import io.holdfast.approval.Expiry;
import io.holdfast.approval.Registration;
import io.holdfast.idempotency.KeepFor;
import io.holdfast.idempotency.Reservation;
import io.holdfast.journal.NewRun;
import io.holdfast.journal.Opened;
import io.holdfast.journal.RunKind;
import io.holdfast.lease.Acquisition.Granted;
import io.holdfast.run.RunCreation;
import io.holdfast.workflow.Creation;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Names that a hash does not tell apart: locks are rows, so that one is not in the other's way. */
@ExtendWith(Race.Parameter.class)
class LookAlikeRaceTest {

    private final Race race;

    LookAlikeRaceTest(Race race) {
        this.race = race;
    }

    @ParameterizedTest
    @CsvSource({
        "run-140366, run-178447", // by the server's hash of 32 bits
        "run-68054, run-104419",
        "plumless, buckeroo", // by CRC32
        "Aa, BB" // by Java's
    })
    void whoHoldsTheOneKeepsNobodyFromTheOther(String one, String other) {
        race.granted(one, "a");
        begin(one);
        race.rival()
                .lock("lease", one)
                .lock("workflow", one)
                .lock("run", one)
                .lock("idempotency_key", one)
                .lock("execution", one)
                .lock("approval", one);
        assertThat(race.withoutWaiting(() -> race.stores.leases().acquire(race.key(other), "b", Race.TTL)))
                .isInstanceOf(Granted.class);
        assertThat(race.withoutWaiting(() -> race.stores.workflows().create(Worker.running(other), Map.of())))
                .isInstanceOf(Creation.Created.class);
        assertThat(race.withoutWaiting(() -> race.stores.runs().create(other, Map.of(), Map.of())))
                .isInstanceOf(RunCreation.Created.class);
        assertThat(race.withoutWaiting(() -> race.stores.idempotencyKeys().reserve(other, "req", KeepFor.DEFAULT)))
                .isInstanceOf(Reservation.New.class);
        assertThat(race.withoutWaiting(() -> race.stores.journal().open(run(other), "b", Race.TTL)))
                .isInstanceOf(Opened.Done.class);
        assertThat(race.withoutWaiting(() -> race.stores.approvals().register(approval(other))))
                .isInstanceOf(Registration.Registered.class);
    }

    private void begin(String id) {
        race.stores.workflows().create(Worker.running(id), Map.of());
        race.stores.runs().create(id, Map.of(), Map.of());
        race.stores.idempotencyKeys().reserve(id, "req", KeepFor.DEFAULT);
        race.stores.journal().open(run(id), "a", Race.TTL);
        race.stores.approvals().register(approval(id));
    }

    private static NewRun run(String id) {
        return NewRun.of(id, RunKind.WORKFLOW, "digest", "{}");
    }

    private static ApprovalRequest approval(String id) {
        return ApprovalRequest.of(id, id, "the call", Expiry.DEFAULT);
    }

    @Test
    void theAdvisoryLocksOfOthersAreNotOurs() {
        race.rival().run("select pg_advisory_xact_lock(g) from generate_series(-1000, 1000) g");
        race.granted("wf", "a");
        assertThat(race.withoutWaiting(() -> race.stores.workflows().create(Worker.running("wf"), Map.of())))
                .isInstanceOf(Creation.Created.class);
    }
}
