package io.holdfast.repository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.failure.InvalidValueException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Settings from an environment and from properties, and the page that lists them. */
class GivenSettingsTest {

    private static final Path PAGE = Path.of(System.getProperty("basedir", "."), "..", "docs", "settings.md");

    @Test
    void nothingSaidIsTheDefault() {
        assertThat(Settings.ofProperties(Map.of("other.pool-size", "9"))).isEqualTo(Settings.DEFAULT);
        assertThat(Settings.ofEnvironment(Map.of("PATH", "/bin"))).isEqualTo(Settings.DEFAULT);
    }

    @Test
    void everySettingIsReadFromTheEnvironmentAndFromProperties() {
        Map<Setting, String> said = Map.of(
                Setting.URL, "jdbc:postgresql://db/app",
                Setting.USER, "app",
                Setting.PASSWORD, "secret",
                Setting.SCHEMA, "flows",
                Setting.POOL_SIZE, "12",
                Setting.CONNECT_TIMEOUT, "500ms",
                Setting.CHECKOUT_TIMEOUT, "1m",
                Setting.COMMAND_TIMEOUT, "PT2M",
                Setting.NAMED_STATEMENTS, "FALSE",
                Setting.CREATE_TABLES, " true ");
        assertThat(said.keySet()).as("a setting that this test forgot").containsExactlyInAnyOrder(Setting.values());
        Settings expected = Settings.of("jdbc:postgresql://db/app", "app", "secret")
                .withSchema("flows")
                .withPoolSize(12)
                .withConnectTimeout(Duration.ofMillis(500))
                .withCheckoutTimeout(Duration.ofMinutes(1))
                .withCommandTimeout(Duration.ofMinutes(2))
                .withNamedStatements(false)
                .withCreateTables(true);
        assertThat(Settings.ofProperties(named(said, Setting::property))).isEqualTo(expected);
        assertThat(Settings.ofEnvironment(named(said, Setting::variable))).isEqualTo(expected);
    }

    private static Map<String, String> named(
            Map<Setting, String> said, java.util.function.Function<Setting, String> name) {
        return said.entrySet().stream().collect(Collectors.toMap(e -> name.apply(e.getKey()), Map.Entry::getValue));
    }

    /** What the page and the enumeration say of defaults is what the record does. */
    @Test
    void theDefaultsThatAreListedAreTheDefaults() {
        Map<String, String> listed = Stream.of(Setting.values())
                .filter(setting ->
                        !List.of(Setting.URL, Setting.USER, Setting.PASSWORD).contains(setting))
                .collect(Collectors.toMap(Setting::property, Setting::initially));
        assertThat(Settings.ofProperties(listed)).isEqualTo(Settings.DEFAULT);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            holdfast.pool-sise       | 5                       | holdfast.pool-sise must be a setting: did you mean holdfast.pool-size?
            holdfast.poolSize        | 5                       | holdfast.poolSize must be a setting: did you mean holdfast.pool-size?
            holdfast.comand-timeot   | 5s                      | holdfast.comand-timeot must be a setting: did you mean holdfast.command-timeout?
            holdfast.pool-size       | 65                      | holdfast.pool-size must be 1 to 64
            holdfast.pool-size       | 0                       | holdfast.pool-size must be 1 to 64
            holdfast.pool-size       | many                    | holdfast.pool-size must be a whole number
            holdfast.command-timeout | 121s                    | holdfast.command-timeout must be 0.1 to 120 seconds
            holdfast.command-timeout | 99ms                    | holdfast.command-timeout must be 0.1 to 120 seconds
            holdfast.command-timeout | 10                      | holdfast.command-timeout must be a number and its unit, as 500ms, 10s or 2m
            holdfast.create-tables   | yes                     | holdfast.create-tables must be true or false
            holdfast.schema          | pg_temp                 | holdfast.schema must not begin with pg_, which PostgreSQL keeps for itself
            holdfast.url             | jdbc:postgresql://db/x  | holdfast.user must be given: holdfast.url alone names no user
            holdfast.password        | secret                  | holdfast.url must be given: holdfast.password alone names no database
            """)
    void aMistakeIsNamedAsItWasWritten(String name, String value, String message) {
        assertThatThrownBy(() -> Settings.ofProperties(Map.of(name, value)))
                .isInstanceOf(InvalidValueException.class)
                .hasMessage(message);
    }

    @Test
    void propertiesOfAFileAreHandedOverWhole() {
        Properties properties = new Properties();
        properties.setProperty("holdfast.pool-size", "8");
        properties.setProperty("application.name", "shop");
        // snippet: properties
        Map<String, String> given = new HashMap<>();
        for (String name : properties.stringPropertyNames()) {
            given.put(name, properties.getProperty(name));
        }
        Settings settings = Settings.ofProperties(given);
        // end
        assertThat(settings).isEqualTo(Settings.DEFAULT.withPoolSize(8));
    }

    @Test
    void aMistakeInTheEnvironmentIsNamedAsThere() {
        assertThatThrownBy(() -> Settings.ofEnvironment(Map.of("HOLDFAST_POOLSIZE", "5")))
                .hasMessage("HOLDFAST_POOLSIZE must be a setting: did you mean HOLDFAST_POOL_SIZE?");
    }

    @Test
    void aUrlWithCredentialsIsRefusedWithoutShowingThem() {
        assertThatThrownBy(() -> Settings.ofProperties(Map.of(
                        "holdfast.url", "jdbc:postgresql://db/x?password=secret",
                        "holdfast.user", "app")))
                .hasMessage("holdfast.url must carry no credentials: user and password are given beside it")
                .hasNoCause();
    }

    @Test
    void theBoundsThatAreListedAreTheBounds() {
        assertThatThrownBy(() -> Settings.DEFAULT.withPoolSize(65)).hasMessageContaining(Setting.POOL_SIZE.bounds());
        assertThat(Settings.DEFAULT.withPoolSize(64).poolSize()).isEqualTo(64);
        assertThatThrownBy(() -> Settings.DEFAULT.withConnectTimeout(Duration.ofMillis(30_001)))
                .hasMessageContaining(Setting.CONNECT_TIMEOUT.bounds());
        assertThatThrownBy(() -> Settings.DEFAULT.withCheckoutTimeout(Duration.ofMillis(60_001)))
                .hasMessageContaining(Setting.CHECKOUT_TIMEOUT.bounds());
        assertThatThrownBy(() -> Settings.DEFAULT.withCommandTimeout(Duration.ofMillis(120_001)))
                .hasMessageContaining(Setting.COMMAND_TIMEOUT.bounds());
    }

    @Test
    void thePageListsEverySettingAsTheEnumerationDoes() throws IOException {
        List<String> rows = Arrays.stream(Setting.values())
                .map(s -> "| `%s` | `%s` | %s | %s | %s | %s |"
                        .formatted(s.property(), s.variable(), s.unit(), s.initially(), s.bounds(), s.meaning()))
                .toList();
        assertThat(Files.readAllLines(PAGE))
                .filteredOn(line -> line.startsWith("| `"))
                .isEqualTo(rows);
    }
}
