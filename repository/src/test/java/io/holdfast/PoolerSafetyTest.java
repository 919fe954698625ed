package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Behind a pooler in transaction mode two transactions of one client may run on two server connections: whatever lives in a
 * session is lost, or worse, found by a stranger. So no main source may contain such SQL or such a setting. Migrations run
 * over a direct connection; what they may do beyond the rules is listed all the same.
 */
class PoolerSafetyTest {

    /** Rule and file, and why. What is not needed any more has to go. */
    private static final Map<String, String> EXCEPTIONS = Map.ofEntries(
            Map.entry(
                    "J01 Database.java",
                    "the command line begins its transactions itself, on connections that are not pooled"),
            Map.entry("J01 MigrationLock.java", "over a direct connection, and put back as it was"),
            Map.entry("J01 NamedAsMapped.java", "a mapped table's schema, not a connection's"),
            Map.entry(
                    "J01 OwnPool.java", "nothing is sent where it is the database's default, as it is unless changed"),
            Map.entry("J05 CheckpointPurge.java", "of constants: what counts and what removes look for the same rows"),
            Map.entry("J05 EndedWorkflows.java", "of constants: what counts and what removes look for the same rows"),
            Map.entry("J05 ExpiredKeys.java", "of constants: what counts and what removes look for the same rows"),
            Map.entry(
                    "J05 FinishedWorkflows.java", "of constants: what counts and what removes look for the same rows"),
            Map.entry("J05 JournalPurge.java", "of constants: what counts and what removes look for the same rows"),
            Map.entry("J05 OldSessions.java", "of constants: what counts and what removes look for the same rows"),
            Map.entry(
                    "J06 Main.java",
                    "the command line says how old something is; what it does is judged by the database"),
            Map.entry("P12 SchemaScript.java", "a script that people run, over a direct connection"),
            Map.entry("P13 SchemaScript.java", "the history table's default is Flyway's"),
            Map.entry("P16 OwnSessions.java", "this is how a pooler is told"));

    @Test
    void noMainSourceNeedsASession() throws IOException {
        List<Path> sources = mainSources();
        assertThat(sources)
                .hasSizeGreaterThan(100)
                .anyMatch(path -> path.toString().endsWith(".sql"));
        Map<String, String> found = new TreeMap<>();
        for (Path source : sources) {
            String text = Files.readString(source);
            String file = source.getFileName().toString();
            Map<String, String> broken =
                    file.endsWith(".sql") ? PoolerRules.brokenBySql(text) : PoolerRules.brokenBy(text);
            broken.forEach((rule, words) -> found.put(rule + " " + file, words));
        }
        assertThat(found.keySet()).as("broken: %s", found).containsExactlyInAnyOrderElementsOf(EXCEPTIONS.keySet());
    }

