package io.holdfast.example.plain;

import io.holdfast.example.plain.Terminal.Colour;
import io.holdfast.failure.SqlStates;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;

/** How each order stands in the tables. */
final class FinalStates {

    private static final String ALL = """
            select o.request, o.customer, o.amount, coalesce(w.status, '-'), coalesce(w.revision, 0),
                   coalesce(jsonb_array_length(cast(w.snapshot as jsonb) #> '{state,events}'), 0),
                   coalesce(cast(cast(w.snapshot as jsonb) #>> '{state,attempts}' as int), 0),
                   coalesce(l.token, 0), coalesce(c.calls, 0), coalesce(k.status, '-')
              from holdfast_demo.orders o
              left join holdfast.workflow w on w.scope = o.scope and w.id = o.request
              left join holdfast.lease l on l.scope = o.scope and l.kind = 'workflow' and l.id = o.request
              left join holdfast.idempotency_key k on k.scope = o.scope and k.key = o.request
              left join holdfast_demo.charge c on c.scope = o.scope and c.request = o.request
             where o.scope = ?
             order by o.number
            """;

    private FinalStates() {}

    static void print(DataSource dataSource, String scope, Terminal terminal) {
        var table = new TextTable(
                "order",
                "customer",
                ">amount",
                "status",
                ">revision",
                ">events",
                ">attempts",
                ">token",
                ">charge calls",
                "key");
        try (Connection connection = dataSource.getConnection();
                PreparedStatement select = connection.prepareStatement(ALL)) {
            select.setString(1, scope);
            try (var rows = select.executeQuery()) {
                while (rows.next()) {
                    table.add(
                            rows.getInt(7) > 1 ? Colour.YELLOW : Colour.PLAIN,
                            List.of(
                                    rows.getString(1),
                                    rows.getString(2),
                                    rows.getString(3),
                                    rows.getString(4),
                                    rows.getString(5),
                                    rows.getString(6),
                                    rows.getString(7),
                                    rows.getString(8),
                                    rows.getString(9),
                                    rows.getString(10)));
                }
            }
        } catch (SQLException e) {
            throw SqlStates.classify("read the final states", e);
        }
        table.print(terminal);
        terminal.print("  Two charge calls are one charge: the second came after a takeover, with the same key.");
    }
}
