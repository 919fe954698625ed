package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.migrations.Migrator;
import io.holdfast.migrations.SchemaName;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class DoctorTest {

    private final Server healthy = Server.healthy();
    private final Server sick = Server.sick();

    /** The level of what is found, by check; "trouble" wins. */
    private static List<String> found(Shell.Result result) {
        List<String> found = new ArrayList<>();
        JsonMapper.shared()
                .readTree(result.out())
                .path("findings")
                .forEach(finding -> found.add(finding.path("level").asString() + " "
                        + finding.path("check").asString()));
        return found;
    }

    @Test
    void aHealthyDatabaseIsWell() {
        Shell.Result result = healthy.shell().run("doctor");
        assertThat(result.status()).as(result.out() + result.err()).isZero();
        assertThat(result.out()).contains("all is well: 18 checks");
        assertThat(found(healthy.shell().run("doctor", "--json"))).isEmpty();
    }

    @Test
    void everythingThatIsWrongIsFoundAndSaidHowToMend() {
        Shell.Result result =
                sick.shell().at(() -> Instant.now().plusSeconds(60)).run("doctor", "--json");
        assertThat(result.status()).isEqualTo(1);
        assertThat(found(result))
                .containsExactlyInAnyOrder(
                        "trouble schema",
                        "trouble clock",
                        "trouble isolation",
                        "trouble indexes",
                        "trouble dead-tuples",
                        "trouble row-age",
                        "trouble abandoned-leases",
                        "trouble stuck-keys",
                        "trouble crashed-runs",
                        "trouble unknown-outcomes",
                        "trouble open-approvals",
                        "notice time-zone",
                        "trouble locale",
                        "trouble durability",
                        "trouble durability",
                        "notice durability");
        JsonNode findings = JsonMapper.shared().readTree(result.out()).path("findings");
        findings.forEach(finding -> assertThat(List.of("what", "why", "mend"))
                .allSatisfy(part -> assertThat(finding.path(part).asString()).isNotBlank()));
        assertThat(result.out()).contains("order-1001", "workflow_finished");
    }

    @Test
    void aRoleThatMayOnlyReadIsToldWhatItLacks() {
        Shell.Result result = sick.shellAs("limited", "limited").run("doctor");
        assertThat(result.status()).isEqualTo(1);
        assertThat(result.out()).contains("TROUBLE  privileges", "insert on lease");
    }

    @Test
    void aRoleThatMayNotExecuteFunctionsIsToldSo() throws SQLException {
        String execute = " execute on function holdfast.step_finish_v1 ";
        healthy.execute("create role unable login password 'unable'", "revoke" + execute + "from public");
        try {
            Shell.Result result = healthy.shellAs("unable", "unable").run("doctor");
            assertThat(result.out()).contains("usage on the schema").doesNotContain("execute on step");
            healthy.execute("grant usage on schema holdfast to unable");
            assertThat(healthy.shellAs("unable", "unable").run("doctor").out())
                    .contains("execute on step_finish_v1", "insert on lease")
                    .doesNotContain("execute on step_begin");
        } finally {
            healthy.execute("grant" + execute + "to public");
        }
    }

    @Test
    void aRoleThatMayNotEvenLookIsToldSo() throws SQLException {
        healthy.execute("create role stranger login password 'stranger'");
        Shell.Result result = healthy.shellAs("stranger", "stranger").run("doctor");
        assertThat(result.status()).as(result.err()).isEqualTo(1);
        assertThat(result.out()).contains("usage on the schema");
        assertThat(result.out().lines().filter(line -> line.startsWith("notice   not-looked-at: ")))
                .as("one line for all that need the tables")
                .singleElement()
                .satisfies(line -> assertThat(line).contains("abandoned-leases, stuck-keys, crashed-runs"));
    }

    @Test
    void anEmptyDatabaseIsToldToMigrate() {
        Shell.Result result =
                healthy.shell().with("HOLDFAST_SCHEMA", "elsewhere").run("doctor");
        assertThat(result.status()).isEqualTo(1);
        assertThat(result.out()).contains("component core is missing", "holdfast db migrate");
    }

    @ParameterizedTest
    @ValueSource(ints = {6, -6})
    void aClockThatIsOffIsFoundEitherWay(int seconds) throws SQLException {
        InstantSource off = () -> Instant.now().plusSeconds(seconds);
        assertThat(look(new ClockCheck(), off))
                .singleElement()
                .satisfies(finding -> assertThat(finding.what()).contains(seconds > 0 ? "ahead of" : "behind"));
        assertThat(look(new ClockCheck(), () -> Instant.now().plusSeconds(seconds / 2)))
                .isEmpty();
    }

    @Test
    void aTransactionThatIsOpenForLongIsFound() throws SQLException {
        try (Connection open = healthy.connect()) {
            open.setAutoCommit(false);
            open.createStatement().execute("select 1");
            assertThat(look(new LongTransactionsCheck(Duration.ofMinutes(5)), InstantSource.system()))
                    .isEmpty();
            assertThat(look(new LongTransactionsCheck(Duration.ofMillis(1)), InstantSource.system()))
                    .anySatisfy(finding ->
                            assertThat(finding.what()).contains("idle in transaction, has a transaction open for"));
        }
    }

    @Test
    void aServerThatIsTooOldIsFound() throws SQLException {
        assertThat(look(new VersionCheck(99), InstantSource.system())).hasSize(1);
        assertThat(look(new VersionCheck(15), InstantSource.system())).isEmpty();
    }

    // Two connections in one session, as behind a pooler in transaction mode.
    @Test
    void aPoolerInTransactionModeIsFound() throws SQLException {
        try (Connection one = healthy.connect()) {
            Migrator pooled = Migrator.of(alwaysThe(one), SchemaName.DEFAULT);
            Examination examination = new Examination(InstantSource.system(), pooled, Map.of());
            assertThat(new PoolerCheck().look(new Session(one, SchemaName.DEFAULT), examination))
                    .hasSize(1);
        }
    }

    private List<Finding> look(Check check, InstantSource clock) throws SQLException {
        try (Connection connection = healthy.connect()) {
            Migrator migrator = Migrator.of(alwaysThe(connection), SchemaName.DEFAULT);
            return check.look(new Session(connection, SchemaName.DEFAULT), new Examination(clock, migrator, Map.of()));
        }
    }

    private static DataSource alwaysThe(Connection connection) {
        Object unclosed = Proxy.newProxyInstance(
                DoctorTest.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("close")) {
                        return null;
                    }
                    try {
                        return method.invoke(connection, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
        return (DataSource) Proxy.newProxyInstance(
                DoctorTest.class.getClassLoader(),
                new Class<?>[] {DataSource.class},
                (proxy, method, arguments) -> unclosed);
    }
}