    /** Two names may have one hash, and its number may be somebody else's. Only migrations take one, of the whole schema. */
    @Test
    void noStatementOfTheStoresTakesAnAdvisoryLock() throws IOException {
        List<String> found = new ArrayList<>();
        for (Path source : mainSources()) {
            if (PoolerRules.takesAnAdvisoryLock(Files.readString(source))) {
                found.add(source.getFileName().toString());
            }
        }
        assertThat(found).containsExactly("MigrationLock.java");
        assertThat(PoolerRules.takesAnAdvisoryLock("select pg_try_advisory_xact_lock_shared(1)"))
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "P01 | set statement_timeout = 0",
                "P01 | select 1; SET SESSION AUTHORIZATION x",
                "P01 | set time zone 'UTC'",
                "P01 | set session characteristics as transaction read only",
                "P02 | reset all",
                "P02 | discard plans",
                "P03 | select set_config('lock_timeout', '1s', false)",
                "P03 | select set_config('lock_timeout', coalesce(cast(:t as text), current_setting('x')), :local)",
                "P04 | select pg_advisory_lock(1)",
                "P04 | select pg_try_advisory_lock_shared(1)",
                "P04 | select pg_advisory_unlock_all()",
                "P05 | listen jobs",
                "P05 | notify jobs",
                "P05 | select pg_notify('jobs', '')",
                "P06 | prepare p as select 1",
                "P06 | execute p",
                "P06 | deallocate all",
                "P06 | commit prepared 'x'",
                "P07 | declare c cursor with hold for select 1",
                "P07 | fetch 10 from c",
                "P08 | create temporary table x (n int)",
                "P08 | create local temp table x (n int)",
                "P08 | select 1 from pg_temp.x",
                "P09 | load 'auto_explain'",
                "P09 | create extension if not exists vector",
                "P10 | select currval('s')",
                "P10 | select lastval()",
                "P11 | create index concurrently i on {lease} (id)",
                "P11 | vacuum {lease}",
                "P11 | create database x",
                "P11 | alter system set x = 1",
                "P12 | begin",
                "P12 | savepoint a",
                "P12 | update {lease} set token = 1; commit",
                "P13 | select now()",
                "P13 | update {lease} set expires_at = current_timestamp",
                "P13 | select statement_timestamp()",
                "P14 | select a <=> b",
                "P14 | select cast(1 as x)::vector",
                "P14 | select vector_dims(a)",
                "P15 | select * from {lease}",
                "P15 | select l.* from {lease} l",
                "P15 | insert into {lease} (id) values (1) returning *",
                "P15 | update {lease} t set token = 1 returning t.*",
                "P16 | select pg_backend_pid()",
                "P16 | select pg_terminate_backend(1)",
                "P16 | select inet_client_addr()",
                "P17 | select lo_create(0)",
                "P18 | copy {lease} to stdout",
                "P19 | lock table {lease}"
            })
    void theScanOfSqlSees(String rule, String sql) {
        assertThat(PoolerRules.brokenBySql(sql)).containsKey(rule);
        assertThat(PoolerRules.brokenBy("String SQL = \"" + sql + "\";")).containsKey(rule);
        assertThat(PoolerRules.brokenBy("String SQL = \"\"\"\n    " + sql + "\n    \"\"\";"))
                .containsKey(rule);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "J01 | connection.setTransactionIsolation(2)",
                "J01 | config.setReadOnly(true)",
                "J01 | connection.setAutoCommit(false)",
                "J02 | config.setConnectionInitSql(sql)",
                "J02 | config.addDataSourceProperty(\"schema\", name)",
                "J03 | \"jdbc:postgresql://host/db?currentSchema=x\"",
                "J03 | \"jdbc:postgresql://host/db?a=b&options=-c%20x\"",
                "J03 | config.addDataSourceProperty(\"prepareThreshold\", \"5\")",
                "J03 | \"jdbc:postgresql://host/db?prepareThreshold=1\"",
                "J04 | static final ThreadLocal<Connection> OURS = new ThreadLocal<>();",
                "J05 | query(\"select 1 from \" + table + \" where x\")",
                "J05 | query(\"delete from \" + table)",
                "J05 | String.format(\"select 1 from %s\", table)",
                "J06 | Instant.now()",
                "J06 | ZonedDateTime.now(zone)",
                "J06 | new Date()",
                "J06 | Clock.systemUTC()",
                "J06 | Clock.tickMillis(zone)",
                "J06 | InstantSource.system()",
                "J06 | System.currentTimeMillis()",
                "J06 | Thread.sleep(1)",
                "J08 | \"%d rows\".formatted(count)",
                "J08 | name.toLowerCase()",
                "J08 | String.format(\"%d rows\", count)",
                "J07 | .property(\"hibernate.connection.isolation\", \"8\")",
                "J07 | .property(\"hibernate.connection.handling_mode\", \"x\")",
                // A statement in pieces is one.
                "P03 | sql(\"select set_config('lock_timeout',\" + \" '1s', false)\")"
            })
    void theScanOfJavaSees(String rule, String source) {
        assertThat(PoolerRules.brokenBy(source)).containsKey(rule);
    }

    @Test
    void everyRuleIsShownToSee() throws NoSuchMethodException {
        List<String> shown = new ArrayList<>();
        for (String scan : List.of("theScanOfSqlSees", "theScanOfJavaSees")) {
            CsvSource source = getClass()
                    .getDeclaredMethod(scan, String.class, String.class)
                    .getAnnotation(CsvSource.class);
            Stream.of(source.value()).map(line -> line.split(" ")[0]).forEach(shown::add);
        }
        assertThat(shown).containsAll(PoolerRules.all());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "update {lease} x\n set owner = :o",
                "set local lock_timeout = '1s'",
                "set transaction isolation level read committed",
                "select set_config('lock_timeout', :ms, true)",
                "select set_config('lock_timeout', coalesce(cast(:t as text), current_setting('x')), true)",
                "select pg_advisory_xact_lock(1)",
                "select pg_try_advisory_xact_lock(1)",
                "select clock_timestamp() -- now() is when the transaction began",
                "with a as (select id from {lease} l) select a.* from a",
                "select count(*) from {lease}",
                "select id from {lease} fetch first 10 rows only",
                "select nextval('s')",
                "insert into {lease} (id) values (1) returning id"
            })
    void theScanOfSqlLetsPass(String sql) {
        assertThat(PoolerRules.brokenBySql(sql)).isEmpty();
        assertThat(PoolerRules.brokenBy("String SQL = \"\"\"\n    " + sql + "\n    \"\"\";"))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/** Never pg_advisory_lock(1). */",
                "  // \"listen jobs\" hears nothing",
                "char quote = '\"'; // \"listen jobs\"",
                "sql(\"select set_config('lock_timeout',\" + \" '1s', true)\")",
                "config.addDataSourceProperty(\"prepareThreshold\", \"0\")",
                "throw new Refused(\"The key \" + key + \" is taken\")",
                "ThreadLocalRandom.current()",
                "String.format(Locale.ROOT, \"%d rows\", count)",
                "name.toLowerCase(Locale.ROOT)"
            })
    void theScanOfJavaLetsPass(String source) {
        assertThat(PoolerRules.brokenBy(source)).isEmpty();
    }

    /** Java and resources of every published module; a test runs in its module's folder. */
    private static List<Path> mainSources() throws IOException {
        List<Path> sources = new ArrayList<>();
        try (Stream<Path> modules = Files.list(Path.of("").toAbsolutePath().getParent())) {
            for (Path module : modules.filter(path -> !path.endsWith("bench")).toList()) {
                Path main = module.resolve("src/main");
                if (Files.isDirectory(main)) {
                    try (Stream<Path> files = Files.walk(main)) {
                        files.filter(Files::isRegularFile)
                                .sorted(Comparator.naturalOrder())
                                .forEach(sources::add);
                    }
                }
            }
        }
        return sources;
    }
}
