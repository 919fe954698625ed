package io.holdfast.repository.contract;

import static io.holdfast.state.WorkflowStatus.CLOSED;
import static io.holdfast.state.WorkflowStatus.FAILED;
import static io.holdfast.state.WorkflowStatus.RUNNING;
import static io.holdfast.state.WorkflowStatus.SUCCEEDED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Scope;
import io.holdfast.cleanup.Keep;
import io.holdfast.cleanup.Removed;
import io.holdfast.cleanup.RetentionPace;
import io.holdfast.cleanup.RetentionPolicy;
import io.holdfast.cleanup.RetentionReport;
import io.holdfast.cleanup.RetentionRule;
import io.holdfast.failure.InvalidValueException;
import io.holdfast.idempotency.KeepFor;
import io.holdfast.lease.Lease;
import io.holdfast.lease.LeaseKey;
import io.holdfast.state.WorkflowState;
import io.holdfast.state.WorkflowStatus;
import io.holdfast.workflow.WorkflowFilter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Retention: what a policy lets go, that a plan counts just that, and where a run ends. */
abstract class RetentionContract extends Contract {

    private static final RetentionPace TWO_AT_ONCE =
            new RetentionPace(2, Duration.ofMinutes(1), 0, Duration.ZERO, Duration.ofMinutes(5));
    private static final Duration TWO_HOURS = Duration.ofHours(2);
    private static final RetentionRule EXPIRED = RetentionRule.KEEP_ALL.withExpired(Duration.ZERO);
    private static final Consumer<Removed> UNTOLD = removed -> {};

    RetentionContract(Environment environment) {
        super(environment);
    }

    private static RetentionPolicy keep(WorkflowStatus status, Keep keep) {
        return RetentionPolicy.of(RetentionRule.KEEP_ALL.with(status, keep));
    }

    private void aged(String id, WorkflowStatus status, int createdHoursAgo, int writtenHoursAgo) {
        created(WorkflowState.builder(id, "req-1").status(status).build());
        environment.changeRow(
                "update {workflow} set created_at = clock_timestamp() - ? * interval '1 hour',"
                        + " updated_at = clock_timestamp() - ? * interval '1 hour' where scope = ? and id = ?",
                createdHoursAgo,
                writtenHoursAgo,
                scope.id(),
                id);
    }

    private void ended(String id, WorkflowStatus status, int hoursAgo) {
        aged(id, status, hoursAgo, hoursAgo);
    }

    private boolean commitsByItself() {
        return !(environment instanceof JoiningEnvironment);
    }

    /** What a plan says goes; and it goes, except in a caller's transaction, where a run is refused. */
    private Removed removed(RetentionPolicy policy) {
        RetentionReport plan = cleanup.plan(policy);
        assertThat(plan.complete()).isTrue();
        if (commitsByItself()) {
            assertThat(cleanup.run(policy, TWO_AT_ONCE, UNTOLD)).isEqualTo(plan);
            assertThat(cleanup.plan(policy).scopes())
                    .as("nothing is left to do")
                    .isEmpty();
        } else {
            assertThatThrownBy(() -> cleanup.run(policy, TWO_AT_ONCE, UNTOLD))
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessageStartingWith("cleanup must be of a facade that commits by itself");
        }
        return plan.total();
    }

    private void assertLeft(String... ids) {
        if (commitsByItself()) {
            assertThat(workflows
                            .search(WorkflowFilter.ALL, Optional.empty(), 100)
                            .lines())
                    .extracting(line -> line.workflow().id())
                    .containsExactlyInAnyOrder(ids);
        }
    }

    @Test
    void whatEndedLongAgoGoesByTheRuleOfItsStatus() {
        ended("succeeded-1", SUCCEEDED, 1);
        ended("succeeded-3", SUCCEEDED, 3);
        ended("failed-3", FAILED, 3);
        ended("failed-5", FAILED, 5);
        ended("closed-9", CLOSED, 9);
        RetentionRule rule = RetentionRule.KEEP_ALL
                .with(SUCCEEDED, Keep.during(TWO_HOURS))
                .with(FAILED, Keep.during(Duration.ofHours(4)));
        assertThat(removed(RetentionPolicy.of(rule))).isEqualTo(new Removed(2, 0, 0));
        assertLeft("succeeded-1", "failed-3", "closed-9");
    }

