package io.holdfast.repository;

import java.time.Duration;
import org.hibernate.StatelessSession;
import org.hibernate.engine.spi.SharedSessionContractImplementor;

/** The bound on every statement of a session, entity updates included, which take no query hint. */
final class Timeouts {

    private Timeouts() {}

    /** In whole seconds, rounded up: the driver has no finer ones. It cancels the statement, which works through a pooler. */
    static void bound(StatelessSession session, Duration time) {
        // One more, because Hibernate cuts what is left of the second that has begun: ten would be nine.
        int seconds = Math.toIntExact(time.plusMillis(999).toSeconds()) + 1;
        ((SharedSessionContractImplementor) session).getJdbcCoordinator().setTransactionTimeOut(seconds);
    }
}
