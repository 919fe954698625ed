package io.holdfast.example.plain;

import io.holdfast.failure.SqlStates;
import io.holdfast.lease.Fence;
import io.holdfast.lease.LeaseKey;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/** The application's own tables: the orders of a run, what the provider charged, and every grant of a lease. */
final class OrderBook {

    private static final List<String> TABLES = List.of("create schema if not exists holdfast_demo", """
            create table if not exists holdfast_demo.orders (
                scope text not null, request text not null, number int not null, customer text not null,
                item text not null, amount numeric(9, 2) not null, primary key (scope, request))""", """
            create table if not exists holdfast_demo.charge (
                scope text not null, key text not null, request text not null, amount numeric(9, 2) not null,
                token bigint not null, calls int not null default 1, primary key (scope, key))""", """
            create table if not exists holdfast_demo.lease_grant (
                scope text not null, workflow text not null, token bigint not null, owner text not null,
                granted_at timestamptz not null)""");

    private static final String GRANTED = """
            insert into holdfast_demo.lease_grant (scope, workflow, token, owner, granted_at)
            select l.scope, l.id, l.token, l.owner, l.granted_at from holdfast.lease l
             where l.scope = ? and l.kind = ? and l.id = ? and l.token = ?
            returning granted_at
            """;

    private final DataSource dataSource;
    private final String scope;

    OrderBook(DataSource dataSource, String scope) {
        this.dataSource = dataSource;
        this.scope = scope;
    }

    void createTables() {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            for (String table : TABLES) {
                statement.execute(table);
            }
        } catch (SQLException e) {
            throw SqlStates.classify("create the tables of the demo", e);
        }
    }

    void add(Collection<Order> orders) {
        try (Connection connection = dataSource.getConnection();
                PreparedStatement insert =
                        connection.prepareStatement("insert into holdfast_demo.orders values (?, ?, ?, ?, ?, ?)")) {
            int number = 0;
            for (Order order : orders) {
                insert.setString(1, scope);
                insert.setString(2, order.request());
                insert.setInt(3, ++number);
                insert.setString(4, order.customer());
                insert.setString(5, order.item());
                insert.setBigDecimal(6, order.amount());
                insert.addBatch();
            }
            insert.executeBatch();
        } catch (SQLException e) {
            throw SqlStates.classify("store the orders", e);
        }
    }

    List<Order> orders() {
        try (Connection connection = dataSource.getConnection();
                PreparedStatement select = connection.prepareStatement(
                        "select request, customer, item, amount from holdfast_demo.orders where scope = ? order by number")) {
            select.setString(1, scope);
            List<Order> orders = new ArrayList<>();
            try (var rows = select.executeQuery()) {
                while (rows.next()) {
                    orders.add(
                            new Order(rows.getString(1), rows.getString(2), rows.getString(3), rows.getBigDecimal(4)));
                }
            }
            return orders;
        } catch (SQLException e) {
            throw SqlStates.classify("read the orders", e);
        }
    }

    /**
     * Notes a grant, since the lease itself remembers only the last one. Taken from the lease's row, so that it is right
     * however late this is called.
     *
     * @return when it was granted; empty if somebody else has the lease by now
     */
    Optional<Instant> granted(LeaseKey key, Fence fence) {
        try (Connection connection = dataSource.getConnection();
                PreparedStatement insert = connection.prepareStatement(GRANTED)) {
            insert.setString(1, scope);
            insert.setString(2, key.kind());
            insert.setString(3, key.id());
            insert.setLong(4, fence.token());
            try (var rows = insert.executeQuery()) {
                return rows.next()
                        ? Optional.of(rows.getObject(1, OffsetDateTime.class).toInstant())
                        : Optional.empty();
            }
        } catch (SQLException e) {
            throw SqlStates.classify("note a grant", e);
        }
    }
}
