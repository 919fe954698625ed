package io.holdfast.repository;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** docs/faults.md names tests that there are, for each fault some, unless it says what it waits for. */
class FaultsPageTest {

    private static final Path ROOT = Path.of(System.getProperty("basedir", "."), "..");
    private static final Pattern NAMED = Pattern.compile("`(\\w+)#(\\w+)`");
    private static final Pattern TEST =
            Pattern.compile("@(?:Test|ParameterizedTest|RepeatedTest)\\b.*?\\bvoid (\\w+)\\(", Pattern.DOTALL);

    /** A fault: id, what it is, what happens instead, and by which tests that is shown. */
    private record Line(String id, String what, String instead, List<MatchResult> tests) {}

    @Test
    void everyTestThatIsNamedIsThere() throws IOException {
        Map<String, String> sources = testSources();
        for (Line line : lines()) {
            for (MatchResult test : line.tests()) {
                assertThat(sources).as(line.id()).containsKey(test.group(1));
                assertThat(TEST.matcher(sources.get(test.group(1))).results().map(found -> found.group(1)))
                        .as("%s: %s", line.id(), test.group())
                        .contains(test.group(2));
            }
        }
    }

    @Test
    void everyFaultHasATestOrSaysWhatItWaitsFor() throws IOException {
        assertThat(lines()).hasSizeGreaterThan(50).allSatisfy(line -> {
            assertThat(line.what()).isNotBlank();
            if (!line.instead().startsWith("waits for: ")) {
                assertThat(line.instead()).as(line.id()).isNotBlank();
                assertThat(line.tests()).as(line.id()).isNotEmpty();
            }
        });
    }

    @Test
    void everyFaultHasAnIdOfItsOwn() throws IOException {
        assertThat(lines()).extracting(Line::id).doesNotHaveDuplicates().allMatch(id -> id.matches("[A-Z]\\d+"));
    }

    private static List<Line> lines() throws IOException {
        return Files.readAllLines(ROOT.resolve("docs").resolve("faults.md")).stream()
                .filter(line -> line.matches("\\| [A-Z].*"))
                .map(line -> line.split("\\|", -1))
                .map(cells -> new Line(
                        cells[1].strip(),
                        cells[2].strip(),
                        cells[3].strip(),
                        NAMED.matcher(cells[4]).results().toList()))
                .toList();
    }

    private static Map<String, String> testSources() throws IOException {
        Map<String, String> sources = new TreeMap<>();
        for (String module : List.of("model", "migrations", "repository", "cli", "micrometer")) {
            try (Stream<Path> files = Files.walk(ROOT.resolve(module).resolve("src/test/java"))) {
                for (Path file :
                        files.filter(each -> each.toString().endsWith(".java")).toList()) {
                    String name = file.getFileName().toString();
                    sources.put(name.substring(0, name.length() - ".java".length()), Files.readString(file));
                }
            }
        }
        return sources;
    }
}
