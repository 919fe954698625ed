package io.holdfast.example.plain;

import io.holdfast.codec.Fingerprint;
import io.holdfast.failure.SqlStates;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Map;
import java.util.function.BiConsumer;
import javax.sql.DataSource;

/**
 * Plays the provider: a table that is written over a connection of its own, and committed before the step is. Its answer
 * takes as long as the caller of the constructor likes, which is when a worker can be killed with the step half done.
 */
final class PaymentProvider implements Payments {

    private static final String CHARGE = """
            insert into holdfast_demo.charge as c (scope, key, request, amount, token) values (?, ?, ?, ?, ?)
            on conflict (scope, key) do update set calls = c.calls + 1
            returning calls
            """;

    private final DataSource dataSource;
    private final String scope;
    private final BiConsumer<Order, Long> answering;

    PaymentProvider(DataSource dataSource, String scope, BiConsumer<Order, Long> answering) {
        this.dataSource = dataSource;
        this.scope = scope;
        this.answering = answering;
    }

    @Override
    public Receipt charge(String key, Order order, long token) {
        boolean known;
        try (Connection connection = dataSource.getConnection();
                PreparedStatement charge = connection.prepareStatement(CHARGE)) {
            charge.setString(1, scope);
            charge.setString(2, key);
            charge.setString(3, order.request());
            charge.setBigDecimal(4, order.amount());
            charge.setLong(5, token);
            try (var rows = charge.executeQuery()) {
                rows.next();
                known = rows.getInt(1) > 1;
            }
        } catch (SQLException e) {
            throw SqlStates.classify("charge", e);
        }
        answering.accept(order, token);
        return new Receipt(
                Fingerprint.of(
                        "receipt", Map.of("key", key, "amount", order.amount().toPlainString())),
                known);
    }
}
