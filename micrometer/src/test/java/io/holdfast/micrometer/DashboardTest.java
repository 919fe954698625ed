package io.holdfast.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.repository.Operation;
import io.holdfast.repository.Outcome;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
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
    private static JsonNode panels;
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
        panels = JsonMapper.shared().readTree(Files.readString(dashboard())).path("panels");
        for (JsonNode panel : panels) {
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

    /** So that those of new stores are on it without a change: it shows what it is told of, by the label. */
    @Test
    void noOperationIsNamed() {
        assertThat(queries)
                .noneMatch(query ->
                        Arrays.stream(Operation.values()).anyMatch(each -> query.contains(each.label() + "\"")));
    }

    @Test
    void eachPanelHasAnIdAPlaceAndQueriesOfItsOwn() {
        Set<Integer> ids = new HashSet<>();
        Set<String> places = new HashSet<>();
        for (JsonNode panel : panels) {
            String title = panel.path("title").asString();
            assertThat(title).isNotBlank();
            assertThat(ids.add(panel.path("id").asInt())).as("id of " + title).isTrue();
            JsonNode at = panel.path("gridPos");
            assertThat(at.path("x").asInt() + at.path("w").asInt()).as(title).isBetween(1, 24);
            for (int x = 0; x < at.path("w").asInt(); x++) {
                for (int y = 0; y < at.path("h").asInt(); y++) {
                    assertThat(places.add((at.path("x").asInt() + x) + " "
                                    + (at.path("y").asInt() + y)))
                            .as("place of " + title)
                            .isTrue();
                }
            }
            Set<String> names = new HashSet<>();
            for (JsonNode target : panel.path("targets")) {
                assertThat(names.add(target.path("refId").asString()))
                        .as("query of " + title)
                        .isTrue();
                assertThat(target.at("/datasource/uid").asString()).as(title).isEqualTo("${datasource}");
                assertThat(target.path("expr").asString()).as(title).contains("{job=~\"$job\"");
            }
            assertThat(names).as("queries of " + title).isNotEmpty();
            assertThat(panel.at("/datasource/uid").asString()).as(title).isEqualTo("${datasource}");
        }
        assertThat(ids).isNotEmpty();
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
