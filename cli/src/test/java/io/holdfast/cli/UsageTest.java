package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.testing.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is refused before anything is tried, and that no refusal repeats a secret. */
class UsageTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--password=s3cret",
                "--Password",
                "-W",
                "-pw=s3cret",
                "HOLDFAST_PASSWORD=s3cret",
                "holdfast.password=s3cret",
                "PGPASSWORD=s3cret",
                "--url=jdbc:postgresql://h/db?password=s3cret",
                "jdbc:postgresql://h/db?user=ada&password=s3cret",
                "postgresql://ada:s3cret@h/db",
                "postgres://ada:s3cret@h/db"
            })
    void aPasswordOnTheCommandLineIsRefusedWithTheReason(String argument) {
        Shell.Result result = Shell.nowhere().run("db", "status", argument);
        assertThat(result.status()).isEqualTo(2);
        assertThat(result.err()).contains("every user of this machine sees it", "HOLDFAST_PASSWORD", "--config");
        assertThat(result.err() + result.out()).doesNotContain("s3cret");
    }

    @Test
    void aUrlOnTheCommandLineIsRefused() {
        Shell.Result result = Shell.nowhere().run("db", "status", "--url", "jdbc:postgresql://secret-host/db");
        assertThat(result.status()).isEqualTo(2);
        assertThat(result.err()).contains("HOLDFAST_URL").doesNotContain("secret-host");
    }

    @Test
    void whatIsNotUnderstoodIsNotRepeated() {
        Shell.Result result = Shell.nowhere().run("db", "status", "--pasword=s3cret", "s3cret");
        assertThat(result.status()).isEqualTo(2);
        assertThat(result.err())
                .contains("option --pasword", "holdfast db status --help")
                .doesNotContain("s3cret");
    }

    @ParameterizedTest
    @CsvSource({
        "run list --limti 5, option --limti (did you mean --limit?)",
        "run list --LIMIT 5, option --LIMIT (did you mean --limit?)",
        "run list --x=5, option --x",
        "run lst, no such command (did you mean list?)",
        "wrkflow list, no such command (did you mean workflow?)",
        "run s3cret, no such command",
    })
    void aNameThatThereIsNotIsToldWithTheNearest(String command, String told) {
        Shell.Result result = Shell.nowhere().run(command.split(" "));
        assertThat(result.status()).isEqualTo(2);
        assertThat(result.err().lines().findFirst().orElseThrow().replace(", an argument too many", ""))
                .isEqualTo("holdfast: not understood: " + told);
    }

    @Test
    void whatIsNotUnderstoodIsADocumentForMachines() {
        Shell.Result result = Shell.nowhere().run("run", "list", "--limti", "5", "--json");
        assertThat(result.status()).isEqualTo(2);
        assertThat(result.out()).contains("\"USAGE\"", "option --limti");
        assertThat(result.err()).contains("option --limti", "See: holdfast run list --help");
    }

    @Test
    void withoutADatabaseItSaysHowToNameOne() {
        Shell.Result result = Shell.nowhere().run("db", "status");
        assertThat(result.status()).isEqualTo(2);
        assertThat(result.err()).contains("HOLDFAST_URL", "--config FILE");
    }

    @ParameterizedTest
    @CsvSource({"HOLDFAST_USER, HOLDFAST_URL", "HOLDFAST_PASSWORD, HOLDFAST_URL", "HOLDFAST_URL, HOLDFAST_USER"})
    void aSettingThatSaysNothingAloneIsToldWithTheOneThatIsMissing(String given, String missing) {
        Shell.Result result = Shell.nowhere().with(given, "x").run("db", "status");
        assertThat(result.status()).isEqualTo(2);
        assertThat(result.err()).contains(missing + " must be given: " + given + " alone names no ");
    }

    @Test
    void aWrongSettingIsNamedWithItsNearest() {
        Shell.Result result = Shell.nowhere().with("HOLDFAST_URI", "x").run("db", "status");
        assertThat(result.status()).isEqualTo(2);
        assertThat(result.err()).contains("did you mean HOLDFAST_URL?");
    }

    @ParameterizedTest
    @ValueSource(strings = {"jdbc:postgresql://ada:s3cret@h/db", "jdbc:postgresql://s3cret:x/db", "s3cret"})
    void noErrorShowsTheUrl(String url) {
        Shell.Result result = Shell.nowhere()
                .with("HOLDFAST_URL", url)
                .with("HOLDFAST_USER", "ada")
                .run("db", "status", "--json");
        assertThat(result.status()).isEqualTo(2);
        assertThat(result.err() + result.out()).doesNotContain("s3cret").contains("HOLDFAST_URL");
    }

    @Test
    void anUnreachableServerIsStatusThree() {
        Shell.Result result = Shell.nowhere()
                .with("HOLDFAST_URL", "jdbc:postgresql://localhost:1/s3cret")
                .with("HOLDFAST_USER", "ada")
                .run("db", "status");
        assertThat(result.status()).isEqualTo(3);
        assertThat(result.err())
                .contains("could not connect: check host and port")
                .doesNotContain("s3cret");
    }

    @Test
    void aRefusedLoginIsStatusThree() {
        Shell.Result result =
                Shell.on(TestDatabase.get()).with("HOLDFAST_USER", "n0body").run("lease", "list", "--json");
        assertThat(result.status()).isEqualTo(3);
        assertThat(result.out()).contains("STORE_DENIED");
        assertThat(result.out() + result.err()).doesNotContain("n0body");
    }

    @Test
    void aCommandGroupAloneAsksForACommand() {
        assertThat(Shell.nowhere().run().status()).isEqualTo(2);
        assertThat(Shell.nowhere().run("db").err()).contains("Missing required subcommand", "holdfast db --help");
    }

    @Test
    void settingsComeFromAFileThatOnlyItsOwnerReads(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("holdfast.properties");
        TestDatabase database = TestDatabase.get();
        Files.writeString(
                file,
                "holdfast.url=" + database.url() + "\nholdfast.user=" + database.user() + "\nholdfast.password="
                        + database.password() + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
        Shell.Result refused = Shell.nowhere().run("db", "status", "--config", file.toString());
        assertThat(refused.status()).isEqualTo(2);
        assertThat(refused.err()).contains("others can read it", "chmod 600");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        assertThat(Shell.nowhere()
                        .run("db", "status", "--config", file.toString())
                        .out())
                .containsPattern("core +current");
    }

    @Test
    void aFileThatIsNotThereIsSaid(@TempDir Path folder) {
        Shell.Result result = Shell.nowhere()
                .run("db", "status", "--config", folder.resolve("none").toString());
        assertThat(result.status()).isEqualTo(2);
        assertThat(result.err()).contains("cannot be read as properties");
    }
}
