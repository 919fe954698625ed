package io.holdfast.bench;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The server's processes that serve this database; its background processes are not among them. */
final class Backends {

    private final Connection connection;

    Backends(Connection connection) {
        this.connection = connection;
    }

    /** The processor time they have used so far; the system counts it in steps of some milliseconds. */
    long cpuNanos() {
        return pids().stream()
                .flatMap(pid -> ProcessHandle.of(pid).stream())
                .flatMap(process -> process.info().totalCpuDuration().stream())
                .mapToLong(Duration::toNanos)
                .sum();
    }

    List<Long> pids() {
        List<Long> pids = new ArrayList<>();
        try (PreparedStatement select = connection.prepareStatement(
                        "select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()");
                ResultSet rows = select.executeQuery()) {
            while (rows.next()) {
                pids.add(rows.getLong(1));
            }
            return pids;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
