package io.holdfast.migrations;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * A file that was released never changes: databases have been migrated by it. {@code released.txt} has a line for each,
 * {@code core V1__name.sql <sha256>}; a release adds its own, and {@link #everyFileIsListedOnceItIsReleased} insists on it.
 */
class ReleasedFilesTest {

    private static final Component[] OWN = Components.own().inOrder().toArray(Component[]::new);

    @Test
    void noReleasedFileHasChanged() throws IOException {
        assertThat(changed(released(), OWN)).isEmpty();
    }

    @Test
    void everyFileIsListedOnceItIsReleased() throws IOException {
        String version = System.getProperty("holdfast.version", "");
        assertThat(version).as("the version that is being built").isNotEmpty();
        if (!version.endsWith("-SNAPSHOT")) {
            assertThat(released())
                    .containsAll(Stream.of(OWN).flatMap(c -> lines(c).stream()).toList());
        }
    }

    @Test
    void aChangedAndARemovedFileAreSeen() {
        Component before = Component.of("c", Migration.of("V1__c.sql", "a\n"), Migration.of("V2__d.sql", "b\n"));
        Component after = Component.of("c", Migration.of("V1__c.sql", "a \n"));
        assertThat(changed(lines(before), before)).isEmpty();
        assertThat(changed(lines(before), after)).isEqualTo(lines(before));
    }

    private static List<String> released() throws IOException {
        try (var list = Objects.requireNonNull(ReleasedFilesTest.class.getResourceAsStream("released.txt"))) {
            return new String(list.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .toList();
        }
    }

    private static List<String> changed(List<String> released, Component... now) {
        List<String> lines = Stream.of(now).flatMap(c -> lines(c).stream()).toList();
        return released.stream().filter(line -> !lines.contains(line)).toList();
    }

    private static List<String> lines(Component component) {
        return component.migrations().stream()
                .map(file -> component.name() + " " + file.file() + " " + sha256(file.sql()))
                .toList();
    }

    private static String sha256(String text) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new LinkageError("every Java has it", e);
        }
    }
}
