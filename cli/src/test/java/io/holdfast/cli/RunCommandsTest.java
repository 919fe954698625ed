package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.agent.AgentPhase;
import io.holdfast.agent.AgentState;
import io.holdfast.agent.Saved;
import io.holdfast.approval.ApprovalState;
import io.holdfast.approval.Decision;
import io.holdfast.checkpoint.Checkpoint;
import io.holdfast.checkpoint.CheckpointCreation;
import io.holdfast.checkpoint.Definition;
import io.holdfast.checkpoint.DefinitionHash;
import io.holdfast.checkpoint.RunStart;
import io.holdfast.checkpoint.SavedCheckpoint;
import io.holdfast.checkpoint.Saving;
import io.holdfast.checkpoint.Waiting;
import io.holdfast.codec.Document;
import io.holdfast.journal.Committed;
import io.holdfast.journal.EffectId;
import io.holdfast.journal.JournalCommit;
import io.holdfast.journal.RecoverableRun;
import io.holdfast.journal.RunClaim;
import io.holdfast.journal.RunStatus;
import io.holdfast.journal.StepKey;
import io.holdfast.lease.Acquisition;
import io.holdfast.lease.Lease;
import io.holdfast.lease.LeaseKey;
import io.holdfast.migrations.Components;
import io.holdfast.migrations.Migrator;
import io.holdfast.repository.Holdfast;
import io.holdfast.testing.TestDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What operators see of runs, approvals and effects, and what they settle. */
class RunCommandsTest {

    private Rows rows;

    @BeforeEach
    void open() {
        rows = Rows.runs();
    }

    @AfterEach
    void close() {
        rows.close();
    }

    private JsonNode json(String command) {
        Shell.Result result = rows.shell.run((command + " --json").split(" "));
        assertThat(result.status()).as(result.err()).isZero();
        return JsonMapper.shared().readTree(result.out());
    }

    private static List<String> column(JsonNode list, String column) {
        List<String> values = new ArrayList<>();
        list.forEach(row -> values.add(row.path(column).asString()));
        return values;
    }

    private Shell.Result settle(String id, String... more) {
        return run("approval settle " + id + " --scope acme --yes", more);
    }

    private static String effect(String run) {
        return EffectId.of(Rows.ACME, run, StepKey.visit("refund", 1), 0).hex();
    }

    private Shell.Result resolve(String run, String finding, String... more) {
        return run("effect resolve " + run + " " + effect(run) + " " + finding + " --scope acme --yes", more);
    }

    private Shell.Result run(String command, String... more) {
        List<String> all = new ArrayList<>(List.of(command.split(" ")));
        all.addAll(List.of(more));
        return rows.shell.run(all.toArray(String[]::new));
    }

    private String noted() {
        return rows.database.value(
                "select string_agg(concat_ws('|', action, target, done_by, reason, before ->> 'state',"
                        + " before ->> 'run'), E'\\n') from holdfast.operator_action");
    }

    @Test
    void runsAreListedWithWhatEachStoreHasOfThem() {
        assertThat(rows.shell.run("run", "list").out().lines().toList())
                .hasSize(7)
                .anyMatch(line -> line.matches("acme +chat-1 +agents +running +1 +expired +worker-9 +.*Z"))
                .anyMatch(line -> line.matches("acme +import-1 +runs +done +1 +none +- +.*Z"))
                .anyMatch(line -> line.matches("acme +refund-4 +journal +completed +2 +free +- +.*Z"));
        for (String paused : new String[] {"paused", "PAUSED"}) {
            assertThat(column(json("run list --status " + paused).path("runs"), "id"))
                    .containsExactly("refund-1", "refund-3");
        }
        assertThat(column(json("run list --scope other").path("runs"), "id")).isEmpty();
    }

    /** There, a small I has no dot, and a large one has, unless somebody says otherwise. */
    @Test
    void aStatusIsFoundInAnyCaseInATurkishDatabaseToo() {
        try (var turkish = TestDatabase.emptyWithLocale("turkish", "tr-TR");
                var holdfast = opened(turkish)) {
            holdfast.in(Rows.ACME).runs().create("chat-1", Map.of(), Map.of());
            assertThat(turkish.value("select lower('RUNNING' collate \"default\")"))
                    .isEqualTo("runn\u0131ng");
            for (String running : new String[] {"running", "RUNNING", "Running"}) {
                assertThat(Shell.on(turkish)
                                .run("run", "list", "--status", running)
                                .out())
                        .as(running)
                        .contains("chat-1");
            }
        }
    }

