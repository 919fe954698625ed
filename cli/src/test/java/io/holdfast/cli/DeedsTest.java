package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lease.Lease;
import io.holdfast.lease.Loss;
import io.holdfast.lease.Renewal;
import io.holdfast.workflow.Update;
import io.holdfast.workflow.Workflow;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Break and cancel: what they do, what they note, and who loses a race with them. */
class DeedsTest {

    private static Rows rows;
    private String id;

    @BeforeAll
    static void open() {
        rows = Rows.none();
    }

    @AfterAll
    static void close() {
        rows.close();
    }

    @BeforeEach
    void name(TestInfo test) {
        id = test.getTestMethod().orElseThrow().getName() + "-" + Long.toString(System.nanoTime(), 36);
        rows.workflow(id);
    }

    private Shell.Result breakLease(String... more) {
        return deed("lease", "break", "workflow", id, more);
    }

    private Shell.Result cancel(String... more) {
        return run(rows.shell, "workflow cancel " + id, more);
    }

    private static Shell.Result deed(String group, String command, String kind, String id, String... more) {
        return run(rows.shell, group + " " + command + " " + kind + " " + id, more);
    }

    private static Shell.Result run(Shell shell, String command, String... more) {
        String[] given = (command + " --scope acme").split(" ");
        String[] all = java.util.Arrays.copyOf(given, given.length + more.length);
        System.arraycopy(more, 0, all, given.length, more.length);
        return shell.run(all);
    }

    private String noted() {
        return rows.database.value(
                "select string_agg(concat_ws('|', action, target, done_by, reason, before ->> 'owner',"
                        + " before ->> 'token', before ->> 'status', before ->> 'revision'), E'\\n' order by done_at)"
                        + " from holdfast.operator_action where scope = 'acme' and target like '%" + id + "'");
    }

    @Test
    void aBrokenLeaseFencesItsHolderOffAndTheNextTokenIsGreater() {
        Lease lease = rows.lease(id, "worker-7");
        Workflow read = rows.acme().workflows().find(id).orElseThrow();
        Shell.Result broken = breakLease("--reason", "hangs", "--yes");
        assertThat(broken.status()).as(broken.err()).isZero();
        assertThat(broken.out())
                .contains("worker-7 under token " + lease.fence().token() + " is fenced off");
        assertThat(noted())
                .isEqualTo("lease break|workflow " + id + "|ada@ops-1|hangs|worker-7|"
                        + lease.fence().token());
        assertThat(rows.acme().leases().renew(lease.key(), lease.fence())).isEqualTo(new Renewal.Lost(Loss.NONE));
        assertThat(rows.acme().workflows().updateFenced(read, read.state(), lease.fence()))
                .isInstanceOf(Update.FenceLost.class);
        assertThat(rows.lease(id, "worker-8").fence().token())
                .isGreaterThan(lease.fence().token());
        assertThat(run(rows.shell, "lease show workflow " + id).out()).contains("Done by hand:", "ada@ops-1", "hangs");
    }

    @Test
    void machinesAreToldWhatWasDone() {
        rows.lease(id, "worker-7");
        Shell.Result broken = breakLease("--reason", "hangs", "--yes", "--by", "runbook 12", "--json");
        JsonNode json = JsonMapper.shared().readTree(broken.out());
        assertThat(json.path("broken").asBoolean(false)).isTrue();
        assertThat(json.path("done_by").asString()).isEqualTo("runbook 12");
        assertThat(json.path("operator_action").asString()).hasSize(36);
        assertThat(noted()).contains("|runbook 12|");
    }

    @ParameterizedTest
    @ValueSource(strings = {"no", "y", "", "YES"})
    void onlyYesIsYes(String answer) {
        Lease lease = rows.lease(id, "worker-7");
        Shell.Result result = run(rows.shell.answering(answer), "lease break workflow " + id, "--reason", "hangs");
        assertThat(result.status()).isEqualTo(1);
        assertThat(result.err())
                .contains(
                        "This breaks the lease workflow " + id + " of scope acme",
                        "held by worker-7 under token " + lease.fence().token())
                .contains("nothing was done: not confirmed");
        assertThat(noted()).isNull();
        assertThat(rows.acme().leases().renew(lease.key(), lease.fence())).isInstanceOf(Renewal.Renewed.class);
    }