    @Test
    void anAgeIsCountedFromTheEndAndItsBoundIsInclusive() {
        aged("long-lived", SUCCEEDED, 9, 1);
        aged("older", SUCCEEDED, 9, 2);
        assertThat(removed(keep(SUCCEEDED, Keep.during(TWO_HOURS)))).isEqualTo(new Removed(1, 0, 0));
        assertLeft("long-lived");
    }

    @Test
    void soManyNewestStayOfEachStatus() {
        for (int i = 1; i <= 7; i++) {
            ended("s" + i, SUCCEEDED, i);
            ended("f" + i, FAILED, i);
        }
        assertThat(removed(keep(SUCCEEDED, Keep.newest(2)))).isEqualTo(new Removed(5, 0, 0));
        assertLeft("s1", "s2", "f1", "f2", "f3", "f4", "f5", "f6", "f7");
    }

    @Test
    void whatIsTooOldOrOneTooManyGoes() {
        for (int i = 0; i < 5; i++) {
            ended("wf-" + i, CLOSED, i);
        }
        assertThat(cleanup.plan(keep(CLOSED, Keep.during(TWO_HOURS).atMost(4))).total())
                .as("two hours, three, four")
                .isEqualTo(new Removed(3, 0, 0));
        assertThat(removed(keep(CLOSED, Keep.during(TWO_HOURS).atMost(1)))).isEqualTo(new Removed(4, 0, 0));
        assertLeft("wf-0");
    }

    @Test
    void whatHasNotEndedNeverGoesHoweverOld() {
        aged("created", WorkflowStatus.CREATED, 9, 9);
        aged("running", RUNNING, 9, 9);
        ended("failed", FAILED, 9);
        assertThat(removed(keep(FAILED, Keep.newest(0)))).isEqualTo(new Removed(1, 0, 0));
        assertLeft("created", "running");
    }

    @Test
    void whoseLeaseIsHeldStaysUntilItIsNot() {
        ended("held", SUCCEEDED, 9);
        ended("lost", SUCCEEDED, 9);
        ended("released", SUCCEEDED, 9);
        Lease held = granted("held", "worker");
        granted("lost", "worker");
        expire(LeaseKey.ofWorkflow("lost"));
        Lease released = granted("released", "worker");
        leases.release(released.key(), released.fence());
        RetentionPolicy policy = keep(SUCCEEDED, Keep.newest(0));
        assertThat(removed(policy)).isEqualTo(new Removed(2, 0, 0));
        assertLeft("held");
        leases.release(held.key(), held.fence());
        assertThat(cleanup.plan(policy).total().workflows()).isEqualTo(commitsByItself() ? 1 : 3);
    }

    @Test
    void keysAndLeasesGoOnceTheirTimeIsOver() {
        for (int i = 0; i < 5; i++) {
            reserved("k-" + i, "wf-" + i);
            expireKey("k-" + i);
            granted("wf-" + i, "worker");
            expire(LeaseKey.ofWorkflow("wf-" + i));
        }
        keys.reserve("ever", "req-1", "wf", KeepFor.EVER);
        reserved("lives", "wf");
        granted("at-work", "worker");
        reserved("in-use", "at-work");
        environment.changeRow(
                "update {idempotency_key} set expires_at = clock_timestamp() where scope = ? and key = 'in-use'",
                scope.id());
        environment.changeRow(
                "update {lease} set granted_at = granted_at - interval '1 minute' where scope = ? and id = 'at-work'",
                scope.id());
        assertThat(removed(RetentionPolicy.of(EXPIRED))).isEqualTo(new Removed(0, 5, 5));
        for (String key : List.of("ever", "lives", "in-use")) {
            assertThat(keys.find(key)).isPresent();
        }
        assertThat(leases.find(LeaseKey.ofWorkflow("at-work"))).isPresent();
        assertThat(cleanup.plan(RetentionPolicy.of(RetentionRule.KEEP_ALL)).scopes())
                .isEmpty();
    }

    @Test
    void whatExpiredStaysForADayUnlessToldOtherwise() {
        reserved("k", "wf");
        expireKey("k");
        assertThat(removed(RetentionPolicy.DEFAULT)).isEqualTo(Removed.NOTHING);
        environment.changeRow(
                "update {idempotency_key} set expires_at = clock_timestamp() - interval '1 day' where scope = ?",
                scope.id());
        assertThat(removed(RetentionPolicy.DEFAULT)).isEqualTo(new Removed(0, 1, 0));
    }

