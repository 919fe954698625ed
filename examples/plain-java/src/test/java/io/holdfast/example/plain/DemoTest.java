package io.holdfast.example.plain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.example.plain.Invariants.Verdict;
import io.holdfast.failure.InvalidValueException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** One run of three orders, and what is made of the tables once somebody has tampered with them. */
class DemoTest {

    private static final ByteArrayOutputStream OUTPUT = new ByteArrayOutputStream();

    @TempDir
    private static Path directory;

    private static Server server;
    private static HikariDataSource dataSource;
    private static boolean held;
    private static String scope;

    @BeforeAll
    static void aRun() throws Exception {
        Main.quietLogs();
        server = Server.embedded(directory.resolve("data"));
        dataSource = server.database().connect();
        try (Leftovers leftovers = Leftovers.take(directory.resolve("run")).orElseThrow()) {
            held = new Demo(terminal(), Server.existing(server.database()), leftovers)
                    .run(List.of(order("order-1"), order("order-2"), order("order-3")));
        } catch (DemoFailure e) {
            throw new AssertionError("The run said:\n" + output(), e);
        }
        try (Connection connection = dataSource.getConnection()) {
            scope = value(connection, "select distinct scope from holdfast_demo.orders");
        }
    }

    @AfterAll
    static void stop() {
        dataSource.close();
        server.close();
    }

    @Test
    void everythingHoldsThoughOneWorkerIsKilledAndOneIsFrozen() {
        assertThat(output())
                .contains("SIGKILL in mid-step", "SIGSTOP in mid-step", "its write is REFUSED: SUPERSEDED")
                .contains("took over, finished")
                .contains("heard its outcome (asked ")
                .doesNotContain("BROKEN");
        assertThat(held).isTrue();
    }

    @Test
    void nothingForATerminalIsWrittenWhereThereIsNone() {
        assertThat(output()).doesNotContain("\u001b", "\r");
    }

    @Test
    void theServerIsDurable() throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            for (String setting : List.of("fsync", "synchronous_commit", "full_page_writes")) {
                assertThat(value(connection, "show " + setting)).as(setting).isEqualTo("on");
            }
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            every order is finished, once  | update holdfast.workflow set status = 'running' where id = 'order-1'
            every order is finished, once  | delete from holdfast.workflow where id = 'order-1'
            every order is charged, once   | delete from holdfast_demo.charge where request = 'order-1'
            every order is charged, once   | update holdfast_demo.charge set amount = amount + 1 where request = 'order-1'
            every order is charged, once   | insert into holdfast_demo.charge select scope, concat(key, '2'), request, amount, token from holdfast_demo.charge where request = 'order-1'
            tokens only rise               | insert into holdfast_demo.lease_grant select scope, workflow, 1, owner, granted_at + interval '1 hour' from holdfast_demo.lease_grant
            have no gap, no repeat         | update holdfast.workflow set snapshot = cast(snapshot as jsonb) #- '{state,events,1}' where id = 'order-1'
            have no gap, no repeat         | update holdfast.workflow set snapshot = jsonb_insert(cast(snapshot as jsonb), '{state,events,1}', cast(snapshot as jsonb) #> '{state,events,1}') where id = 'order-1'
            no write by an older token     | update holdfast.workflow set snapshot = jsonb_set(cast(snapshot as jsonb), '{state,events,0,metadata,fence}', '"9"') where id = 'order-1'
            no idempotency key is left     | update holdfast.idempotency_key set status = 'reserved', outcome = null where key = 'order-1'
            no lease is left held          | update holdfast.lease set owner = 'worker-9' where id = 'order-1'
            """)
    void aBreachIsFoundInTheTables(String promise, String tampering) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            assertThat(statement.executeUpdate(tampering)).isPositive();
            List<Verdict> verdicts = Invariants.check(connection, scope);
            connection.rollback();
            assertThat(verdicts)
                    .filteredOn(verdict -> !verdict.holds())
                    .singleElement()
                    .satisfies(broken -> assertThat(broken.promise()).contains(promise));
        }
    }

    @Test
    void aBreachIsShownAndMakesTheRunFail() {
        int before = output().length();
        List<Verdict> verdicts =
                List.of(new Verdict("this holds", List.of()), new Verdict("this does not", List.of("order-1: gone")));
        assertThat(Demo.report(verdicts, terminal())).isFalse();
        assertThat(output().substring(before)).contains("holds  this holds", "BROKEN this does not", "order-1: gone");
    }

    @Test
    void aServerThatAKilledRunLeftIsEndedAndItsDataRemoved() throws IOException {
        Path left = directory.resolve("left");
        @SuppressWarnings("resource") // nobody closes what was killed
        Server old = Server.embedded(left.resolve("data"));
        long pid = Long.parseLong(
                Files.readAllLines(left.resolve("data/postmaster.pid")).get(0));
        try (Leftovers leftovers = Leftovers.take(left).orElseThrow()) {
            assertThat(leftovers.clear()).containsExactly("PostgreSQL process " + pid);
            assertThat(ProcessHandle.of(pid).filter(ProcessHandle::isAlive)).isEmpty();
            assertThat(left.resolve("data")).doesNotExist();
        }
        old.close();
    }

    @Test
    void aUrlThatIsRefusedIsNotShown() {
        assertThatThrownBy(() -> Database.fromEnvironment(Map.of(Database.URL, "mysql://u:secret@host/db")))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageContaining(Database.URL)
                .hasMessageNotContaining("secret");
        Database odd = Database.fromEnvironment(Map.of(Database.URL, "jdbc:postgresql://host:port/db?password=secret"));
        assertThatThrownBy(() -> odd.connect().close())
                .isInstanceOf(InvalidValueException.class)
                .hasMessageNotContaining("secret");
        assertThat(odd.toString()).doesNotContain("secret");
    }

    private static Order order(String request) {
        return new Order(request, "Harbour Books", "labels", new BigDecimal("19.90"));
    }

    private static Terminal terminal() {
        return new Terminal(new PrintStream(OUTPUT, true, StandardCharsets.UTF_8), false, false);
    }

    private static String output() {
        return OUTPUT.toString(StandardCharsets.UTF_8);
    }

    private static String value(Connection connection, String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                var rows = statement.executeQuery(query)) {
            rows.next();
            return rows.getString(1);
        }
    }
}