    private static Holdfast opened(TestDatabase database) {
        Migrator.of(database.dataSource(), "holdfast").migrate(Components.own());
        return Holdfast.open(database.dataSource());
    }

    @Test
    void crashedRunsAreThoseThatRecoveryFinds() {
        assertThat(column(json("run list --crashed").path("runs"), "id")).containsExactly("chat-1", "refund-2");
        RunClaim claim = rows.acme().runLeases().claim("refund-3", "worker-1", Duration.ofMinutes(1), "digest");
        assertThat(claim).isInstanceOf(RunClaim.Granted.class);
        rows.database.execute("update holdfast.lease set granted_at = granted_at - interval '1 hour',"
                + " expires_at = clock_timestamp() where id = 'refund-3'");
        assertThat(column(json("run list --crashed").path("runs"), "id"))
                .as("a paused run whose worker died")
                .containsExactly("chat-1", "refund-2", "refund-3");
    }

    @Test
    void crashedRunsAreAlsoThoseThatWereAnsweredAndNotWoken() {
        pausedAgent("chat-2", 0);
        pausedCheckpoint("report-1");
        for (String run : new String[] {"chat-2", "report-1"}) {
            rows.registered(run, "ap-" + run);
        }
        assertThat(crashed()).as("they wait").containsExactly("chat-1", "refund-2");
        for (String approval : new String[] {"ap-3", "ap-chat-2"}) {
            String digest = rows.acme().approvals().find(approval).orElseThrow().digest();
            rows.acme().approvals().decide(approval, Decision.approve(digest, "ann"));
        }
        rows.database.execute("update holdfast.approval set expires_at = clock_timestamp() where id = 'ap-report-1'");
        assertThat(crashed()).containsExactly("chat-1", "chat-2", "refund-2", "refund-3", "report-1");
        assertThat(column(json("run list --crashed --limit 2 --status paused").path("runs"), "id"))
                .containsExactly("chat-2", "refund-3");

        pausedAgent("chat-2", 1);
        assertThat(rows.acme().runLeases().claim("refund-3", "worker-1", Duration.ofMinutes(1), "digest"))
                .isInstanceOf(RunClaim.Granted.class);
        assertThat(crashed()).as("woken").containsExactly("chat-1", "refund-2", "report-1");
    }

    /** As the command line has them, which is as the library has them. */
    private List<String> crashed() {
        List<String> ids = column(json("run list --crashed").path("runs"), "id");
        assertThat(recoverable()).isEqualTo(ids);
        return ids;
    }

    private void pausedAgent(String run, long revision) {
        Lease lease = ((Acquisition.Granted)
                        rows.acme().leases().acquire(LeaseKey.ofRun(run), "worker-1", Duration.ofMinutes(1)))
                .lease();
        AgentState state = AgentState.of(AgentPhase.PAUSED, "{\"run_id\":\"" + run + "\",\"at\":" + revision + "}");
        assertThat(rows.acme().agentCheckpoints().pause(run, revision, state, lease.fence()))
                .isInstanceOf(Saved.Done.class);
    }