    @Test
    void aPersonWhoSaysYesGetsItDone() {
        rows.lease(id, "worker-7");
        assertThat(run(rows.shell.answering("yes"), "lease break workflow " + id, "--reason", "hangs")
                        .status())
                .isZero();
        assertThat(run(rows.shell.answering("yes"), "workflow cancel " + id, "--reason", "called")
                        .status())
                .isZero();
        assertThat(noted().lines()).hasSize(2);
    }

    @Test
    void withoutATerminalItIsRefusedUnlessSomebodySaysYesBefore() {
        rows.lease(id, "worker-7");
        Shell.Result result = breakLease("--reason", "hangs");
        assertThat(result.status()).isEqualTo(2);
        assertThat(result.err()).contains("This breaks the lease", "--yes");
        assertThat(cancel("--reason", "hangs").status()).isEqualTo(2);
        assertThat(noted()).isNull();
    }

    @Test
    void withoutAReasonItIsRefused() {
        rows.lease(id, "worker-7");
        assertThat(breakLease("--yes").err()).contains("--reason");
        assertThat(breakLease("--yes", "--reason", " ").status()).isEqualTo(2);
        assertThat(breakLease("--yes", "--reason", "x".repeat(257)).status()).isEqualTo(2);
        assertThat(breakLease("--yes", "--reason", "a\u001bb").status()).isEqualTo(2);
        assertThat(cancel("--yes").status()).isEqualTo(2);
        assertThat(noted()).isNull();
    }

    @Test
    void whatIsNotHeldIsNotBroken() {
        assertThat(breakLease("--reason", "r", "--yes").err()).contains("no lease workflow " + id);
        Lease lease = rows.lease(id, "worker-7");
        rows.database.execute("update holdfast.lease set expires_at = clock_timestamp() where id = '" + id + "'");
        assertThat(breakLease("--reason", "r", "--yes").err()).contains("has expired");
        rows.acme().leases().release(lease.key(), lease.fence());
        Shell.Result free = breakLease("--reason", "r", "--yes");
        assertThat(free.err()).contains("is free");
        assertThat(free.status()).isEqualTo(1);
        assertThat(noted()).isNull();
    }

    @Test
    void aWorkflowIsAskedToStopOnceAndTheFirstReasonStands() {
        Shell.Result first = cancel("--reason", "customer called", "--yes");
        assertThat(first.status()).as(first.err()).isZero();
        Shell.Result second = cancel("--reason", "again", "--yes");
        assertThat(second.status()).isZero();
        assertThat(second.out()).contains("asked for before");
        assertThat(noted()).isEqualTo("workflow cancel|" + id + "|ada@ops-1|customer called|created|1");
        assertThat(rows.acme()
                        .workflows()
                        .find(id)
                        .orElseThrow()
                        .cancelRequest()
                        .orElseThrow()
                        .reason())
                .contains("customer called");
    }

    @Test
    void aWorkflowThatHasEndedIsNotCancelled() {
        rows.database.execute("update holdfast.workflow set status = 'closed' where id = '" + id + "'");
        Shell.Result result = cancel("--reason", "r", "--yes");
        assertThat(result.status()).isEqualTo(1);
        assertThat(result.err()).contains("has ended already");
        assertThat(noted()).isNull();
    }

    // Races: what changed between the operator's look and the deed.

    @Test
    void aTakeoverThatCommitsFirstKeepsItsLeaseAndLeavesNoNote() throws Exception {
        Lease lease = rows.lease(id, "worker-7");
        Shell.Result result = rows.against(
                "update holdfast.lease set owner = 'worker-9', token = token + 1 where id = '" + id + "'",
                () -> breakLease("--reason", "hangs", "--yes"));
        assertThat(result.status()).isEqualTo(1);
        assertThat(result.err()).contains("passed into other hands");
        assertThat(noted()).isNull();
        assertThat(rows.database.value(
                        "select concat_ws(' ', owner, token) from holdfast.lease where id = '" + id + "'"))
                .isEqualTo("worker-9 " + (lease.fence().token() + 1));
    }

    @Test
    void aReleaseThatCommitsFirstLeavesNoNote() throws Exception {
        rows.lease(id, "worker-7");
        Shell.Result result = rows.against(
                "update holdfast.lease set owner = null where id = '" + id + "'",
                () -> breakLease("--reason", "hangs", "--yes"));
        assertThat(result.err()).contains("the lease is free");
        assertThat(noted()).isNull();
    }

