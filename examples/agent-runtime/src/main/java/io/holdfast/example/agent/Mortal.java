package io.holdfast.example.agent;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.Scope;
import io.holdfast.repository.Holdfast;
import io.holdfast.repository.LeaseKeeper;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.List;
import java.util.logging.Logger;
import javax.sql.DataSource;

/**
 * A process that can die without taking this one along, many times a second. When it does, its connections are closed and it gets
 * no other; what its code still does on the way out, such as giving leases back, reaches nobody. Real processes are killed too,
 * but not as many: see {@link AgentProcess}.
 */
final class Mortal implements AutoCloseable {

    /** Caught by nobody but the one who brought it about. */
    private static final class Death extends Error {
        private static final long serialVersionUID = 1L;

        Death() {
            super("killed", null, false, false);
        }
    }

    private final Wire wire;
    private final Holdfast holdfast;
    private final World world;

    Mortal(Database database, World world) {
        this.wire = new Wire(database.connect());
        this.holdfast = Holdfast.open(wire);
        this.world = world;
    }

    /**
     * Lives once.
     *
     * @param last the point at which it dies, counted from 1; 0: at none
     * @return the points that it passed; of one that died, the last is where
     */
    List<String> live(Scope scope, String run, int last) {
        Points points = last == 0 ? Points.all() : Points.until(last, this::die);
        try (LeaseKeeper keeper = LeaseKeeper.over(holdfast)) {
            Life.live(holdfast.in(scope), keeper, world, run, points);
        } catch (Death death) {
            wire.mend(); // for the next one
        }
        return points.passed();
    }

    private void die() {
        wire.cut();
        throw new Death();
    }

    @Override
    public void close() {
        holdfast.close();
        wire.pool.close();
    }

    /** The way to the database, which can be cut. */
    private static final class Wire implements DataSource {

        private final HikariDataSource pool;
        private volatile boolean cut;

        Wire(HikariDataSource pool) {
            this.pool = pool;
        }

        void cut() {
            cut = true;
            pool.getHikariPoolMXBean().softEvictConnections(); // at a point the agent has none in hand
        }

        void mend() {
            cut = false;
        }

        @Override
        public Connection getConnection() throws SQLException {
            if (cut) {
                throw new SQLException("dead", "08006");
            }
            return pool.getConnection();
        }

        @Override
        public Connection getConnection(String user, String password) throws SQLException {
            throw new SQLFeatureNotSupportedException();
        }

        @Override
        public PrintWriter getLogWriter() throws SQLException {
            return pool.getLogWriter();
        }

        @Override
        public void setLogWriter(PrintWriter out) throws SQLException {
            pool.setLogWriter(out);
        }

        @Override
        public void setLoginTimeout(int seconds) throws SQLException {
            pool.setLoginTimeout(seconds);
        }

        @Override
        public int getLoginTimeout() throws SQLException {
            return pool.getLoginTimeout();
        }

        @Override
        public Logger getParentLogger() throws SQLFeatureNotSupportedException {
            return pool.getParentLogger();
        }

        @Override
        public <T> T unwrap(Class<T> type) throws SQLException {
            return pool.unwrap(type);
        }

        @Override
        public boolean isWrapperFor(Class<?> type) throws SQLException {
            return pool.isWrapperFor(type);
        }
    }
}
