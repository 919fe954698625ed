package io.holdfast.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.codec.Fingerprint;
import io.holdfast.idempotency.KeepFor;
import io.holdfast.idempotency.Reservation;
import io.holdfast.lease.Acquisition;
import io.holdfast.lease.LeaseKey;
import io.holdfast.repository.Holdfast;
import io.holdfast.repository.Stores;
import io.holdfast.state.WorkflowState;
import io.holdfast.testing.TestDatabase;
import io.holdfast.workflow.Workflow;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What of a run is not brought to its end, by what is stored. */
class FinishTest {

    private final TestDatabase database = TestDatabase.migrated("finish");
    private final Holdfast holdfast = Holdfast.open(database.dataSource());
    private final Stores stores = holdfast.in(Desk.SCOPE);

    @AfterEach
    void close() {
        holdfast.close();
        database.close();
    }

    @Test
    void aTransactionInWhichNothingIsDoneIsFound() throws SQLException, InterruptedException {
        try (Connection leaked = database.connect();
                Connection asking = database.connect();
                Statement statement = leaked.createStatement()) {
            statement.execute("set application_name = 'chaos'");
            assertThat(Finish.idle(asking, 1)).isZero();
            leaked.setAutoCommit(false);
            statement.execute("select 1");
            assertThat(Finish.idle(asking, 1)).isOne();
            leaked.rollback();
            assertThat(Finish.idle(asking, 1)).isZero();
        }
    }

    @Test
    void aWorkflowIsLeftUntilItsLeaseIsGrantedAndAStepDone() throws SQLException {
        stores.workflows().create(WorkflowState.create("slot-0.0", "r"), Map.of());
        LeaseKey key = LeaseKey.ofWorkflow("slot-0.0");
        stores.leases().acquire(key, "before", Desk.TTL);
        try (Connection connection = database.connect()) {
            String since = Finish.now(connection);
            assertThat(Finish.left(connection, since)).containsExactly("workflow slot-0.0");
            Workflow at = stores.workflows().find("slot-0.0").orElseThrow();
            stores.workflows().update(at, Desk.next(at.state(), "w1"));
            assertThat(Finish.left(connection, since)).containsExactly("workflow slot-0.0");
            assertThat(stores.leases().acquire(key, "before", Desk.TTL)).isInstanceOf(Acquisition.Granted.class);
            assertThat(Finish.left(connection, since)).isEmpty();
            assertThat(Finish.left(connection, Finish.now(connection))).containsExactly("workflow slot-0.0");
        }
    }

    @Test
    void aRequestIsLeftUntilItHasAnOutcome() throws SQLException {
        Reservation reservation = stores.idempotencyKeys().reserve("request-1", "request-1", KeepFor.EVER);
        try (Connection connection = database.connect()) {
            assertThat(Finish.left(connection, Finish.now(connection))).containsExactly("request request-1");
            stores.idempotencyKeys().complete(reservation.key().claim(), Fingerprint.ofText("w1"));
            assertThat(Finish.left(connection, Finish.now(connection))).isEmpty();
        }
    }
}
