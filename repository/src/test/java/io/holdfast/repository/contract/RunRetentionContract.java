package io.holdfast.repository.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.agent.AgentStatus;
import io.holdfast.approval.ApprovalRequest;
import io.holdfast.approval.ApprovalState;
import io.holdfast.approval.Expiry;
import io.holdfast.checkpoint.CheckpointStatus;
import io.holdfast.checkpoint.SavedCheckpoint;
import io.holdfast.cleanup.Keep;
import io.holdfast.cleanup.Kind;
import io.holdfast.cleanup.Removed;
import io.holdfast.cleanup.RetentionPace;
import io.holdfast.cleanup.RetentionPolicy;
import io.holdfast.cleanup.RetentionReport;
import io.holdfast.cleanup.RetentionRule;
import io.holdfast.journal.JournalCommit;
import io.holdfast.journal.NewRun;
import io.holdfast.journal.Opened;
import io.holdfast.journal.RunKind;
import io.holdfast.journal.RunStatus;
import io.holdfast.lease.Fence;
import io.holdfast.lease.Lease;
import io.holdfast.lease.LeaseKey;
import io.holdfast.run.Run;
import io.holdfast.run.RunChange;
import io.holdfast.run.RunCreation;
import io.holdfast.session.Message;
import io.holdfast.step.StepResult.LeaseAfter;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Retention of runs and of what belongs to them: what a policy lets go, and that a plan counts just that. */
abstract class RunRetentionContract extends CheckpointScene {

    private static final RetentionPace TWO_AT_ONCE =
            new RetentionPace(2, Duration.ofMinutes(1), 0, Duration.ZERO, Duration.ofMinutes(5));
    private static final Duration TWO_HOURS = Duration.ofHours(2);

    RunRetentionContract(Environment environment) {
        super(environment);
    }

    /** What a plan says goes; and it goes, except in a caller's transaction, where a run is refused. */
    private Removed removed(RetentionRule rule) {
        RetentionPolicy policy = RetentionPolicy.of(rule);
        RetentionReport plan = cleanup.plan(policy);
        if (!(environment instanceof JoiningEnvironment)) {
            assertThat(cleanup.run(policy, TWO_AT_ONCE, removed -> {})).isEqualTo(plan);
            assertThat(cleanup.plan(policy).scopes())
                    .as("nothing is left to do")
                    .isEmpty();
        }
        return plan.total();
    }

    private void aged(String table, String id, int hours) {
        String key = table.endsWith("checkpoint") ? "run_id" : "id";
        environment.changeRow(
                "update {" + table + "} set created_at = clock_timestamp() - ? * interval '1 hour',"
                        + " updated_at = clock_timestamp() - ? * interval '1 hour' where scope = ? and " + key + " = ?",
                hours,
                hours,
                scope.id(),
                id);
    }

    private void run(String id, int hours) {
        Run run = ((RunCreation.Created) runs.create(id, Map.of("a", 1), Map.of())).run();
        runs.update(run, RunChange.to("done").logging(Map.of("type", "ended")));
        aged("run", id, hours);
    }

    private void session(String id, int hours) {
        sessions.save(id, List.of(Message.of("user", "hello")), 0);
        aged("workspace_session", id, hours);
    }

    private void journal(String id, int hours) {
        var journal = environment.holdfast().in(scope).journal();
        environment.perform(() -> {
            Opened.Done done =
                    (Opened.Done) journal.open(NewRun.of(id, RunKind.WORKFLOW, "digest", "{}"), "worker", MINUTE);
            return journal.commit(
                    done.lease().fence(),
                    JournalCommit.to(done.head()).status(RunStatus.COMPLETED).build());
        });
        aged("execution", id, hours);
    }

    private void checkpoint(String id, int hours) {
        SavedCheckpoint read = reservedRun(id);
        Lease lease = granted(LeaseKey.ofRun(id), "worker", MINUTE);
        SavedCheckpoint next = saved(read, read.checkpoint().next("b", state(1)), lease.fence());
        saved(next, next.checkpoint().completed(state(2)), lease.fence());
        leases.release(lease.key(), lease.fence());
        aged("checkpoint", id, hours);
    }

    private void agent(String id, int hours) {
        Fence fence = leased(id);
        agents.finish(id, LeaseAfter.RELEASE, fence);
        aged("agent_checkpoint", id, hours);
    }

