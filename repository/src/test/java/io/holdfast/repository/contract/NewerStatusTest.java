package io.holdfast.repository.contract;

import static io.holdfast.state.WorkflowStatus.QUEUED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.HoldfastException;
import io.holdfast.Scope;
import io.holdfast.approval.ApprovalRequest;
import io.holdfast.approval.ApprovalUse;
import io.holdfast.approval.Decision;
import io.holdfast.approval.Expiry;
import io.holdfast.cleanup.Cutoff;
import io.holdfast.cleanup.Removed;
import io.holdfast.failure.CorruptRecordException;
import io.holdfast.journal.StepKey;
import io.holdfast.lease.Acquisition;
import io.holdfast.lease.Fence;
import io.holdfast.lease.LeaseKey;
import io.holdfast.repository.Holdfast;
import io.holdfast.repository.Stores;
import io.holdfast.state.InvalidSnapshotException;
import io.holdfast.state.WorkflowRules;
import io.holdfast.state.WorkflowState;
import io.holdfast.testing.TestDatabase;
import io.holdfast.workflow.Creation;
import io.holdfast.workflow.Workflow;
import io.holdfast.workflow.WorkflowSummary;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** BL-25, H47: a row of a newer release, with a status that this one does not know. */
class NewerStatusTest {

    @Test
    void theDatabaseTakesNoUnknownStatusAndAReaderOfOneIsToldSo() {
        try (TestDatabase database = TestDatabase.migrated("newer_status");
                Holdfast holdfast = Holdfast.open(database.dataSource())) {
            Stores stores = holdfast.in(Scope.of("s"));
            for (String id : List.of("wf-1", "wf-2", "wf-3")) {
                stores.workflows().create(WorkflowState.create(id, "req-1"), Map.of());
            }
            Workflow read = stores.workflows().find("wf-2").orElseThrow();
            String pause = "update holdfast.workflow set status = 'paused_v2' where id = 'wf-2'";
            assertThatThrownBy(() -> database.execute(pause)).hasMessageContaining("workflow_status_known");

            database.execute("alter table holdfast.workflow drop constraint workflow_status_known", pause);
            assertThat(stores.workflows().list("", 10))
                    .extracting(WorkflowSummary::status)
                    .containsExactly("created", "paused_v2", "created");
            assertThatThrownBy(() -> stores.workflows().find("wf-2")).isInstanceOf(InvalidSnapshotException.class);
            WorkflowState queued = WorkflowRules.transition(read.state(), QUEUED, "e1", Contract.AT);
            Fence fence = ((Acquisition.Granted)
                            stores.leases().acquire(LeaseKey.ofWorkflow("wf-2"), "worker", Duration.ofSeconds(60)))
                    .lease()
                    .fence();
            Workflow stale = new Workflow(
                    read.state(),
                    7,
                    read.incarnation(),
                    read.cancelRequest(),
                    read.labels(),
                    read.createdAt(),
                    read.updatedAt());
            assertThatThrownBy(() -> stores.workflows().update(stale, queued)).isInstanceOf(HoldfastException.class);
            assertThatThrownBy(() -> stores.workflows().updateFenced(read, queued, fence))
                    .isInstanceOf(HoldfastException.class);
            assertThat(stores.workflows().create(read.state(), Map.of())).isInstanceOf(Creation.class);
            assertThat(holdfast.cleanup().pass(new Cutoff(Duration.ZERO, Duration.ZERO, 10)))
                    .isEqualTo(new Removed(0, 0, 0));
            assertThat(database.value("select status from holdfast.workflow where id = 'wf-2'"))
                    .isEqualTo("paused_v2");
        }
    }

    /** What a newer release calls it is not taken for an approval. */
    @Test
    void anApprovalOfAnUnknownStatusIsNotConsumedAndNamed() {
        try (TestDatabase database = TestDatabase.migrated("newer_status");
                Holdfast holdfast = Holdfast.open(database.dataSource())) {
            Stores stores = holdfast.in(Scope.of("s"));
            ApprovalRequest request = ApprovalRequest.of("ap-1", "run-1", Map.of("tool", "charge"), Expiry.DEFAULT);
            stores.approvals().register(request);
            stores.approvals().decide("ap-1", Decision.approve(request.digest(), "ann"));
            Fence fence = ((Acquisition.Granted)
                            stores.leases().acquire(LeaseKey.ofRun("run-1"), "worker", Duration.ofSeconds(60)))
                    .lease()
                    .fence();
            database.execute(
                    "do $$ declare c text; begin for c in select conname from pg_constraint where contype = 'c' and conrelid ="
                            + " 'holdfast.approval'::regclass loop execute 'alter table holdfast.approval drop constraint ' || c;"
                            + " end loop; end $$",
                    "update holdfast.approval set status = 'paused_v2'");
            ApprovalUse use = new ApprovalUse("ap-1", "run-1", request.digest(), StepKey.visit("charge", 3));
            assertThatThrownBy(() -> stores.approvals().consume(use, fence))
                    .isInstanceOf(CorruptRecordException.class)
                    .hasMessageContaining("approval \"ap-1\"")
                    .hasMessageContaining("status");
            assertThatThrownBy(() -> stores.approvals().find("ap-1")).isInstanceOf(CorruptRecordException.class);
            assertThat(database.value("select status || coalesce(consumed_by, '') from holdfast.approval"))
                    .isEqualTo("paused_v2");
        }
    }
}
