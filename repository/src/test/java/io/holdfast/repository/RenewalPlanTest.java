package io.holdfast.repository;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.Scope;
import io.holdfast.lease.Fence;
import io.holdfast.lease.LeaseKey;
import io.holdfast.lease.Leases;
import io.holdfast.lease.Renewal;
import io.holdfast.testing.TestDatabase;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RenewalPlanTest {

    private static final int MOST = 10_000;
    private static final int MANY = 2_500; // of which the last are not a whole thousand

    /** If each were compared with each, the store's own timeout would end this: the plan is made for ten. */
    @Test
    void asManyLeasesAsMayBeAreRenewedByThePlanThatServesAFew() {
        HikariConfig config = new HikariConfig();
        try (TestDatabase database = TestDatabase.migrated("renewal_plan")) {
            config.setJdbcUrl(database.url());
            config.setUsername(database.user());
            config.setPassword(database.password());
            config.setMaximumPoolSize(1);
            database.execute(
                    "insert into holdfast.lease (scope, kind, id, owner, token, ttl_ms, granted_at, expires_at)"
                            + " select 'many', 'bench', g, 'w', 1, 60000, now(), now() + interval '1 hour'"
                            + " from generate_series(1, " + MOST + ") g");
            try (HikariDataSource pool = new HikariDataSource(config);
                    Holdfast holdfast = Holdfast.open(pool)) {
                Leases leases = holdfast.in(Scope.of("many")).leases();
                for (int call = 0; call < 12; call++) { // enough for the driver and the server to settle on a plan
                    leases.renewAll(held(10));
                }
                assertThat(leases.renewAll(held(MANY)).keySet())
                        .containsExactlyInAnyOrderElementsOf(held(MANY).keySet());
                assertThat(database.value("select count(distinct xmin::text) from (select xmin from holdfast.lease"
                                + " where id::int <= " + MANY + ") written"))
                        .as("statements, each of which keeps its locks until it ends")
                        .isEqualTo("3");
                assertThat(leases.renewAll(held(MOST)).values())
                        .hasSize(MOST)
                        .allSatisfy(answer -> assertThat(answer).isInstanceOf(Renewal.Renewed.class));
            }
        }
    }

    private static Map<LeaseKey, Fence> held(int number) {
        Map<LeaseKey, Fence> held = new LinkedHashMap<>();
        for (int i = 1; i <= number; i++) {
            held.put(new LeaseKey("bench", Integer.toString(i)), new Fence("w", 1));
        }
        return held;
    }
}
