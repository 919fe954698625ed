package io.holdfast.repository.race;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lease.Acquisition.Granted;
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
        race.rival().lock("lease", one);
        assertThat(race.withoutWaiting(() -> race.stores.leases().acquire(race.key(other), "b", Race.TTL)))
                .isInstanceOf(Granted.class);
        assertThat(race.withoutWaiting(() -> race.stores.workflows().create(Worker.running(other), Map.of())))
                .isInstanceOf(Creation.Created.class);
    }

    @Test
    void theAdvisoryLocksOfOthersAreNotOurs() {
        race.rival().run("select pg_advisory_xact_lock(g) from generate_series(-1000, 1000) g");
        race.granted("wf", "a");
        assertThat(race.withoutWaiting(() -> race.stores.workflows().create(Worker.running("wf"), Map.of())))
                .isInstanceOf(Creation.Created.class);
    }
}