    @Test
    void aLeaseThatIsRemovedFirstLeavesNoNote() throws Exception {
        rows.lease(id, "worker-7");
        Shell.Result result = rows.against(
                "delete from holdfast.lease where id = '" + id + "'", () -> breakLease("--reason", "hangs", "--yes"));
        assertThat(result.err()).contains("the lease is gone");
        assertThat(noted()).isNull();
    }

    @Test
    void aRenewalThatCommitsFirstDoesNotSaveTheHolder() throws Exception {
        Lease lease = rows.lease(id, "worker-7");
        Shell.Result result = rows.against(
                "update holdfast.lease set expires_at = expires_at + interval '1 hour' where id = '" + id + "'",
                () -> breakLease("--reason", "hangs", "--yes"));
        assertThat(result.status()).isZero();
        assertThat(rows.acme().leases().renew(lease.key(), lease.fence())).isEqualTo(new Renewal.Lost(Loss.NONE));
    }

    // A fenced write holds the lease row in key share until it commits.
    @Test
    void aFencedWriteThatIsUnderWayIsWaitedFor() throws Exception {
        rows.lease(id, "worker-7");
        Shell.Result result = rows.against(
                "select from holdfast.lease where id = '" + id + "' for key share",
                () -> breakLease("--reason", "hangs", "--yes"));
        assertThat(result.status()).as(result.err()).isZero();
    }

    @Test
    void aWorkflowThatEndsFirstIsNotCancelledAndLeavesNoNote() throws Exception {
        Shell.Result result = rows.against(
                "update holdfast.workflow set status = 'closed' where id = '" + id + "'",
                () -> cancel("--reason", "r", "--yes"));
        assertThat(result.err()).contains("has ended already");
        assertThat(noted()).isNull();
    }

    @Test
    void anotherRequestThatCommitsFirstStandsAndLeavesNoNoteOfOurs() throws Exception {
        Shell.Result result = rows.against(
                "update holdfast.workflow set cancel_requested_at = clock_timestamp(), cancel_reason = 'theirs' where id = '"
                        + id + "'",
                () -> cancel("--reason", "ours", "--yes"));
        assertThat(result.status()).isZero();
        assertThat(result.out()).contains("the first request stands");
        assertThat(noted()).isNull();
    }

    @Test
    void aLeaseThatExpiresFirstIsNotBrokenAndLeavesNoNote() throws Exception {
        rows.lease(id, "worker-7");
        Shell.Result result = rows.against(
                "update holdfast.lease set expires_at = clock_timestamp() where id = '" + id + "'",
                () -> breakLease("--reason", "hangs", "--yes"));
        assertThat(result.err()).contains("has expired");
        assertThat(noted()).isNull();
    }

    @Test
    void aWorkflowThatIsCreatedAnewWhileTheOperatorThinksIsAnotherOne() {
        Shell thinking =
                whileThinking("update holdfast.workflow set incarnation = gen_random_uuid() where id = '" + id + "'");
        Shell.Result result = run(thinking, "workflow cancel " + id, "--reason", "r");
        assertThat(result.status()).isEqualTo(1);
        assertThat(result.err()).contains("was created anew");
        assertThat(noted()).isNull();
    }

    @Test
    void aGrantWhileTheOperatorThinksIsAnotherOneEvenToTheSameOwner() {
        rows.lease(id, "worker-7");
        Shell thinking = whileThinking("update holdfast.lease set token = token + 1 where id = '" + id + "'");
        Shell.Result result = run(thinking, "lease break workflow " + id, "--reason", "r");
        assertThat(result.err()).contains("passed into other hands");
        assertThat(noted()).isNull();
    }

    /** A person who says yes, but before that somebody else runs this. */
    private static Shell whileThinking(String sql) {
        Terminal person = new Terminal() {
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
                rows.database.execute(sql);
                return "yes";
            }
        };
        return new Shell(rows.shell.environment(), person, rows.shell.clock());
    }

    @Test
    void twoOperatorsAtOnceLeaveOneNote() throws Exception {
        rows.lease(id, "worker-7");
        CompletableFuture<Shell.Result> other =
                CompletableFuture.supplyAsync(() -> breakLease("--reason", "theirs", "--yes"));
        Shell.Result ours = breakLease("--reason", "ours", "--yes");
        assertThat(ours.status() + other.get(30, TimeUnit.SECONDS).status()).isEqualTo(1);
        assertThat(noted().lines()).hasSize(1);
    }
}
