package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Behind a pooler in transaction mode two transactions of one client may run on two server connections: whatever lives in a
 * session is lost, or worse, found by a stranger. So no main source may contain such SQL. Migrations are exempt: they run
 * over a direct connection.
 */
class PoolerSafetyTest {

    /** A statement begins at the start of a literal, or after a semicolon. */
    private static final String BEGINS = "(?:\"|;)\\s*";

    private static final Pattern UNSAFE = Pattern.compile(
            String.join(
                    "|",
                    BEGINS + "set\\s+(?!local\\b|transaction\\b|constraints\\b)",
                    BEGINS + "(?:reset|discard|listen|unlisten|prepare|deallocate|load)\\s",
                    "\\bpg_(?:try_)?advisory_(?:lock|unlock)\\w*\\s*\\(",
                    "\\bset_config\\s*\\([^()]*,\\s*false\\s*\\)",
                    "\\bwith\\s+hold\\b",
                    "\\bcreate\\s+(?:(?:local|global)\\s+)?temp(?:orary)?\\b",
                    "\\bpg_temp\\b",
                    "\\bset\\s+session\\b",
                    // Through the driver or the pool, these are a SET of the session, too.
                    "\\.set(?:TransactionIsolation|ConnectionInitSql|Schema|Holdability)\\s*\\(",
                    "[?&](?:currentSchema|options)="),
            Pattern.CASE_INSENSITIVE);

    private static final Pattern COMMENT = Pattern.compile("/\\*.*?\\*/|(?m:^\\s*//.*$)", Pattern.DOTALL);

    @Test
    void noMainSourceNeedsASession() throws IOException {
        List<Path> sources = mainSources();
        assertThat(sources).hasSizeGreaterThan(10);
        List<String> found = new ArrayList<>();
        for (Path source : sources) {
            for (String unsafe : unsafe(Files.readString(source))) {
                found.add(source + ": " + unsafe);
            }
        }
        assertThat(found).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"set statement_timeout = 0\"",
                "\"\"\"\n    SET search_path to x",
                "\"begin; set lock_timeout = 1\"",
                "\"listen jobs\"",
                "select pg_advisory_lock(1)",
                "select pg_try_advisory_lock_shared(1)",
                "select pg_advisory_unlock_all()",
                "select set_config('lock_timeout', '1s', false)",
                "declare c cursor with hold for",
                "create temporary table x",
                "connection.setTransactionIsolation(2)",
                "config.setConnectionInitSql(sql)",
                "jdbc:postgresql://host/db?currentSchema=x"
            })
    void theScanSees(String source) {
        assertThat(unsafe(source)).isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "update lease x\n set owner = :o",
                "\"set local lock_timeout = '1s'\"",
                "\"set transaction isolation level read committed\"",
                "select set_config('lock_timeout', :ms, true)",
                "select pg_advisory_xact_lock(1)",
                "select pg_try_advisory_xact_lock(1)",
                "/** Never pg_advisory_lock(1). */",
                "  // \"listen jobs\" hears nothing"
            })
    void theScanLetsPass(String source) {
        assertThat(unsafe(source)).isEmpty();
    }

    private static List<String> unsafe(String source) {
        return UNSAFE.matcher(COMMENT.matcher(source).replaceAll(""))
                .results()
                .map(result -> result.group().strip())
                .toList();
    }

    /** Java and resources of every published module but migrations; a test runs in its module's folder. */
    private static List<Path> mainSources() throws IOException {
        try (Stream<Path> modules = Files.list(Path.of("").toAbsolutePath().getParent())) {
            List<Path> sources = new ArrayList<>();
            for (Path module :
                    modules.filter(path -> !path.endsWith("migrations")).toList()) {
                Path main = module.resolve("src/main");
                if (Files.isDirectory(main)) {
                    try (Stream<Path> files = Files.walk(main)) {
                        files.filter(Files::isRegularFile).forEach(sources::add);
                    }
                }
            }
            return sources;
        }
    }
}
