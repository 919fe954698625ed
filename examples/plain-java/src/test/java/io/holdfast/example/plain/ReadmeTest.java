package io.holdfast.example.plain;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the README shows is what compiles and runs. */
class ReadmeTest {

    private static final Path ROOT = Path.of(System.getProperty("basedir", "."), "..", "..");

    @TempDir
    private Path classes;

    @Test
    void everyJavaBlockCompiles() throws IOException {
        var blocks = new JavaBlocks(readme());
        assertThat(blocks.count()).isPositive();
        assertThat(blocks.errors(classes)).isEmpty();
    }

    @Test
    void aBlockThatDoesNotCompileIsReportedWithItsLineOfThePage() throws IOException {
        var page = """
                # Page
                ```java
                import java.util.List;
                List<String> names = List.of();
                ```
                ```sh
                no Java
                ```
                ```java
                names.add(42);
                ```
                """;
        assertThat(new JavaBlocks(page.lines().toList()).errors(classes))
                .singleElement()
                .asString()
                .startsWith("line 10: ");
    }

    @Test
    void theFirstTwoShellBlocksAreTheDemoAndTheTestsEachAlone() throws IOException {
        List<String> commands = found("(?ms)^```sh\\n(.*?)\\n```$");
        assertThat(commands.get(0))
                .startsWith("mvn ")
                .contains("examples/plain-java")
                .doesNotContain("\n");
        assertThat(commands.get(1)).startsWith("mvn ").contains("verify").doesNotContain("\n");
    }

    @Test
    void everyLinkLeadsSomewhere() throws IOException {
        assertThat(found("]\\(([^)#:]+)\\)"))
                .isNotEmpty()
                .allSatisfy(target -> assertThat(ROOT.resolve(target)).exists());
    }

    private static List<String> found(String pattern) throws IOException {
        var matcher = Pattern.compile(pattern).matcher(String.join("\n", readme()));
        List<String> found = new ArrayList<>();
        while (matcher.find()) {
            found.add(matcher.group(1));
        }
        return found;
    }

    private static List<String> readme() throws IOException {
        return Files.readAllLines(ROOT.resolve("README.md"));
    }
}
