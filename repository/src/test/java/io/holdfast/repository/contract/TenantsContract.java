package io.holdfast.repository.contract;

import static io.holdfast.state.WorkflowStatus.QUEUED;
import static io.holdfast.state.WorkflowStatus.SUCCEEDED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Scope;
import io.holdfast.agent.AgentCheckpoints;
import io.holdfast.approval.Approvals;
import io.holdfast.checkpoint.Checkpoints;
import io.holdfast.cleanup.Cleanup;
import io.holdfast.cleanup.Cutoff;
import io.holdfast.cleanup.Removed;
import io.holdfast.failure.InvalidValueException;
import io.holdfast.idempotency.Completion;
import io.holdfast.idempotency.IdempotencyKeys;
import io.holdfast.idempotency.KeepFor;
import io.holdfast.idempotency.KeyClaim;
import io.holdfast.idempotency.Reservation;
import io.holdfast.lease.Fence;
import io.holdfast.lease.LeaseKey;
import io.holdfast.lease.Leases;
import io.holdfast.lease.Loss;
import io.holdfast.lease.Renewal;
import io.holdfast.state.WorkflowState;
import io.holdfast.step.Begun;
import io.holdfast.step.Finished;
import io.holdfast.step.Step;
import io.holdfast.step.StepResult;
import io.holdfast.step.StepResult.LeaseAfter;
import io.holdfast.step.Steps;
import io.holdfast.workflow.Cancellation;
import io.holdfast.workflow.Update;
import io.holdfast.workflow.Workflow;
import io.holdfast.workflow.WorkflowSummary;
import io.holdfast.workflow.Workflows;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two scopes: the same ids in both never meet, in any operation. */
abstract class TenantsContract extends Contract {

    private static final String OUTCOME = fingerprint('a');

    TenantsContract(Environment environment) {
        super(environment);
    }

    private static Scope tenant() {
        String half = UUID.randomUUID().toString().replace("-", "");
        return Scope.ofFingerprint("sha256:" + half + half);
    }

    /** Everything once, as somebody who is alone in the world would hear it. */
    private void aLife(Tenant tenant, String id) {
        WorkflowState state = WorkflowState.create(tenant.scope(), id, "req-1");
        Workflow created = tenant.created(state);
        assertThat(created.revision()).isEqualTo(1);
        assertThat(tenant.workflows().list("", 1_000))
                .extracting(WorkflowSummary::id)
                .contains(id)
                .hasSize(tenant.scope().equals(Scope.UNSCOPED) ? tenant.rows() : 1); // C-10
        Update queued = tenant.workflows().update(created, moved(created, QUEUED));
        Workflow second = ((Update.Updated) queued).workflow();
        Fence fence = tenant.granted(LeaseKey.ofWorkflow(id), "worker");
        assertThat(fence.token()).isEqualTo(tenant.firstToken()); // C-07
        Update fenced = tenant.workflows().updateFenced(second, checkpointed(second, "memory"), fence);
        Workflow third = ((Update.Updated) fenced).workflow();
        assertThat(tenant.workflows().requestCancel(id, "")).isInstanceOf(Cancellation.Requested.class);
        Reservation reserved = tenant.keys().reserve(id + ":k", "req-1", id, KeepFor.DEFAULT);
        assertThat(reserved).isInstanceOf(Reservation.New.class);
        assertThat(tenant.keys().complete(reserved.key().claim(), OUTCOME)).isInstanceOf(Completion.Done.class);
        Step step = new Step(id, id + ":one", "req-1");
        Begun begun = tenant.steps().begin(step, fence);
        StepResult result = new StepResult(third, checkpointed(third, "plan"), OUTCOME, LeaseAfter.KEEP);
        Finished done = tenant.steps().finish(((Begun.New) begun).claim(), result, fence);
        Workflow fourth = ((Finished.Done) done).workflow();
        StepResult last = new StepResult(fourth, checkpointed(fourth, "compile"), OUTCOME, LeaseAfter.KEEP);
        assertThat(tenant.steps().step(new Step(id, id + ":two", "req-1"), last, fence))
                .isInstanceOf(Finished.Done.class);
        LeaseKey key = LeaseKey.ofWorkflow(id);
        assertThat(tenant.leases().renew(key, fence)).isInstanceOf(Renewal.Renewed.class);
        assertThat(tenant.leases().renewAll(Map.of(key, fence)).get(key)).isInstanceOf(Renewal.Renewed.class);
        assertThat(tenant.leases().release(key, fence)).isTrue();
    }

    @Test // C-02, C-07, C-10
    void eachTenantLivesAsIfItWereAlone() {
        Tenant a = new Tenant(environment, tenant());
        Tenant b = new Tenant(environment, tenant());
        Tenant unscoped = new Tenant(environment, Scope.UNSCOPED);
        String id = "wf-" + scope.id();
        aLife(a, id);
        String pictureOfA = a.picture();
        aLife(b, id);
        aLife(unscoped, id);
        Cutoff everything = new Cutoff(Duration.ZERO, Duration.ZERO, 100);
        assertThat(b.cleanup().pass(everything)).isEqualTo(new Removed(0, 0, 1));
        assertThat(a.picture()).isEqualTo(pictureOfA);
        assertThat(a.workflows().find(id)).isPresent();
    }