    private void pausedCheckpoint(String run) {
        Checkpoint first =
                Checkpoint.first(Definition.of(new DefinitionHash("ab".repeat(32))), "start", Document.of(Map.of()));
        SavedCheckpoint made =
                ((CheckpointCreation.Created) rows.acme().checkpoints().create(RunStart.of(run), first)).saved();
        assertThat(rows.acme().checkpoints().overwrite(made, first.paused(Waiting.ForApprovals.of("ap-" + run))))
                .isInstanceOf(Saving.Saved.class);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void aListIsReadPageByPage(int limit) {
        List<String> ids = new ArrayList<>();
        JsonNode page = json("run list --limit " + limit);
        while (true) {
            ids.addAll(column(page.path("runs"), "id"));
            if (page.path("next").isNull()) {
                break;
            }
            page = json("run list --limit " + limit + " --after "
                    + page.path("next").asString());
        }
        assertThat(ids).containsExactly("chat-1", "import-1", "refund-1", "refund-2", "refund-3", "refund-4");
    }

    @Test
    void aRunIsShownWithItsEffectsApprovalsAndEvents() {
        Shell.Result shown = run("run show refund-1 --scope acme");
        assertThat(shown.out())
                .contains("journal", "Its lease:", "Effects that are not settled:", "indeterminate", effect("refund-1"))
                .contains("Approvals:", "ap-1", "consumed", "approval_consumed");
        JsonNode json = json("run show chat-1 --scope acme");
        assertThat(column(json.path("stores"), "store")).containsExactly("agents");
        assertThat(json.path("lease").path("state").asString()).isEqualTo("expired");
        assertThat(run("run show refund-9 --scope acme").status()).isEqualTo(1);
        assertThat(run("run show refund-1").err()).contains("no run refund-1 without a scope");
    }

    @Test
    void approvalsAreListedWithWhatBecameOfTheirEffect() {
        assertThat(rows.shell.run("approval", "list").out().lines().toList())
                .anyMatch(line -> line.matches("acme +ap-1 +refund-1 +consumed +no +ann +refund#1 +indeterminate +.*Z"))
                .anyMatch(line -> line.matches("acme +ap-2 +refund-2 +consumed +no +ann +refund#1 +pending +.*Z"))
                .anyMatch(line -> line.matches("acme +ap-3 +refund-3 +pending +no +- +- +- +.*Z"));
        assertThat(column(json("approval list --state pending").path("approvals"), "id"))
                .containsExactly("ap-3");
        assertThat(column(json("approval list --run refund-4").path("approvals"), "id"))
                .containsExactly("ap-4");
        assertThat(column(json("approval list --expired").path("approvals"), "id"))
                .isEmpty();
        JsonNode first = json("approval list --limit 3");
        assertThat(column(
                        json("approval list --limit 3 --after "
                                        + first.path("next").asString())
                                .path("approvals"),
                        "id"))
                .containsExactly("ap-4");
    }

    @Test
    void anApprovalIsShownWithoutItsPayload() {
        Shell.Result shown = run("approval show ap-1 --scope acme");
        assertThat(shown.out()).contains("indeterminate", "refund#1").doesNotContain("\"refund\"");
        assertThat(run("approval show ap-9 --scope acme").status()).isEqualTo(1);
    }

    @Test
    void anApprovalThatWasLeftBehindIsWithdrawnAndThatIsNoted() {
        Shell.Result done = settle("ap-3", "--reason", "its run is gone");
        assertThat(done.status()).as(done.err()).isZero();
        assertThat(done.out()).contains("withdrawn: it was pending");
        var approval = rows.acme().approvals().find("ap-3").orElseThrow();
        assertThat(approval.state()).isEqualTo(ApprovalState.WITHDRAWN);
        assertThat(noted()).isEqualTo("approval settle|ap-3|ada@ops-1|its run is gone|pending|refund-3");
        assertThat(run("approval show ap-3 --scope acme").out()).contains("Done by hand:", "its run is gone");
        assertThat(settle("ap-3", "--reason", "again").err()).contains("it was withdrawn before");
        assertThat(noted().lines()).hasSize(1);
    }

    @Test
    void aRunThatHadHeardOfTheApprovalIsWokenWhenItIsWithdrawn() {
        rows.acme()
                .approvals()
                .decide(
                        "ap-3",
                        Decision.approve(
                                rows.acme()
                                        .approvals()
                                        .find("ap-3")
                                        .orElseThrow()
                                        .digest(),
                                "ann"));
        RunClaim.Granted claim = (RunClaim.Granted)
                rows.acme().runLeases().claim("refund-3", "worker-1", Duration.ofMinutes(1), "digest");
        JournalCommit again =
                JournalCommit.to(claim.head()).status(RunStatus.PAUSED).build();
        assertThat(rows.acme().journal().commit(claim.lease().fence(), again)).isInstanceOf(Committed.Done.class);
        assertThat(recoverable()).doesNotContain("refund-3");
        assertThat(settle("ap-3", "--reason", "asked twice").status()).isZero();
        assertThat(recoverable()).contains("refund-3");
    }

    private List<String> recoverable() {
        return rows.acme().runLeases().recoverable("", 100).runs().stream()
                .map(RecoverableRun::id)
                .toList();
    }

    @ParameterizedTest
    @CsvSource({"ap-1, it was consumed", "ap-4, it was withdrawn before", "ap-9, no approval"})
    void whatIsSettledIsNotSettledAgain(String id, String why) {
        Shell.Result refused = settle(id, "--reason", "r");
        assertThat(refused.status()).isEqualTo(1);
        assertThat(refused.err()).contains(why);
        assertThat(noted()).isNull();
    }

    @ParameterizedTest
    @CsvSource({"approved, somebody has decided it meanwhile", "rejected, it was rejected"})
    void aDecisionThatTheDeedWaitedForStands(String verdict, String why) throws Exception {
        Shell.Result refused = rows.against(
                "update holdfast.approval set status = '" + verdict + "', verdict = '" + verdict
                        + "', decided_by = 'bob',"
                        + " decided_reason = '', decided_at = clock_timestamp() where id = 'ap-3'",
                () -> settle("ap-3", "--reason", "asked twice"));
        assertThat(refused.status()).isEqualTo(1);
        assertThat(refused.err()).contains(why);
        assertThat(noted()).isNull();
    }

    @Test
    void aDecisionThatComesWhileTheOperatorThinksStands() {
        Shell thinking = new Shell(
                rows.shell.environment(),
                new Terminal() {
                    @Override
                    public boolean present() {
                        return true;
                    }

                    @Override
                    public boolean colours() {
                        return false;
                    }

                    @Override
                    public String ask(String question) {
                        rows.database.execute("update holdfast.approval set status = 'approved', verdict = 'approved',"
                                + " decided_by = 'bob', decided_reason = '', decided_at = clock_timestamp()"
                                + " where id = 'ap-3'");
                        return "yes";
                    }
                },
                rows.shell.clock());
        Shell.Result refused = thinking.run("approval", "settle", "ap-3", "--scope", "acme", "--reason", "asked twice");
        assertThat(refused.status()).isEqualTo(1);
        assertThat(refused.err()).contains("somebody has decided it meanwhile");
        assertThat(noted()).isNull();
    }

    @Test
    void deedsAreNotDoneWithoutAYes() {
        for (String[] deed : new String[][] {
            {"approval", "settle", "ap-3", "--scope", "acme", "--reason", "r"},
            {"effect", "resolve", "refund-1", effect("refund-1"), "failed", "--scope", "acme", "--reason", "r"},
        }) {
            assertThat(rows.shell.run(deed).status()).isEqualTo(2);
            Shell.Result refused = rows.shell.answering("no").run(deed);
            assertThat(refused.err()).contains("This ", "nothing was done: not confirmed");
            assertThat(refused.status()).isEqualTo(1);
        }
        assertThat(noted()).isNull();
    }

    @Test
    void effectsThatAreNotSettledAreListed() {
        assertThat(rows.shell.run("effect", "list").out().lines().toList())
                .hasSize(3)
                .anyMatch(line ->
                        line.matches("acme +refund-1 +refund#1 +0 +indeterminate +paused +- +nx-\\w+ +\\w{64} +.*Z"))
                .anyMatch(line -> line.matches("acme +refund-2 +refund#1 +0 +pending +running +- .*Z"));
        assertThat(column(json("effect list --state indeterminate").path("effects"), "run"))
                .containsExactly("refund-1");
        JsonNode first = json("effect list --limit 1");
        assertThat(column(
                        json("effect list --after " + first.path("next").asString())
                                .path("effects"),
                        "run"))
                .containsExactly("refund-2");
        rows.database.execute("update holdfast.execution set status = 'failed', watched = false where id = 'refund-2'");
        assertThat(column(json("effect list").path("effects"), "run")).containsExactly("refund-1");
        assertThat(column(json("effect list --ended").path("effects"), "run")).containsExactly("refund-1", "refund-2");
    }

    @Test
    void whatSomebodyFoundOutIsToldByTheJournalAndTheLeaseIsFreeAgain() {
        Shell.Result done = resolve("refund-1", "not_applied", "--reason", "no such refund at the bank", "--by", "ada");
        assertThat(done.status()).as(done.err()).isZero();
        assertThat(rows.database.value("select concat_ws('|', status, resolution, resolved_by)"
                        + " from holdfast.execution_effect where run_id = 'refund-1'"))
                .isEqualTo("resolved|not_applied|ada");
        assertThat(rows.database.value("select payload from holdfast.execution_event where type = 'effect_resolved'"))
                .contains("no such refund at the bank", "ada");
        assertThat(rows.database.value("select owner from holdfast.lease where id = 'refund-1'"))
                .isNull();
        Shell.Result again = resolve("refund-1", "confirmed", "--reason", "r");
        assertThat(again.status()).isEqualTo(1);
        assertThat(again.err()).contains("somebody has resolved it before");
    }

    @Test
    void aResultGoesWithTheFinding() {
        assertThat(resolve("refund-1", "confirmed", "--result", "{\"receipt\":4711}", "--reason", "statement")
                        .status())
                .isZero();
        assertThat(rows.database.value("select result from holdfast.execution_effect where run_id = 'refund-1'"))
                .isEqualTo("{\"receipt\":4711}");
        assertThat(resolve("refund-1", "confirmed", "--result", "no json", "--reason", "r")
                        .status())
                .isEqualTo(2);
    }

    @Test
    void aRunThatSomebodyIsAtWorkOnIsLeftToThem() {
        RunClaim claim = rows.acme().runLeases().claim("refund-1", "worker-1", Duration.ofMinutes(1), "digest");
        assertThat(claim).isInstanceOf(RunClaim.Granted.class);
        Shell.Result refused = resolve("refund-1", "failed", "--reason", "r");
        assertThat(refused.status()).isEqualTo(1);
        assertThat(refused.err()).contains("somebody holds the run's lease");
    }

    @Test
    void whatIsPendingOrOfAnEndedRunIsNotResolved() {
        assertThat(resolve("refund-2", "failed", "--reason", "r").err()).contains("it is pending");
        rows.database.execute("update holdfast.execution set status = 'failed', watched = false where id = 'refund-1'");
        assertThat(resolve("refund-1", "failed", "--reason", "r").err()).contains("the run has ended");
        assertThat(resolve("refund-9", "failed", "--reason", "r").err()).contains("no such effect of run refund-9");
        assertThat(run("effect resolve refund-1 zz failed --reason r --yes").status())
                .isEqualTo(2);
    }

    @Test
    void anEmptyDatabaseHasNone() {
        try (Rows empty = Rows.none()) {
            for (String list : new String[] {"run list", "run list --crashed", "approval list", "effect list"}) {
                Shell.Result result = empty.shell.run(list.split(" "));
                assertThat(result.status()).as(list).isZero();
                assertThat(result.out()).as(list).isEqualTo("none\n");
            }
        }
    }

    /** In one line. */
    private String doctor() {
        return rows.shell.run("doctor").out().replaceAll("\\s+", " ");
    }

    @Test
    void doctorFindsWhatACrashLeft() {
        assertThat(doctor())
                .contains("TROUBLE crashed-runs: runs of the agents", "the oldest chat-1")
                .contains("runs of the journal that are unfinished and in nobody's hands for over an hour: 1")
                .contains("TROUBLE unknown-outcomes: effects of unknown outcome: 1", "refund-1")
                .contains("TROUBLE open-approvals:", "the oldest ap-")
                .doesNotContain("abandoned-leases");
        resolve("refund-1", "failed", "--reason", "r");
        assertThat(doctor()).doesNotContain("unknown-outcomes");
        rows.database.execute(
                "update holdfast.execution_effect set status = 'indeterminate' where run_id = 'refund-2'");
        rows.database.execute("update holdfast.execution set status = 'failed', watched = false where id = 'refund-2'");
        assertThat(doctor())
                .contains("notice unknown-outcomes: effects of unknown outcome of runs that have ended: 1")
                .doesNotContain("open-approvals", "runs of the journal");
    }

    @Test
    void cleanupGoesThroughTheStoresOfRunsToo() {
        String[] all = "cleanup --runs done=30d --sessions 90d --entries 1".split(" ");
        List<String> dry = new ArrayList<>(List.of(all));
        dry.addAll(List.of("--dry-run", "--json"));
        JsonNode counted = JsonMapper.shared()
                .readTree(rows.shell.run(dry.toArray(String[]::new)).out());
        assertThat(counted.path("journals").asInt()).isEqualTo(1);
        assertThat(rows.shell.run(all).out())
                .contains("removed: workflows 0, keys 0, leases 0, runs 1, sessions 1, journals 1, approvals 1");
        assertThat(column(json("run list").path("runs"), "id"))
                .containsExactly("chat-1", "refund-1", "refund-2", "refund-3");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--runs running=1d",
                "--runs done=soon",
                "--sessions soon",
                "--entries 0",
                "--approvals soon",
                "--keep consumed=1d"
            })
    void whatIsNotAPolicyIsRefused(String option) {
        assertThat(run("cleanup " + option).status()).isEqualTo(2);
    }
}
