package io.holdfast.repository;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Scope;
import io.holdfast.cleanup.Cutoff;
import io.holdfast.cleanup.Keep;
import io.holdfast.cleanup.Removed;
import io.holdfast.cleanup.RetentionPace;
import io.holdfast.cleanup.RetentionPolicy;
import io.holdfast.cleanup.RetentionReport;
import io.holdfast.cleanup.RetentionRule;
import io.holdfast.failure.StateConflictException;
import io.holdfast.state.WorkflowStatus;
import io.holdfast.testing.TestDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An application's table refers to rows that are due: they stay, and keep no other from going. */
class RetentionReferredTest {

    private static final RetentionPolicy ENDED =
            RetentionPolicy.of(RetentionRule.KEEP_ALL.with(WorkflowStatus.SUCCEEDED, Keep.during(Duration.ZERO)));
    private static final RetentionPace FAST =
            new RetentionPace(40, Duration.ofMinutes(1), 0, Duration.ZERO, Duration.ofMinutes(1));
    private static final Scope SCOPE = Scope.of("shop");

    private final TestDatabase database = TestDatabase.migrated("referred");
    private final Holdfast holdfast = Holdfast.open(database.dataSource());

    @BeforeEach
    void hundredEndedWorkflowsOfWhichThreeAreReferredTo() {
        database.execute(
                "insert into holdfast.workflow (scope, id, request_id, status, revision, snapshot, created_at, updated_at)"
                        + " select 'shop', 'wf-' || lpad(g::text, 3, '0'), 'r', 'succeeded', 1, '{}', t, t from"
                        + " generate_series(1, 100) g, cast(clock_timestamp() - interval '1 day' as timestamptz) t",
                "create table invoice (scope text, workflow text, foreign key (scope, workflow) references holdfast.workflow)",
                "insert into invoice values ('shop', 'wf-001'), ('shop', 'wf-050'), ('shop', 'wf-051'), ('shop', 'wf-100')");
    }

    @AfterEach
    void close() {
        holdfast.close();
        database.close();
    }

    @Test
    void aRunPassesThemByAndRemovesTheOthers() {
        List<Removed> told = new ArrayList<>();
        RetentionReport report = holdfast.in(SCOPE).cleanup().run(ENDED, FAST, told::add);
        assertThat(report.total()).isEqualTo(new Removed(96, 0, 0));
        assertThat(report.complete()).isTrue();
        assertThat(told).last().isEqualTo(report.total());
        assertThat(database.value("select string_agg(id, ' ' order by id) from holdfast.workflow"))
                .isEqualTo("wf-001 wf-050 wf-051 wf-100");
        assertThat(holdfast.in(SCOPE).cleanup().run(ENDED, FAST, told::add).total())
                .as("the next finds the same")
                .isEqualTo(Removed.NOTHING);
        database.execute("delete from invoice");
        assertThat(holdfast.in(SCOPE).cleanup().run(ENDED, FAST, told::add).total())
                .isEqualTo(new Removed(4, 0, 0));
    }

    @Test
    void aPassSaysWhatIsInTheWay() {
        Cutoff now = new Cutoff(Duration.ZERO, Duration.ZERO, 50);
        Assertions.assertThatThrownBy(() -> holdfast.in(SCOPE).cleanup().pass(now))
                .isInstanceOf(StateConflictException.class)
                .hasMessageContaining("a foreign key of the application's refers to what was to go");
        assertThat(database.value("select count(*) from holdfast.workflow")).isEqualTo("100");
    }
}
