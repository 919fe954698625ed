package io.holdfast.repository.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lease.LeaseKey;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

/** Reads: they take no lock, and what they cannot tell they do not make up. */
abstract class ReadsContract extends Contract {

    ReadsContract(Environment environment) {
        super(environment);
    }

    @Test // D-30, H35: a read that waited would be given up after the command timeout
    void rowsThatSomebodyHasLockedAreReadAtOnce() throws SQLException {
        created("wf-1");
        reserved("k", "wf-1");
        granted("wf-1", "worker");
        try (Connection rival = environment.database().connect()) {
            rival.setAutoCommit(false);
            for (String table : new String[] {"workflow", "idempotency_key", "lease", "lease_floor"}) {
                try (var lock = environment.prepared(
                        rival, "select 1 from {" + table + "} where scope = ? for update", scope.id())) {
                    assertThat(lock.executeQuery().next()).isTrue();
                }
            }
            assertThat(workflows.find("wf-1")).isPresent();
            assertThat(workflows.findCheckpoint("wf-1", "req-1")).isPresent();
            assertThat(workflows.list("", 10)).hasSize(1);
            assertThat(keys.find("k")).isPresent();
            assertThat(leases.find(LeaseKey.ofWorkflow("wf-1"))).isPresent();
            rival.rollback();
        }
    }

    @Test // BL-58: never is an empty time; one past all times would read as a year that no clock knows
    void anInfiniteTimeIsNotEvenStoredByHand() {
        reserved("k", "wf-1");
        assertThatThrownBy(() -> environment.changeRow(
                        "update {idempotency_key} set expires_at = 'infinity' where scope = ?", scope.id()))
                .hasMessageContaining("idempotency_key_expiry_finite");
        granted("wf-1", "worker");
        assertThatThrownBy(() -> environment.changeRow(
                        "update {lease} set expires_at = '-infinity' where scope = ?", scope.id()))
                .hasMessageContaining("lease_expiry_finite");
    }
}
