package io.holdfast.repository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.Scope;
import io.holdfast.connect.RunRepositories;
import io.holdfast.connect.RunRepository;
import io.holdfast.connect.StoreUrl;
import io.holdfast.failure.StoreUnavailableException;
import io.holdfast.run.RunCreation;
import io.holdfast.session.SessionSave;
import io.holdfast.testing.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CyclicBarrier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Runs by nothing but a URL. */
class RunRepositoriesTest {

    private static final Scope SCOPE = Scope.of("by-url");

    private static String url(TestDatabase database) {
        String address = database.url().substring("jdbc:postgresql://".length());
        return "postgresql://" + database.user() + ":" + database.password() + "@" + address
                + "&ApplicationName=by-url";
    }

    @Test
    void nobodyConnectsBeforeTheFirstCall() {
        String url = "postgresql://u:secret@localhost:1/app.db";
        RunRepositories.open(url).close();
        RunRepository nowhere = new UrlRepository(PostgresRepositoryProvider.settings(StoreUrl.parse(url))
                .withCheckoutTimeout(Duration.ofMillis(250))); // a pool tries again until then
        assertThatThrownBy(() -> nowhere.runs(SCOPE))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageNotContainingAny("secret", "localhost", "app.db");
        assertThatThrownBy(() -> nowhere.sessions(SCOPE))
                .as("the next one tries again")
                .isInstanceOfSatisfying(
                        StoreUnavailableException.class,
                        e -> assertThat(e.retryable()).isTrue());
        nowhere.close();
    }

    @Test // two pools would have as many connections as one, and one of them would never be closed
    void whoeverCallsFirstTogetherSharesOnePool() throws Exception {
        try (TestDatabase database = TestDatabase.migrated("by url")) {
            RunRepository repository = RunRepositories.open(url(database));
            CyclicBarrier start = new CyclicBarrier(8);
            List<Background<Object>> calls = IntStream.range(0, 8)
                    .mapToObj(i -> Background.<Object>run(() -> {
                        start.await();
                        return repository.runs(SCOPE).create("r-" + i, Map.of(), Map.of());
                    }))
                    .toList();
            for (Background<Object> call : calls) {
                assertThat(call.get()).isInstanceOf(RunCreation.Created.class);
            }
            assertThat(repository.sessions(SCOPE).save("s", List.of(), 0)).isEqualTo(new SessionSave.Saved(1));
            String connections = "select count(*) from pg_stat_activity where datname = current_database()"
                    + " and pid <> pg_backend_pid()";
            assertThat(Integer.parseInt(database.value(connections))).isLessThanOrEqualTo(Settings.DEFAULT.poolSize());
            repository.close();
            repository.close();
            org.awaitility.Awaitility.await().until(() -> "0".equals(database.value(connections)));
            assertThatThrownBy(() -> repository.runs(SCOPE))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessage("This Holdfast has been closed");
        }
    }

    @Test // R14
    void aPoolOfTheHostsIsStillItsOwnAfterwards() throws SQLException {
        TestDatabase database = TestDatabase.get();
        HikariConfig config = new HikariConfig();
        config.setDataSource(database.dataSource());
        config.setMaximumPoolSize(1);
        try (HikariDataSource hosts = new HikariDataSource(config)) {
            Holdfast holdfast = Holdfast.open(hosts);
            assertThat(holdfast.in(SCOPE).runs().find("none")).isEmpty();
            holdfast.close();
            try (Connection connection = hosts.getConnection()) {
                assertThat(connection.isValid(1)).isTrue();
            }
        }
    }
}
