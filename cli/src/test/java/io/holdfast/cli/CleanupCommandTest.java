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
        rows = new Rows().usual();
        rows.database.execute("update holdfast.workflow set status = 'succeeded',"
                + " updated_at = clock_timestamp() - interval '40 days' where id = 'order-1003'");
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
        assertThat(rows.shell.run("cleanup").out()).isEqualTo("removed: workflows 1, keys 0, leases 0\n");
    }

    @Test
    void anotherScopeIsLeftAlone() {
        assertThat(rows.shell.run("cleanup", "--scope", "other", "--dry-run").out())
                .isEqualTo("nothing to remove\n");
        assertThat(rows.shell.run("cleanup", "--scope", "other").out()).startsWith("removed: workflows 0,");
        assertThat(rows.shell.run("cleanup", "--scope", "acme").out()).startsWith("removed: workflows 1,");
    }
}
