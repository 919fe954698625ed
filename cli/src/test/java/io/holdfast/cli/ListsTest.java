package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ListsTest {

    private static Rows rows;

    @BeforeAll
    static void open() {
        rows = Rows.usual();
    }

    @AfterAll
    static void close() {
        rows.close();
    }

    private static JsonNode json(String... arguments) {
        Shell.Result result = rows.shell.run(arguments);
        assertThat(result.status()).as(result.err()).isZero();
        return JsonMapper.shared().readTree(result.out());
    }

    private static List<String> column(JsonNode list, String column) {
        List<String> values = new ArrayList<>();
        list.forEach(row -> values.add(row.path(column).asString()));
        return values;
    }

    @Test
    void workflowsAreListedWithWhoHoldsThem() {
        Shell.Result list = rows.shell.run("workflow", "list");
        assertThat(list.status()).as(list.err()).isZero();
        assertThat(list.out().lines().toList())
                .hasSize(4)
                .anyMatch(line -> line.matches("acme +order-1001 +created +1 +no +worker-7 .*Z"))
                .anyMatch(line -> line.matches("acme +order-1002 +created +1 +no +- .*Z"));
    }

    @Test
    void aListIsReadPageByPage() {
        List<String> ids = new ArrayList<>();
        JsonNode first = json("workflow", "list", "--limit", "2", "--json");
        ids.addAll(column(first.path("workflows"), "id"));
        JsonNode second = json(
                "workflow",
                "list",
                "--limit",
                "2",
                "--json",
                "--after",
                first.path("next").asString());
        ids.addAll(column(second.path("workflows"), "id"));
        assertThat(ids).containsExactly("order-1001", "order-1002", "order-1003");
        assertThat(second.path("next").isNull()).isTrue();
        assertThat(rows.shell.run("lease", "list", "--limit", "1").out()).contains("more: --after ");
    }

    @ParameterizedTest
    @CsvSource({
        "workflow list --status created, 3",
        "workflow list --status Created, 3",
        "workflow list --status running, 0",
        "workflow list --label customer=harbour, 3",
        "workflow list --label customer=else, 0",
        "workflow list --scope acme, 3",
        "workflow list --scope other, 0",
        "lease list, 2",
        "lease list --state held, 1",
        "lease list --state EXPIRED, 1",
        "lease list --state free, 0",
        "lease list --kind workflow, 2",
        "lease list --kind report, 0",
        "key list, 3",
        "key list --state reserved --expired, 1",
        "key list --state completed, 0",
        "key list --workflow order-1003, 1",
    })
    void filtersAreObeyed(String command, int expected) {
        JsonNode list = json((command + " --json").split(" "));
        assertThat(list.properties().iterator().next().getValue()).hasSize(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "workflow list --limit 0",
                "workflow list --limit 1001",
                "workflow list --after x",
                "workflow list --status sleeping",
                "workflow list --label customer",
                "lease list --state sleeping",
                "key list --after YQ",
                "lease show Workflow x",
                "workflow show -x",
                "cleanup --finished 30",
                "cleanup --batch 0"
            })
    void whatCannotBeIsRefused(String command) {
        Shell.Result result = rows.shell.run(command.split(" "));
        assertThat(result.status()).isEqualTo(2);
        assertThat(result.out()).isEmpty();
        assertThat(result.err()).isNotBlank().doesNotContain("Exception");
    }

    @Test
    void aWorkflowIsShownWithItsLeaseAndWithoutItsSnapshot() {
        Shell.Result shown = rows.shell.run("workflow", "show", "order-1001", "--scope", "acme");
        assertThat(shown.status()).as(shown.err()).isZero();
        assertThat(shown.out())
                .containsPattern("labels +customer=harbour")
                .containsPattern("owner +worker-7")
                .containsPattern("snapshot bytes +[0-9]+")
                .doesNotContain("schema_version", "{");
        JsonNode json = json("workflow", "show", "order-1003", "--scope", "acme", "--json");
        assertThat(json.path("lease").isNull()).isTrue();
        assertThat(json.at("/workflow/labels/customer").asString()).isEqualTo("harbour");
    }

    @Test
    void aLeaseIsShownAsTheDatabasesClockSees() {
        JsonNode lease = json("lease", "show", "workflow", "order-1002", "--scope", "acme", "--json")
                .path("lease");
        assertThat(lease.path("state").asString()).isEqualTo("expired");
        assertThat(lease.path("seconds_left").isNull()).isTrue();
        assertThat(json("lease", "show", "workflow", "order-1001", "--scope", "acme", "--json")
                        .at("/lease/seconds_left")
                        .asInt(0))
                .isBetween(500, 600);
    }

    @ParameterizedTest
    @ValueSource(strings = {"workflow show order-1001", "lease show workflow order-9 --scope acme"})
    void whatIsNotThereIsStatusOne(String command) {
        Shell.Result result = rows.shell.run((command + " --json").split(" "));
        assertThat(result.status()).isEqualTo(1);
        assertThat(JsonMapper.shared().readTree(result.out()).at("/error/code").asString())
                .isEqualTo("NOT_FOUND");
    }

    @Test
    void everyListRunsInATransactionThatMayNotWrite() {
        // A role that always may write shows it: the transaction is what forbids.
        assertThat(new Database(GivenSettings.of(rows.shell.environment(), null), new OpenConnections())
                        .<String>read(
                                "test",
                                session -> session.list(
                                                "select current_setting('transaction_read_only')",
                                                row -> row.getString(1))
                                        .get(0)))
                .isEqualTo("on");
    }

    @Test
    void withoutTablesItSaysWhatToRun() {
        Shell.Result result = rows.shell.with("HOLDFAST_SCHEMA", "elsewhere").run("lease", "list");
        assertThat(result.status()).isEqualTo(1);
        assertThat(result.err()).contains("component core in schema \"elsewhere\" is missing", "holdfast db migrate");
    }

    @Test
    void textThatSteersATerminalIsShownAsItsNumber() {
        assertThat(Cell.safe("a\u001b[31mb\u202ec\n")).isEqualTo("a\\u{1b}[31mb\\u{202e}c\\u{a}");
    }
}
