package io.holdfast.testing;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** A connection that is lent to one after the other, since to make one takes longer than most of what a test asks. */
final class KeptConnection {

    /** Makes one, and makes another if that broke or somebody else has it. */
    interface Maker {
        Connection connect() throws SQLException;
    }

    /** What is done with it. */
    interface Work<T> {
        T on(Connection connection) throws SQLException;
    }

    private static final int SECONDS_TO_ANSWER = 5;

    private final Maker maker;
    private final ReentrantLock lent = new ReentrantLock();
    private @Nullable Connection connection;

    KeptConnection(Maker maker) {
        this.maker = maker;
    }

    <T> T lend(Work<T> work) throws SQLException {
        if (!lent.tryLock()) { // it may be waiting for whoever asks
            try (Connection another = maker.connect()) {
                return work.on(another);
            }
        }
        try {
            return work.on(alive());
        } finally {
            lent.unlock();
        }
    }

    private Connection alive() throws SQLException {
        Connection last = connection;
        if (last != null && last.isValid(SECONDS_TO_ANSWER)) {
            return last;
        }
        Connection next = maker.connect();
        connection = next;
        return next;
    }
}