    @Test // D-23: tokens only grow
    void aLeaseThatIsHadAgainHasAGreaterToken() {
        long former = granted("wf", "worker").fence().token();
        expire(LeaseKey.ofWorkflow("wf"));
        assertThat(removed(RetentionPolicy.of(EXPIRED))).isEqualTo(new Removed(0, 0, 1));
        assertThat(granted("wf", "worker").fence().token()).isGreaterThan(former);
    }

    @Test
    void aScopesOwnRuleReplacesTheUsualOneAndCountsAreByScope() {
        Tenant other = new Tenant(environment, Scope.of(scope.id() + "-other"));
        Tenant third = new Tenant(environment, Scope.of(scope.id() + "-third"));
        for (Tenant tenant : List.of(other, third)) {
            tenant.created(WorkflowState.builder("wf-1", "req-1").status(FAILED).build());
            tenant.created(WorkflowState.builder("wf-2", "req-1").status(FAILED).build());
        }
        ended("wf-1", FAILED, 1);
        RetentionRule none = RetentionRule.KEEP_ALL.with(FAILED, Keep.newest(0));
        RetentionPolicy policy = RetentionPolicy.of(RetentionRule.KEEP_ALL)
                .with(scope, none)
                .with(third.scope(), none.with(FAILED, Keep.newest(1)));
        assertThat(environment.perform(() -> environment.holdfast().cleanup().plan(policy)))
                .isEqualTo(new RetentionReport(
                        Map.of(scope, new Removed(1, 0, 0), third.scope(), new Removed(1, 0, 0)), true));
        assertThat(removed(policy)).as("a scope's own clean-up").isEqualTo(new Removed(1, 0, 0));
        assertThat(other.rows()).isEqualTo(2);
        if (commitsByItself()) {
            environment.perform(() -> environment.holdfast().cleanup().run(policy, TWO_AT_ONCE, UNTOLD));
            assertThat(third.rows()).isEqualTo(1);
        }
    }

    private void five() {
        for (int i = 0; i < 5; i++) {
            ended("wf-" + i, SUCCEEDED, i);
        }
    }

    @Test
    void progressIsToldAfterEachBatchAndWhatItThrowsEndsTheRun() {
        five();
        if (commitsByItself()) {
            RetentionPolicy policy = keep(SUCCEEDED, Keep.newest(0));
            assertThatThrownBy(() -> environment.perform(
                            () -> environment.holdfast().in(scope).cleanup().run(policy, TWO_AT_ONCE, removed -> {
                                throw new IllegalStateException("enough");
                            })))
                    .hasMessage("enough");
            assertThat(cleanup.plan(policy).total())
                    .as("the batch stays removed")
                    .isEqualTo(new Removed(3, 0, 0));
            List<Removed> told = new ArrayList<>();
            cleanup.run(policy, TWO_AT_ONCE, told::add);
            assertThat(told).containsExactly(new Removed(2, 0, 0), new Removed(3, 0, 0));
        }
    }

    @Test
    void anInterruptEndsARunAfterItsBatchAndTheNextGoesOn() {
        five();
        if (commitsByItself()) {
            RetentionPolicy policy = keep(SUCCEEDED, Keep.newest(0));
            RetentionReport first = cleanup.run(
                    policy,
                    TWO_AT_ONCE.withPause(Duration.ofMinutes(1)),
                    removed -> Thread.currentThread().interrupt());
            assertThat(Thread.interrupted()).as("still interrupted").isTrue();
            assertThat(first).isEqualTo(new RetentionReport(Map.of(scope, new Removed(2, 0, 0)), false));
            assertThat(cleanup.run(policy, TWO_AT_ONCE, UNTOLD))
                    .isEqualTo(new RetentionReport(Map.of(scope, new Removed(3, 0, 0)), true));
        }
    }

    @Test
    void aRunEndsWhenItsTimeIsOver() {
        five();
        if (commitsByItself()) {
            RetentionPace short_ =
                    TWO_AT_ONCE.withBatch(1).withPause(Duration.ofMinutes(1)).withAtMost(Duration.ofSeconds(1));
            RetentionReport report = cleanup.run(keep(SUCCEEDED, Keep.newest(0)), short_, UNTOLD);
            assertThat(report.complete()).isFalse();
            assertThat(report.total().total())
                    .as("the pause ends with the time")
                    .isEqualTo(1);
        }
    }
}
