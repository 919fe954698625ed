package io.holdfast.example.agent;

import io.holdfast.failure.SqlStates;
import io.holdfast.journal.EffectClass;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * What is outside: a mail service and a bank, each with books of its own, which are tables that are written over connections of
 * their own. Each run has a customer of its own, so that it can be counted what has happened to whom.
 */
final class World {

    static final String MAIL = "mail";
    static final String REFUND = "refund";

    private static final List<String> TABLES = List.of(
            "create schema if not exists agent_demo",
            "create table if not exists agent_demo.mail (customer text, key text, body text not null,"
                    + " calls int not null default 1, primary key (customer, key))",
            "create table if not exists agent_demo.transfer (id bigint generated always as identity primary key,"
                    + " customer text not null, reference text not null, amount numeric not null)");

    private static final String SEND = """
            insert into agent_demo.mail as m (customer, key, body) values (?, ?, ?)
            on conflict (customer, key) do update set calls = m.calls + 1
            """;

    private static final String TRANSFER =
            "insert into agent_demo.transfer (customer, reference, amount) values (?, ?, cast(? as numeric))";

    private static final String STATEMENT =
            "select count(*) from agent_demo.transfer where customer = ? and reference = ?";

    private static final String BOOKS = """
            select (select count(*) from agent_demo.mail where customer = m.customer) as mails,
                   (select coalesce(sum(calls), 0) from agent_demo.mail where customer = m.customer) as mail_calls,
                   (select count(*) from agent_demo.transfer where customer = m.customer) as transfers
              from (select cast(? as text) as customer) m
            """;

    /**
     * What has happened to a customer.
     *
     * @param mails that were sent
     * @param mailCalls how often the service was called for them
     * @param transfers that were made
     */
    record Books(int mails, int mailCalls, int transfers) {}

    private final DataSource dataSource;

    World(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    void make() {
        for (String statement : TABLES) {
            update(statement);
        }
    }

    /** The tools of the agent that works for this customer. */
    List<Tool> tools(String customer) {
        return List.of(
                new Tool(MAIL, EffectClass.IDEMPOTENT, false, new Mail(customer)),
                new Tool(REFUND, EffectClass.RECONCILABLE, true, new Bank(customer)));
    }

    Books books(String customer) {
        return query(
                BOOKS,
                row -> new Books(row.getInt("mails"), row.getInt("mail_calls"), row.getInt("transfers")),
                customer);
    }

    /** Recognises a call that it had before: the mail goes out once per key. */
    private final class Mail implements Tool.Outside {

        private final String customer;

        Mail(String customer) {
            this.customer = customer;
        }

        @Override
        public String call(String key, Map<String, String> arguments) {
            update(SEND, customer, key, arguments.getOrDefault("text", ""));
            return "sent";
        }

        @Override
        public Optional<String> find(String key) {
            throw new IllegalStateException("nobody needs to ask: call again");
        }
    }

    /** Does what it is told, as often as it is told. But each transfer is in its books, under the caller's reference. */
    private final class Bank implements Tool.Outside {

        private final String customer;

        Bank(String customer) {
            this.customer = customer;
        }

        @Override
        public String call(String key, Map<String, String> arguments) {
            update(TRANSFER, customer, key, arguments.getOrDefault("amount", "0"));
            return "transferred";
        }

        @Override
        public Optional<String> find(String key) {
            int transfers = query(STATEMENT, row -> row.getInt(1), customer, key);
            return transfers == 0 ? Optional.empty() : Optional.of("transferred");
        }
    }

    private interface Row<T> {
        T of(java.sql.ResultSet row) throws SQLException;
    }

    private <T> T query(String query, Row<T> reader, String... values) {
        try (Connection connection = dataSource.getConnection();
                PreparedStatement statement = prepared(connection, query, values);
                var rows = statement.executeQuery()) {
            rows.next();
            return reader.of(rows);
        } catch (SQLException e) {
            throw SqlStates.classify("ask the world", e);
        }
    }

    private void update(String update, String... values) {
        try (Connection connection = dataSource.getConnection();
                PreparedStatement statement = prepared(connection, update, values)) {
            statement.executeUpdate();
        } catch (SQLException e) {
            throw SqlStates.classify("change the world", e);
        }
    }

    private static PreparedStatement prepared(Connection connection, String sql, String... values) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        for (int i = 0; i < values.length; i++) {
            statement.setString(i + 1, values[i]);
        }
        return statement;
    }
}
