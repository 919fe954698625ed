package io.holdfast.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.repository.Outcome;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The queries of docs/grafana-dashboard.json ask for what is exported, and for all of it. */
class DashboardTest {

    private static final Pattern SERIES = Pattern.compile("\\bholdfast_[a-z_]+\\b");
    private static final Pattern LABELS = Pattern.compile("by \\(([a-z_, ]+)\\)|\\b([a-z_]+)=~?\"");
    private static final Pattern SCRAPED = Pattern.compile("(?m)^(holdfast_[a-z_]+)(\\{[^}]*})? ");

    private static final Set<String> EXPORTED = new TreeSet<>();
    private static List<String> queries;

    @BeforeAll
    static void scrape() throws Exception {
        PrometheusMeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        try (Scene scene = new Scene(MicrometerObserver.of(meters))) {
            scene.work();
        }
        SCRAPED.matcher(meters.scrape())
                .results()
                .map(result -> result.group(1))
                .forEach(EXPORTED::add);
        queries = new ArrayList<>();
        for (JsonNode panel :
                JsonMapper.shared().readTree(Files.readString(dashboard())).path("panels")) {
            panel.path("targets")
                    .forEach(target -> queries.add(target.path("expr").asString()));
        }
    }

    private static Path dashboard() throws IOException {
        return Path.of("..", "docs", "grafana-dashboard.json").toRealPath();
    }

    @Test
    void everySeriesOfTheDashboardIsExported() {
        assertThat(queries).isNotEmpty();
        assertThat(asked()).isNotEmpty().isSubsetOf(EXPORTED);
    }

    @Test
    void everythingExportedIsOnTheDashboard() {
        assertThat(asked()).containsAll(EXPORTED);
    }

    @Test
    void theDashboardGroupsByTagsThatThereAre() {
        Set<String> labels = queries.stream()
                .flatMap(query -> LABELS.matcher(query).results())
                .map(DashboardTest::labels)
                .flatMap(found -> Arrays.stream(found.split(", ")))
                .collect(Collectors.toSet());
        assertThat(labels)
                .contains("operation", "outcome", "cause")
                .isSubsetOf("operation", "outcome", "cause", "job"); // job is Prometheus's own
    }

    @Test
    void theOutcomesItLooksForAreOutcomes() {
        Set<String> known = Arrays.stream(Outcome.values()).map(Outcome::label).collect(Collectors.toSet());
        List<String> looked = queries.stream()
                .flatMap(query ->
                        Pattern.compile("outcome=~\"([^\"]+)\"").matcher(query).results())
                .flatMap(found -> Arrays.stream(found.group(1).split("\\|")))
                .toList();
        assertThat(looked).isNotEmpty().isSubsetOf(known);
    }

    private static String labels(MatchResult found) {
        return found.group(1) != null ? found.group(1) : found.group(2);
    }

    private static Set<String> asked() {
        return queries.stream()
                .flatMap(query -> SERIES.matcher(query).results())
                .map(MatchResult::group)
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
