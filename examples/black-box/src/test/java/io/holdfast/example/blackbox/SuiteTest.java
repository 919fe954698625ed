package io.holdfast.example.blackbox;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** That the suite passes what is right and finds what is wrong. */
class SuiteTest {

    /** Those that wait for a lease's end are left out where nothing is to be found in them. */
    private static final Set<String> SLOW = Set.of(
            "lease-kept-past-its-ttl",
            "takeover-after-kill",
            "old-token-fenced-off",
            "killed-mid-write",
            "survivor-still-serves");

    private record Run(int status, String out) {

        List<String> lines() {
            return out.lines().toList();
        }

        Set<String> failed() {
            Set<String> names = new TreeSet<>();
            lines().stream()
                    .filter(line -> line.contains(" FAILED "))
                    .forEach(line -> names.add(line.substring(0, line.indexOf(' '))));
            return names;
        }
    }

    private static Run run(Set<Fault> faults, Map<String, String> cannot) throws IOException {
        FakeDatabase database = new FakeDatabase(faults);
        try (FakeApplication first = new FakeApplication(database, "a", cannot);
                FakeApplication second = new FakeApplication(database, "b", cannot)) {
            Run run = run("--first", first.argument(), "--second", second.argument());
            assertThat(second.isAlive()).isTrue();
            return run;
        }
    }

    private static Map<String, String> slowOnesAnd(Map<String, String> others) {
        Map<String, String> cannot = new HashMap<>(others);
        SLOW.forEach(name -> cannot.put(name, "it is slow"));
        return cannot;
    }

    private static Run run(String... arguments) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(bytes, true, UTF_8);
        int status = Main.run(out, out, arguments);
        return new Run(status, bytes.toString(UTF_8));
    }

    @Test
    void anApplicationThatDoesAsItMustPassesEveryCase() throws IOException {
        Run run = run(Set.of(), Map.of());
        assertThat(run.out()).doesNotContain("FAILED").contains("fake, Hibernate none, instances a and b");
        assertThat(run.out().lines()).last().asString().matches("2\\d passed, 0 failed, 0 skipped");
        assertThat(run.status()).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "LIMIT_NOT_SAID, bad-input",
        "NOT_READY, health",
        "CHECK_LEFT_OUT, health",
        "STARTS_TWICE, concurrent-starts starts-once",
        "BREAK_IS_NOT_NOTICED, rolls-back-together",
        "WORKFLOW_SURVIVES_ROLLBACK, rolls-back-together",
        "ROW_LEFT_BEHIND, advances",
        "REVISION_NOT_LOOKED_AT, concurrent-advances conflict-by-revision",
        "ENDED_MOVES_ON, fails-for-good",
        "LISTS_EVERYTHING, lists",
        "OUTER_COMMITS, nested-commits-alone",
        "FLUSHES_EARLY, dirty-entities-left-alone",
        "DETACHES, dirty-entities-left-alone",
        "CLEARS_CACHE, cache-left-alone",
        "TOKEN_STAYS, lease-contended takeover-after-kill",
        "NOBODY_RENEWS, lease-kept-past-its-ttl",
        "TOKEN_NOT_LOOKED_AT, old-token-fenced-off work-under-fence",
        "BOTH_HOLD, lease-contended lease-kept-past-its-ttl takeover-after-kill"
    })
    void eachFaultIsFoundByTheCaseThatIsThereForIt(Fault fault, String cases) throws IOException {
        Set<String> wanted = Set.of(cases.split(" "));
        boolean quick = SLOW.stream().noneMatch(wanted::contains);
        Run run = run(EnumSet.of(fault), quick ? slowOnesAnd(Map.of()) : Map.of());
        assertThat(run.failed()).containsAll(wanted);
        assertThat(run.status()).isEqualTo(1);
        assertThat(run.out()).containsPattern("FAILED .*expected .*").doesNotContain("\tat ", "at fault");
    }

    @Test
    void aCaseThatTheApplicationCannotPassIsSkippedWithItsReason() throws IOException {
        Run run = run(Set.of(Fault.CLEARS_CACHE), slowOnesAnd(Map.of("cache-left-alone", "it has no cache")));
        assertThat(run.out()).containsPattern("cache-left-alone +skipped, because it has no cache");
        assertThat(run.out().lines()).last().asString().endsWith("0 failed, 6 skipped");
        assertThat(run.status()).isZero();
    }

    @Test
    void aReasonForACaseThatThereIsNotOrNoReasonAtAllIsAFailure() throws IOException {
        Run run = run(Set.of(), slowOnesAnd(Map.of("no-such-case", "it is slow", "lists", " ")));
        assertThat(run.failed()).containsExactly("lists", "no-such-case");
        assertThat(run.status()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "--first http://localhost:1,1",
                "--first http://localhost:1,1 --second",
                "--first http://localhost:1,1 --second http://localhost:1,2",
                "--first http://localhost:1,1 --second http://localhost:2,1",
                "--first http://localhost:1 --second http://localhost:2,2",
                "--first localhost:1,1 --second http://localhost:2,2",
                "--first http://localhost:1,x --second http://localhost:2,2",
                "--third http://localhost:1,1"
            })
    void aCommandLineThatIsNoneIsRefusedInALine(String line) {
        Run run = run(line.isEmpty() ? new String[0] : line.split(" "));
        assertThat(run.status()).isEqualTo(2);
        assertThat(run.lines()).singleElement().asString().endsWith("; see --help.");
    }

    @Test
    void aProcessThatHasEndedIsNotWaitedFor() throws Exception {
        Process gone = new ProcessBuilder("true").start();
        gone.waitFor();
        Run run = run("--first", "http://localhost:1," + gone.pid(), "--second", "http://localhost:2,1");
        assertThat(run.status()).isEqualTo(2);
        assertThat(run.lines()).containsExactly("process " + gone.pid() + " is not there, or has ended");
    }

    @Test
    void helpIsNotAnError() {
        Run run = run("--help");
        assertThat(run.status()).isZero();
        assertThat(run.out()).contains("--first URL,PID", "--second URL,PID", "Exit status");
    }
}