    @Test // C-04: no SQL is sent for a state of another tenant, and none in a scope that has no tenant
    void aStateOfAnotherTenantIsRefused() {
        Tenant a = new Tenant(environment, tenant());
        Tenant b = new Tenant(environment, tenant());
        Workflow inA = a.created(WorkflowState.create(a.scope(), "wf-1", "req-1"));
        WorkflowState ofB = WorkflowState.create(b.scope(), "wf-1", "req-1");
        refused(() -> a.workflows().create(ofB, Map.of()));
        refused(() -> a.workflows().update(inA, ofB));
        refused(() -> a.workflows().updateFenced(inA, ofB, new Fence("worker", 1)));
        StepResult result = new StepResult(inA, ofB, OUTCOME, LeaseAfter.KEEP);
        refused(() -> a.steps().step(new Step("wf-1", "k", "req-1"), result, new Fence("worker", 1)));
        refused(() -> a.steps().finish(new KeyClaim("k", "wf-1", 1), result, new Fence("worker", 1)));
        refused(() -> a.workflows().create(WorkflowState.create("wf-2", "req-1"), Map.of()));
        refused(() -> workflows.create(ofB, Map.of()));
    }

    private static void refused(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        InvalidValueException.class, e -> assertThat(e.field()).isEqualTo("tenantScopeFingerprint"));
    }

    @Test // C-05, C-08: not even that it exists
    void whatBelongsToAnotherScopeIsNotThere() {
        Workflow read = running("wf-1");
        Fence fence = granted("wf-1", "worker").fence();
        KeyClaim claim = reserved("k", "wf-1");
        LeaseKey key = LeaseKey.ofWorkflow("wf-1");
        String mine = watched.picture();
        Tenant other = new Tenant(environment, Scope.of(scope.id() + "-other"));

        assertThat(other.workflows().find("wf-1")).isEmpty();
        assertThat(other.workflows().findCheckpoint("wf-1", "req-1")).isEmpty();
        assertThat(other.workflows().list("", 10)).isEmpty();
        assertThat(other.workflows().update(read, moved(read, SUCCEEDED))).isEqualTo(new Update.NotFound());
        assertThat(other.workflows().updateFenced(read, moved(read, SUCCEEDED), fence))
                .isEqualTo(new Update.NotFound());
        assertThat(other.workflows().requestCancel("wf-1", "")).isEqualTo(new Cancellation.NotFound());
        assertThat(other.keys().find("k")).isEmpty();
        assertThat(other.keys().complete(claim, OUTCOME)).isEqualTo(new Completion.NotFound());
        assertThat(other.keys().completeFenced(claim, OUTCOME, fence)).isEqualTo(new Completion.NotFound());
        assertThat(other.leases().find(key)).isEmpty();
        assertThat(other.leases().renew(key, fence)).isEqualTo(new Renewal.Lost(Loss.NONE));
        assertThat(other.leases().renewAll(Map.of(key, fence))).isEqualTo(Map.of(key, new Renewal.Lost(Loss.NONE)));
        assertThat(other.leases().release(key, fence)).isFalse();
        Step step = new Step("wf-1", "k", "req-1");
        StepResult result = new StepResult(read, moved(read, SUCCEEDED), OUTCOME, LeaseAfter.RELEASE);
        assertThat(other.steps().begin(step, fence)).isEqualTo(new Begun.Lost(Loss.NONE));
        assertThat(other.steps().finish(claim, result, fence)).isEqualTo(new Finished.NotFound());
        assertThat(other.steps().step(step, result, fence)).isEqualTo(new Finished.NotFound());
        assertThat(other.cleanup().pass(new Cutoff(Duration.ZERO, Duration.ZERO, 10)))
                .isEqualTo(new Removed(0, 0, 0));
        assertThat(watched.picture()).isEqualTo(mine);
    }

    @ParameterizedTest // BL-56: compared byte by byte
    @ValueSource(
            strings = {"Scope", "scope ", "sc\u00f6pe", "sco\u0308pe", "\u0455cope", "scope%", "sc_pe", "scope\u00a0"})
    void scopesThatLookAlikeAreOthers(String lookalike) {
        Tenant plain = new Tenant(environment, Scope.of(scope.id() + "scope"));
        Tenant alike = new Tenant(environment, Scope.of(scope.id() + lookalike));
        plain.created(WorkflowState.create("wf-1", "req-1"));
        assertThat(alike.workflows().find("wf-1")).isEmpty();
        alike.created(WorkflowState.create("wf-1", "req-2"));
        assertThat(plain.workflows().find("wf-1").orElseThrow().state().requestId())
                .isEqualTo("req-1");
    }

    @Test
    void aStoreHasNoWayToNameAnotherScope() {
        Stream.of(
                        Workflows.class,
                        IdempotencyKeys.class,
                        Leases.class,
                        Steps.class,
                        Approvals.class,
                        AgentCheckpoints.class,
                        Checkpoints.class,
                        Cleanup.class)
                .flatMap(contract -> Stream.of(contract.getMethods()))
                .map(Method::getParameterTypes)
                .flatMap(Stream::of)
                .forEach(TenantsContract::namesNoScope);
    }

    private static void namesNoScope(Class<?> type) {
        assertThat(type).isNotEqualTo(Scope.class);
        if (type.isRecord()) {
            Stream.of(type.getRecordComponents()).map(RecordComponent::getType).forEach(TenantsContract::namesNoScope);
        }
    }
}
