package io.holdfast.example.quarkus;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.repository.Holdfast;
import io.holdfast.repository.LeaseKeeper;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import org.eclipse.microprofile.health.HealthCheckResponse.Status;
import org.eclipse.microprofile.health.Liveness;
import org.junit.jupiter.api.Test;

/** What an orchestrator hears over HTTP. */
@QuarkusTest
@QuarkusTestResource(OwnDatabase.class)
class HealthTest {

    @TestHTTPResource("/q/health/ready")
    URI ready;

    @TestHTTPResource("/q/health/live")
    URI live;

    @Inject
    @CommitsAlone
    Holdfast alone;

    @Inject
    Stored stored;

    @Test
    void readinessIsThatOfTheTables() throws Exception {
        HttpResponse<String> before = get(ready);
        assertThat(before.statusCode()).as(before.body()).isEqualTo(200);
        assertThat(before.body()).contains("\"holdfast\"", "\"schema.core\"");
        stored.execute("alter table holdfast.schema_history_core rename to elsewhere");
        try {
            HttpResponse<String> without = get(ready);
            assertThat(without.statusCode()).as(without.body()).isEqualTo(503);
            assertThat(without.body()).contains("\"reason\"", "SCHEMA_MISMATCH");
            assertThat(get(live).statusCode()).isEqualTo(200);
        } finally {
            stored.execute("alter table holdfast.elsewhere rename to schema_history_core");
        }
        assertThat(get(ready).statusCode()).isEqualTo(200);
    }

    @Test
    void livenessIsThatOfTheKeeper() throws Exception {
        HttpResponse<String> answer = get(live);
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).contains("\"lease-keeper\"");
        assertThat(KeeperAlive.class).hasAnnotation(Liveness.class);
        LeaseKeeper closed = LeaseKeeper.over(alone);
        assertThat(new KeeperAlive(closed).call().getStatus()).isEqualTo(Status.UP);
        closed.close();
        assertThat(new KeeperAlive(closed).call().getStatus()).isEqualTo(Status.DOWN);
    }

    private static HttpResponse<String> get(URI uri) throws IOException, InterruptedException {
        // The check itself answers within three seconds.
        HttpRequest request =
                HttpRequest.newBuilder(uri).timeout(Duration.ofSeconds(8)).build();
        return HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
    }
}
