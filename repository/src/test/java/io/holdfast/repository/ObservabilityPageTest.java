package io.holdfast.repository;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import jdk.jfr.EventType;
import org.junit.jupiter.api.Test;

/** docs/observability.md says what there is: operations, outcomes, events and log lines. */
class ObservabilityPageTest {

    private static final Path ROOT = Path.of(System.getProperty("basedir", "."), "..");

    /** A level, perhaps another for the repeats, and the text. */
    private static final Pattern LOGGED = Pattern.compile(
            "Level\\.(INFO|WARNING|ERROR)(?: : System\\.Logger\\.Level\\.DEBUG)?,\\s*\"((?:[^\"\\\\]|\\\\.)*)\"");

    private static final Pattern LEVEL = Pattern.compile("Level\\.(INFO|WARNING|ERROR)\\b");

    @Test
    void everyOperationIsOnThePage() throws IOException {
        assertThat(line("**Operations:**"))
                .isEqualTo("**Operations:** "
                        + labels(Arrays.stream(Operation.values()).map(Operation::label)) + ".");
    }

    @Test
    void everyOutcomeIsOnThePage() throws IOException {
        assertThat(line("**Outcomes:**"))
                .isEqualTo("**Outcomes:** "
                        + labels(Arrays.stream(Outcome.values()).map(Outcome::label)) + ".");
    }

    @Test
    void everyEventIsOnThePageWithItsFields() throws IOException {
        List<String> rows = Stream.of(OperationEvent.class, LeaseLostEvent.class)
                .map(EventType::getEventType)
                .map(type -> "| `" + type.getName() + "` | "
                        + type.getFields().stream()
                                .map(field -> "`" + field.getName() + "`")
                                .collect(Collectors.joining(", "))
                        + " | " + type.getDescription() + " |")
                .toList();
        assertThat(lines())
                .containsAll(rows)
                .filteredOn(row -> row.startsWith("| `io."))
                .hasSameSizeAs(rows);
    }

    @Test
    void everyLogLineFromInfoOnIsOnThePage() throws IOException {
        List<String> logged = new ArrayList<>();
        for (Path source : sources()) {
            String text = Files.readString(source);
            long levels = LEVEL.matcher(text).results().count();
            Matcher found = LOGGED.matcher(text);
            List<String> here = found.results()
                    .map(line -> line.group(1) + " | `"
                            + line.group(2).replace("\\\"", "\"").replace("''", "'") + "`")
                    .toList();
            assertThat(here).as("lines found in " + source).hasSize((int) levels);
            logged.addAll(here);
        }
        List<String> told = lines().stream()
                .filter(row -> row.matches("\\| (INFO|WARNING|ERROR) \\| `.*` \\| \\S.* \\|"))
                .map(row -> row.substring(2, row.indexOf("` |") + 1))
                .toList();
        assertThat(told).containsExactlyInAnyOrderElementsOf(logged);
    }

    private static String labels(Stream<String> labels) {
        return labels.map(label -> "`" + label + "`").collect(Collectors.joining(", "));
    }

    private static List<Path> sources() throws IOException {
        List<Path> sources = new ArrayList<>();
        for (String module : List.of("model", "migrations", "repository", "micrometer")) {
            try (Stream<Path> files = Files.walk(ROOT.resolve(module).resolve("src/main/java"))) {
                files.filter(file -> file.toString().endsWith(".java")).forEach(sources::add);
            }
        }
        return sources;
    }

    private static String line(String beginning) throws IOException {
        return lines().stream()
                .filter(line -> line.startsWith(beginning))
                .findFirst()
                .orElse("none");
    }

    private static List<String> lines() throws IOException {
        return Files.readAllLines(ROOT.resolve("docs").resolve("observability.md"));
    }
}
