package io.holdfast.example.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.repository.LeaseKeeper;
import io.holdfast.testing.ServerProxy;
import io.holdfast.testing.TestDatabase;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** What an orchestrator hears over HTTP. */
class HealthTest {

    private static final TestDatabase DATABASE = TestDatabase.empty("spring_health");

    @Test
    void readinessFollowsTheDatabaseAndLivenessTheKeeper() throws Exception {
        try (ServerProxy proxy = ServerProxy.to(DATABASE);
                ConfigurableApplicationContext application = new SpringApplicationBuilder(Application.class)
                        .run(
                                "--server.port=0",
                                "--spring.datasource.url=" + proxy.url(),
                                "--spring.datasource.username=" + DATABASE.user(),
                                "--spring.datasource.password=" + DATABASE.password(),
                                "--management.endpoint.health.show-details=always",
                                // it would share the cache manager of this JVM, and close it
                                "--spring.jpa.properties.hibernate.cache.use_second_level_cache=false")) {
            String health = "http://localhost:" + application.getEnvironment().getProperty("local.server.port")
                    + "/actuator/health/";
            HttpResponse<String> ready = get(health + "readiness");
            assertThat(ready.statusCode()).as(ready.body()).isEqualTo(200);
            assertThat(ready.body()).contains("holdfast", "\"schema.core\"");

            proxy.blackHole();
            HttpResponse<String> silent = get(health + "readiness");
            assertThat(silent.statusCode()).as(silent.body()).isEqualTo(503);
            assertThat(silent.body()).contains("STORE_TIMEOUT").doesNotContain(DATABASE.password());
            assertThat(get(health + "liveness").statusCode()).isEqualTo(200);
            proxy.resume();

            application.getBean(LeaseKeeper.class).close();
            assertThat(get(health + "liveness").statusCode()).isEqualTo(503);
        }
    }

    private static HttpResponse<String> get(String url) throws IOException, InterruptedException {
        // The check itself answers within three seconds.
        HttpRequest request = HttpRequest.newBuilder(URI.create(url))
                .timeout(Duration.ofSeconds(8))
                .build();
        return HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
    }
}
