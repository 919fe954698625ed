package io.holdfast.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.failure.InvalidValueException;
import io.holdfast.failure.MissingModuleException;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RunRepositoriesTest {

    private static final String URL = "postgresql://u:secret@h/app.db";

    @ParameterizedTest // R16
    @CsvSource(
            delimiter = '|',
            nullValues = "none",
            value = {
                "postgresql://u:pw@h/app.db | //h/app.db | u | pw",
                "postgres://u:pw@h:5432/db?ssl=true | //h:5432/db?ssl=true | u | pw",
                "PostgreSQL://u@h | //h | u | ''",
                "jdbc:postgresql://h,i/db?user=u&password=p%26w&a=b | //h,i/db?a=b | u | p&w",
                "postgresql://u%40x:p%3a%2F+@h/db | //h/db | u@x | p:/+",
                "postgresql://u:p@w@h/d@b | //h/d@b | u | p@w"
            })
    void aUrlIsTakenApartByItsScheme(String url, String address, String user, String password) {
        assertThat(StoreUrl.parse(" " + url + "\n")).isEqualTo(new StoreUrl("postgresql", address, user, password));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "secret.db",
                ":memory:",
                "sqlite://secret",
                "mysql://u:secret@h/db",
                "postgresql:secret",
                "xpostgresql://u:secret@h/db",
                "postgresql://secret/db",
                "postgresql://%zz:secret@h"
            })
    void anyOtherIsRefusedAndNotShown(String url) {
        assertThatThrownBy(() -> RunRepositories.open(url))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageStartingWith("url must")
                .hasMessageNotContaining("secret");
    }

    @Test
    void aUrlThatIsPrintedShowsOnlyItsScheme() {
        assertThat(StoreUrl.parse(URL)).hasToString("StoreUrl[scheme=postgresql]");
    }

    @Test // R18
    void theJarThatIsMissingIsNamed() {
        assertThatThrownBy(() -> RunRepositories.open(URL))
                .isInstanceOfSatisfying(
                        MissingModuleException.class,
                        e -> assertThat(e.artifact()).isEqualTo("io.holdfast:holdfast-repository"))
                .hasMessage("Add io.holdfast:holdfast-repository to the application");
    }

    public static final class Broken implements RunRepositoryProvider {

        public Broken() {
            throw new NoClassDefFoundError("what it needs");
        }

        @Override
        public String scheme() {
            return StoreUrl.POSTGRESQL;
        }

        @Override
        public RunRepository open(StoreUrl url) {
            throw new AssertionError();
        }
    }

    @Test // R18
    void aJarThatIsBrokenFailsWithItsOwnError(@TempDir Path jar) throws IOException {
        Path services = Files.createDirectories(jar.resolve("META-INF/services"));
        Files.writeString(services.resolve(RunRepositoryProvider.class.getName()), Broken.class.getName());
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (var loader =
                new URLClassLoader(new URL[] {jar.toUri().toURL()}, getClass().getClassLoader())) {
            thread.setContextClassLoader(loader);
            assertThatThrownBy(() -> RunRepositories.open(URL)).hasRootCauseMessage("what it needs");
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    @Test
    void theUrlThatIsGivenWinsOverTheEnvironments() {
        Map<String, String> environment = Map.of("HOLDFAST_RUNS_URL", " " + URL + " ");
        assertThat(RunRepositories.url(Optional.of(" x "), environment)).contains("x");
        assertThat(RunRepositories.url(Optional.empty(), environment)).contains(URL);
        assertThat(RunRepositories.url(Optional.of(" "), environment)).isEmpty();
        assertThat(RunRepositories.url(Optional.empty(), Map.of())).isEmpty();
    }
}