    private void approval(String id, int hours) {
        approvals.register(ApprovalRequest.of(id, "run-of-" + id, Map.of(), Expiry.NEVER));
        approvals.withdraw(id, "ann", "");
        environment.changeRow(
                "update {approval} set created_at = clock_timestamp() - ? * interval '1 hour',"
                        + " withdrawn_at = clock_timestamp() - ? * interval '1 hour' where scope = ? and id = ?",
                hours,
                hours,
                scope.id(),
                id);
    }

    private void everything(int hours) {
        run("run-" + hours, hours);
        session("session-" + hours, hours);
        journal("journal-" + hours, hours);
        checkpoint("checkpoint-" + hours, hours);
        agent("agent-" + hours, hours);
        approval("approval-" + hours, hours);
    }

    private static RetentionRule all(Keep keep) {
        return RetentionRule.KEEP_ALL
                .withRuns("done", keep)
                .withSessions(keep)
                .withJournals(RunStatus.COMPLETED, keep)
                .withCheckpoints(CheckpointStatus.COMPLETED, keep)
                .withAgents(AgentStatus.FINISHED, keep)
                .withApprovals(ApprovalState.WITHDRAWN, keep);
    }

    private static Removed each(int count) {
        Removed sum = Removed.NOTHING;
        for (Kind kind :
                new Kind[] {Kind.RUNS, Kind.SESSIONS, Kind.JOURNALS, Kind.CHECKPOINTS, Kind.APPROVALS, Kind.AGENTS}) {
            sum = sum.plus(Removed.of(kind, count));
        }
        return sum;
    }

    @Test
    void whatEndedLongAgoGoesFromEveryStore() {
        everything(1);
        everything(3);
        everything(5);
        everything(7);
        assertThat(removed(all(Keep.during(Duration.ofHours(8))))).isEqualTo(Removed.NOTHING);
        assertThat(removed(all(Keep.during(TWO_HOURS)))).isEqualTo(each(3));
    }

    @Test
    void theNewestStayHoweverOld() {
        everything(1);
        everything(3);
        everything(5);
        assertThat(removed(all(Keep.newest(2)))).isEqualTo(each(1));
        assertThat(cleanup.plan(RetentionPolicy.of(all(Keep.during(TWO_HOURS).atMost(1))))
                        .total())
                .as("of both the one that lets more go")
                .isEqualTo(each(environment instanceof JoiningEnvironment ? 2 : 1));
    }

    @Test
    void whatHasNoRuleIsKeptForEver() {
        everything(9);
        RetentionRule others = RetentionRule.KEEP_ALL
                .withRuns("other", Keep.newest(0))
                .withJournals(RunStatus.FAILED, Keep.newest(0))
                .withCheckpoints(CheckpointStatus.REJECTED, Keep.newest(0))
                .withAgents(AgentStatus.PURGED, Keep.newest(0))
                .withApprovals(ApprovalState.CONSUMED, Keep.newest(0));
        assertThat(removed(others)).isEqualTo(Removed.NOTHING);
        assertThat(removed(RetentionRule.KEEP_ALL)).isEqualTo(Removed.NOTHING);
    }

    @Test
    void theHistoryOfARunThatEndedLongAgoIsCut() {
        checkpoint("young", 1);
        checkpoint("old", 3);
        RetentionRule last =
                RetentionRule.KEEP_ALL.withHistories(Keep.during(TWO_HOURS).atMost(1));
        int entries = checkpoints.history("old", 0, 10).size();
        assertThat(removed(last))
                .as("all but one, and the reservation, which is not part of the history")
                .isEqualTo(Removed.of(Kind.ENTRIES, entries - 1 + 1));
        if (!(environment instanceof JoiningEnvironment)) {
            assertThat(checkpoints.history("old", 0, 10)).hasSize(1);
            assertThat(checkpoints.history("young", 0, 10)).hasSize(entries);
            assertThat(checkpoints.find("old").orElseThrow().checkpoint().status())
                    .isEqualTo(CheckpointStatus.COMPLETED);
        }
    }

    @Test
    void aScopeThatHasNothingButRunsIsFound() {
        run("run", 3);
        assertThat(environment
                        .perform(() ->
                                environment.holdfast().cleanup().plan(RetentionPolicy.of(all(Keep.during(TWO_HOURS)))))
                        .scopes())
                .containsEntry(scope, Removed.of(Kind.RUNS, 1));
    }
}
