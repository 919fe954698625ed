package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class CleanupCommandTest {

    private Rows rows;

    @BeforeEach
    void open() {
        rows = Rows.usual();
        rows.database.execute(
                "update holdfast.workflow set status = 'succeeded',"
                        + " created_at = clock_timestamp() - interval '41 days', updated_at = clock_timestamp() - interval '40 days' where id = 'order-1003'");
    }

    @AfterEach
    void close() {
        rows.close();
    }

    private String left() {
        return rows.database.value("select concat_ws(' ', (select count(*) from holdfast.workflow),"
                + " (select count(*) from holdfast.idempotency_key), (select count(*) from holdfast.lease))");
    }

    @Test
    void aDryRunCountsWhatARunThenRemoves() {
        JsonNode dry = JsonMapper.shared()
                .readTree(rows.shell
                        .run("cleanup", "--dry-run", "--json", "--expired", "1d")
                        .out());
        assertThat(left()).isEqualTo("3 3 2");
        Shell.Result run = rows.shell.run("cleanup", "--json", "--expired", "1d", "--batch", "1");
        assertThat(run.status()).as(run.err()).isZero();
        JsonNode done = JsonMapper.shared().readTree(run.out());
        for (String kind : new String[] {"workflows", "keys", "leases"}) {
            assertThat(done.path(kind).asInt(-1)).as(kind).isEqualTo(1);
            assertThat(dry.path(kind).asInt(-1)).as(kind).isEqualTo(1);
            assertThat(dry.path("scopes").get(0).path(kind).asInt(-1)).isEqualTo(1);
        }
        assertThat(left()).isEqualTo("2 2 1");
    }

    @Test
    void aKeyWhoseWorkflowIsAtWorkIsNeitherCountedNorRemoved() {
        rows.database.execute("update holdfast.lease set granted_at = granted_at - interval '20 days',"
                + " expires_at = clock_timestamp() + interval '1 hour' where id = 'order-1002'");
        Shell.Result dry = rows.shell.run("cleanup", "--dry-run");
        assertThat(dry.out()).containsPattern("acme +1 +0 +0").contains("nothing was removed: this was a dry run");
        assertThat(rows.shell.run("cleanup").out()).endsWith("removed: workflows 1, keys 0, leases 0\n");
    }

    @Test
    void anotherScopeIsLeftAlone() {
        assertThat(rows.shell.run("cleanup", "--scope", "other", "--dry-run").out())
                .isEqualTo("nothing to remove\n");
        assertThat(rows.shell.run("cleanup", "--scope", "other").out()).isEqualTo("nothing to remove\n");
        assertThat(rows.shell.run("cleanup", "--scope", "acme").out()).containsPattern("acme +1 +");
    }

    @Test
    void theUnscopedAreNamedByAnEmptyScope() {
        rows.database.execute(
                "delete from holdfast.workflow_label",
                "update holdfast.workflow set scope = '' where id = 'order-1003'");
        assertThat(rows.shell
                        .run("cleanup", "--scope", "", "--dry-run", "--json")
                        .out())
                .contains("\"workflows\" : 1");
    }

    @Test
    void aStatusIsKeptForAsLongAsIsSaidOrForEver() {
        rows.database.execute(
                "update holdfast.workflow set status = 'failed',"
                        + " created_at = clock_timestamp() - interval '41 days', updated_at = clock_timestamp() - interval '40 days' where id = 'order-1002'");
        assertThat(workflows("--dry-run", "--keep", "succeeded=50d", "--keep", "failed=ever"))
                .isZero();
        assertThat(workflows("--keep", "failed=50d")).as("succeeded").isOne();
        assertThat(workflows("--keep", "succeeded=ever")).as("failed").isOne();
    }

    @Test
    void theNewestOfAStatusAreKept() {
        rows.database.execute("update holdfast.workflow set status = 'succeeded'");
        assertThat(workflows("--dry-run", "--finished", "50d", "--newest", "1")).isEqualTo(1);
        assertThat(workflows("--dry-run", "--keep", "succeeded=ever", "--newest", "0"))
                .as("whose lease is held stays")
                .isEqualTo(2);
    }

    private int workflows(String... more) {
        String[] words = new String[more.length + 2];
        words[0] = "cleanup";
        words[1] = "--json";
        System.arraycopy(more, 0, words, 2, more.length);
        Shell.Result result = rows.shell.run(words);
        assertThat(result.status()).as(result.err()).isZero();
        return JsonMapper.shared().readTree(result.out()).path("workflows").asInt(-1);
    }

    @Test
    void whatIsNotAPolicyIsRefusedBeforeAnythingIsTried() {
        for (String[] wrong : new String[][] {
            {"cleanup", "--keep", "running=1d"},
            {"cleanup", "--keep", "failed=soon"},
            {"cleanup", "--newest", "-1"},
            {"cleanup", "--batch", "0"},
            {"cleanup", "--rest", "101"},
            {"cleanup", "--within", "8d"},
            {"cleanup", "--within", "0s"},
        }) {
            assertThat(rows.shell.run(wrong).status())
                    .as(String.join(" ", wrong))
                    .isEqualTo(2);
        }
        assertThat(left()).isEqualTo("3 3 2");
    }

    @Test
    void whatDoesNotFitIntoTheTimeIsLeftForTheNextRun() {
        rows.database.execute(
                "insert into holdfast.idempotency_key (scope, key, reservation, request_id, workflow_id, status,"
                        + " created_at, expires_at) select 'acme', 'k-' || g, 1, 'r', 'w', 'reserved', t, t"
                        + " from generate_series(1, 2000) g, cast(clock_timestamp() - interval '9 days' as timestamptz) t");
        String[] run = {"cleanup", "--json", "--batch", "1", "--within", "1s"};
        Shell.Result first = rows.shell.run(run);
        assertThat(first.status()).as(first.err()).isEqualTo(1);
        JsonNode document = JsonMapper.shared().readTree(first.out());
        assertThat(document.path("complete").asBoolean(true)).isFalse();
        assertThat(document.path("keys").asInt(-1)).isBetween(0, 1999); // a second may be little on a busy machine
        Shell.Result second = rows.shell.run("cleanup", "--json", "--rest", "0", "--batch", "10000");
        assertThat(second.status()).as(second.err()).isZero();
        assertThat(JsonMapper.shared().readTree(second.out()).path("keys").asInt()
                        + document.path("keys").asInt())
                .isEqualTo(2001);
    }

    @Test
    void aDryRunWritesNothingAtAll() {
        rows.database.execute("create function refuse() returns trigger language plpgsql as"
                + " $$ begin raise exception 'written'; end $$");
        for (String table : new String[] {"workflow", "idempotency_key", "lease", "lease_floor"}) {
            rows.database.execute("create trigger refuse before insert or update or delete on holdfast." + table
                    + " execute function refuse()");
        }
        assertThat(rows.shell.run("cleanup", "--dry-run").out()).containsPattern("acme +1 +1 +0");
        Shell.Result run = rows.shell.run("cleanup");
        assertThat(run.status()).as("the trigger is at work").isNotZero();
    }
}
