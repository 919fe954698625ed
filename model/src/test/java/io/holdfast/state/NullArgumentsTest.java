package io.holdfast.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.holdfast.Scope;
import io.holdfast.agent.AgentCheckpoint;
import io.holdfast.agent.AgentPage;
import io.holdfast.agent.AgentPhase;
import io.holdfast.agent.AgentState;
import io.holdfast.approval.ApprovalPage;
import io.holdfast.approval.ApprovalRequest;
import io.holdfast.approval.ApprovalUse;
import io.holdfast.approval.ApprovedCall;
import io.holdfast.approval.CallDigest;
import io.holdfast.approval.Decision;
import io.holdfast.approval.Expiry;
import io.holdfast.cleanup.Cutoff;
import io.holdfast.cleanup.Ended;
import io.holdfast.cleanup.Keep;
import io.holdfast.cleanup.Kind;
import io.holdfast.cleanup.Removed;
import io.holdfast.cleanup.RetentionPace;
import io.holdfast.cleanup.RetentionPolicy;
import io.holdfast.cleanup.RetentionReport;
import io.holdfast.cleanup.RetentionRule;
import io.holdfast.connect.RunRepositories;
import io.holdfast.connect.StoreUrl;
import io.holdfast.failure.InvalidValueException;
import io.holdfast.idempotency.IdempotencyKey;
import io.holdfast.idempotency.KeepFor;
import io.holdfast.idempotency.KeyClaim;
import io.holdfast.journal.EffectClass;
import io.holdfast.journal.EffectEntry;
import io.holdfast.journal.EffectId;
import io.holdfast.journal.Intent;
import io.holdfast.journal.JournalCommit;
import io.holdfast.journal.JournalEvent;
import io.holdfast.journal.NewRun;
import io.holdfast.journal.Resolution;
import io.holdfast.journal.RunKind;
import io.holdfast.journal.StepKey;
import io.holdfast.journal.StepOutcome;
import io.holdfast.lease.Fence;
import io.holdfast.lease.Lease;
import io.holdfast.lease.LeaseKey;
import io.holdfast.process.ProcessIdentity;
import io.holdfast.process.Processes;
import io.holdfast.run.Run;
import io.holdfast.run.RunChange;
import io.holdfast.run.RunEvent;
import io.holdfast.session.Message;
import io.holdfast.session.ToolCall;
import io.holdfast.session.WorkspaceSession;
import io.holdfast.step.Step;
import io.holdfast.step.StepResult;
import io.holdfast.step.StepResult.LeaseAfter;
import io.holdfast.workflow.CancelRequest;
import io.holdfast.workflow.Workflow;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A null in any place is a refused value that names the place, in values and rules alike. */
class NullArgumentsTest {

    private static final Instant AT = Instant.parse("2026-01-01T00:00:00Z");
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final String PRINT = "sha256:" + "a".repeat(64);
    private static final WorkflowState STATE = WorkflowState.create("wf-1", "req-1");
    private static final Workflow READ = new Workflow(STATE, 1, new UUID(0, 0), Optional.empty(), Map.of(), AT, AT);
    private static final Fence FENCE = new Fence("worker", 1);
    private static final StepKey STEP = new StepKey("a#1");
    private static final LeaseKey LEASE = LeaseKey.ofWorkflow("wf-1");

    record Call(String what, String field, ThrowingCallable call) {
        @Override
        public String toString() {
            return what + "(" + field + ")";
        }
    }

    private static Call of(String what, String field, ThrowingCallable call) {
        return new Call(what, field, call);
    }

    static Stream<Call> calls() {
        return Stream.of(
                        leases(),
                        keysAndSteps(),
                        retention(),
                        workflows(),
                        states(),
                        moves(),
                        outcomes(),
                        journal(),
                        runs(),
                        sessions(),
                        approvals(),
                        agents())
                .flatMap(List::stream);
    }

    private static List<Call> runs() {
        UUID one = new UUID(0, 0);
        Map<String, Object> none = Map.of();
        RunChange change = RunChange.to("x");
        return List.of(
                of("StoreUrl.parse", "url", () -> StoreUrl.parse(null)),
                of("StoreUrl", "scheme", () -> new StoreUrl(null, "", "", "")),
                of("StoreUrl", "address", () -> new StoreUrl("", null, "", "")),
                of("StoreUrl", "user", () -> new StoreUrl("", "", null, "")),
                of("StoreUrl", "password", () -> new StoreUrl("", "", "", null)),
                of("RunRepositories.open", "url", () -> RunRepositories.open(null)),
                of("RunRepositories.url", "given", () -> RunRepositories.url(null, Map.of())),
                of("RunRepositories.url", "environment", () -> RunRepositories.url(Optional.empty(), null)),
                of("Run", "id", () -> new Run(null, "x", 1, one, 0, none, none, none, AT, AT)),
                of("Run", "status", () -> new Run("r", null, 1, one, 0, none, none, none, AT, AT)),
                of("Run", "incarnation", () -> new Run("r", "x", 1, null, 0, none, none, none, AT, AT)),
                of("Run", "input", () -> new Run("r", "x", 1, one, 0, null, none, none, AT, AT)),
                of("Run", "state", () -> new Run("r", "x", 1, one, 0, none, null, none, AT, AT)),
                of("Run", "metadata", () -> new Run("r", "x", 1, one, 0, none, none, null, AT, AT)),
                of("Run", "createdAt", () -> new Run("r", "x", 1, one, 0, none, none, none, null, AT)),
                of("Run", "updatedAt", () -> new Run("r", "x", 1, one, 0, none, none, none, AT, null)),
                of("RunEvent", "type", () -> new RunEvent(1, null, none, AT)),
                of("RunEvent", "payload", () -> new RunEvent(1, "x", null, AT)),
                of("RunEvent", "at", () -> new RunEvent(1, "x", none, null)),
                of("RunChange.to", "status", () -> RunChange.to(null)),
                of("RunChange", "stateUpdate", () -> new RunChange("x", null, List.of(), Set.of())),
                of("RunChange", "events", () -> new RunChange("x", none, null, Set.of())),
                of("RunChange", "events", () -> new RunChange("x", none, Collections.singletonList(null), Set.of())),
                of("RunChange", "unless", () -> new RunChange("x", none, List.of(), null)),
                of("RunChange", "unless", () -> new RunChange("x", none, List.of(), Collections.singleton(null))),
                of("RunChange.merging", "update", () -> change.merging(null)),
                of("RunChange.logging", "event", () -> change.logging(null)),
                of("RunChange.unless", "statuses", () -> change.unless((String[]) null)),
                of("RunChange.unless", "statuses", () -> change.unless((String) null)));
    }

    private static List<Call> sessions() {
        Optional<String> no = Optional.empty();
        Optional<List<ToolCall>> noCalls = Optional.empty();
        List<Map<String, Object>> none = List.of();
        Map<String, Object> empty = Map.of();
        Message message = Message.of("user", "x");
        return List.of(
                of("Message", "role", () -> new Message(null, no, no, no, noCalls, none, empty)),
                of("Message", "content", () -> new Message("user", null, no, no, noCalls, none, empty)),
                of("Message", "name", () -> new Message("user", no, null, no, noCalls, none, empty)),
                of("Message", "toolCallId", () -> new Message("user", no, no, null, noCalls, none, empty)),
                of("Message", "toolCalls", () -> new Message("user", no, no, no, null, none, empty)),
                of("Message", "attachments", () -> new Message("user", no, no, no, noCalls, null, empty)),
                of("Message", "providerData", () -> new Message("user", no, no, no, noCalls, none, null)),
                of("Message.of", "content", () -> Message.of("user", null)),
                of("Message.withToolCalls", "calls", () -> message.withToolCalls(null)),
                of("Message.withProviderData", "data", () -> message.withProviderData(null)),
                of("ToolCall", "id", () -> new ToolCall(null, "n", empty, no)),
                of("ToolCall", "name", () -> new ToolCall("i", null, empty, no)),
                of("ToolCall", "arguments", () -> new ToolCall("i", "n", null, no)),
                of("ToolCall", "rawArguments", () -> new ToolCall("i", "n", empty, null)),
                of("WorkspaceSession", "id", () -> new WorkspaceSession(null, List.of(), 1, AT)),
                of("WorkspaceSession", "messages", () -> new WorkspaceSession("s", null, 1, AT)),
                of("WorkspaceSession", "updatedAt", () -> new WorkspaceSession("s", List.of(), 1, null)));
    }

    private static List<Call> journal() {
        return List.of(
                of("StepKey", "stepKey", () -> new StepKey(null)),
                of("StepKey.visit", "node", () -> StepKey.visit(null, 1)),
                of("StepKey.call", "id", () -> StepKey.call(1, null)),
                of("EffectId", "effectId", () -> new EffectId(null)),
                of("EffectId.of", "scope", () -> EffectId.of(null, "run-1", STEP, 0)),
                of("EffectId.of", "runId", () -> EffectId.of(Scope.UNSCOPED, null, STEP, 0)),
                of("EffectId.of", "step", () -> EffectId.of(Scope.UNSCOPED, "run-1", null, 0)),
                of("Intent", "step", () -> Intent.of(null, "p", "k", EffectClass.PURE)),
                of("Intent", "payloadDigest", () -> Intent.of(STEP, null, "k", EffectClass.PURE)),
                of("Intent", "idempotencyKey", () -> Intent.of(STEP, "p", null, EffectClass.PURE)),
                of("Intent", "effectClass", () -> Intent.of(STEP, "p", "k", null)),
                of("StepOutcome", "step", () -> StepOutcome.completed(null, "1")),
                of("StepOutcome", "output", () -> StepOutcome.completed(STEP, null)),
                of("EffectEntry.pending", "step", () -> EffectEntry.pending(null, 0, "k")),
                of("EffectEntry.pending", "idempotencyKey", () -> EffectEntry.pending(STEP, 0, null)),
                of("JournalEvent", "type", () -> new JournalEvent(null, "{}")),
                of("JournalEvent", "payload", () -> JournalEvent.of(null)),
                of(
                        "JournalCommit",
                        "runId",
                        () -> JournalCommit.toAny(null).noCursor().build()),
                of("JournalCommit.to", "head", () -> JournalCommit.to(null)),
                of(
                        "JournalCommit.Builder.state",
                        "state",
                        () -> JournalCommit.toAny("r").state(null)),
                of(
                        "JournalCommit.Builder.intent",
                        "intent",
                        () -> JournalCommit.toAny("r").intent(null)),
                of(
                        "JournalCommit.Builder.effect",
                        "effect",
                        () -> JournalCommit.toAny("r").effect(null)),
                of(
                        "JournalCommit.Builder.event",
                        "event",
                        () -> JournalCommit.toAny("r").event(null)),
                of("NewRun", "runId", () -> NewRun.of(null, RunKind.AGENT, "d", "{}")),
                of("NewRun", "kind", () -> NewRun.of("r", null, "d", "{}")),
                of("NewRun", "definitionDigest", () -> NewRun.of("r", RunKind.AGENT, null, "{}")),
                of("NewRun", "state", () -> NewRun.of("r", RunKind.AGENT, "d", null)),
                of("Resolution", "finding", () -> Resolution.of(null, "a")),
                of("Resolution", "actor", () -> Resolution.of(Resolution.Finding.FAILED, null)),
                of("ProcessIdentity", "host", () -> new ProcessIdentity(null, 1, 1, "a".repeat(32))),
                of("ProcessIdentity", "nonce", () -> new ProcessIdentity("a".repeat(16), 1, 1, null)),
                of("ProcessIdentity.parse", "owner", () -> ProcessIdentity.parse(null)),
                of("Processes.isDead", "owner", () -> Processes.here().isDead(null)));
    }

    private static List<Call> agents() {
        Optional<String> none = Optional.empty();
        AgentState state = AgentState.of(AgentPhase.PAUSED, "{}");
        return List.of(
                of("AgentState", "phase", () -> new AgentState(null, "{}", none, 0, 0)),
                of("AgentState", "interruption", () -> new AgentState(AgentPhase.PAUSED, null, none, 0, 0)),
                of("AgentState", "finalText", () -> new AgentState(AgentPhase.PAUSED, "{}", null, 0, 0)),
                of("AgentState.write", "run", () -> state.write(null)),
                of("AgentState.read", "run", () -> AgentState.read(null, "{}")),
                of("AgentState.read", "checkpoint", () -> AgentState.read("run-1", null)),
                of("AgentCheckpoint", "run", () -> new AgentCheckpoint(null, 1, state, AT, AT)),
                of("AgentCheckpoint", "state", () -> new AgentCheckpoint("r", 1, null, AT, AT)),
                of("AgentCheckpoint", "createdAt", () -> new AgentCheckpoint("r", 1, state, null, AT)),
                of("AgentCheckpoint", "updatedAt", () -> new AgentCheckpoint("r", 1, state, AT, null)),
                of("AgentPage.Place", "after", () -> new AgentPage.Place(null, "run-1")),
                of("AgentPage.Place", "after", () -> new AgentPage.Place(AT, null)));
    }

    private static List<Call> approvals() {
        Optional<String> none = Optional.empty();
        String digest = "a".repeat(64);
        Decision yes = Decision.approve(digest, "ann");
        ApprovalUse use = new ApprovalUse("ap-1", "run-1", digest, STEP);
        return List.of(
                of("ApprovalRequest", "id", () -> ApprovalRequest.of(null, "run-1", 1, Expiry.NEVER)),
                of("ApprovalRequest", "run", () -> ApprovalRequest.of("ap-1", null, 1, Expiry.NEVER)),
                of("ApprovalRequest", "payload", () -> new ApprovalRequest("ap-1", "r", null, none, Expiry.NEVER)),
                of("ApprovalRequest", "role", () -> new ApprovalRequest("ap-1", "r", "1", null, Expiry.NEVER)),
                of("ApprovalRequest", "expiry", () -> new ApprovalRequest("ap-1", "r", "1", none, null)),
                of(
                        "ApprovalRequest.decidedBy",
                        "role",
                        () -> ApprovalRequest.of("a", "r", 1, Expiry.NEVER).decidedBy(null)),
                of("Expiry", "expiry", () -> new Expiry(null, Optional.empty())),
                of("Expiry", "expiry", () -> new Expiry(Optional.empty(), null)),
                of("Expiry.after", "expiry", () -> Expiry.after(null)),
                of("Expiry.at", "expiry", () -> Expiry.at(null)),
                of("Decision", "verdict", () -> new Decision(null, digest, "ann", none, "", none)),
                of("Decision", "digest", () -> Decision.approve(null, "ann")),
                of("Decision", "actor", () -> Decision.approve(digest, null)),
                of("Decision", "role", () -> new Decision(yes.verdict(), digest, "ann", null, "", none)),
                of("Decision", "reason", () -> Decision.reject(digest, "ann", null)),
                of("Decision", "answer", () -> new Decision(yes.verdict(), digest, "ann", none, "", null)),
                of("Decision.as", "role", () -> yes.as(null)),
                of("Decision.answering", "answer", () -> yes.answering(null)),
                of("ApprovalUse", "approval", () -> new ApprovalUse(null, "run-1", digest, STEP)),
                of("ApprovalUse", "run", () -> new ApprovalUse("ap-1", null, digest, STEP)),
                of("ApprovalUse", "digest", () -> new ApprovalUse("ap-1", "run-1", null, STEP)),
                of("ApprovalUse", "step", () -> new ApprovalUse("ap-1", "run-1", digest, null)),
                of("ApprovedCall", "use", () -> ApprovedCall.of(null, EffectClass.IDEMPOTENT)),
                of("ApprovedCall", "effectClass", () -> ApprovedCall.of(use, null)),
                of("ApprovedCall", "idempotencyKey", () -> new ApprovedCall(use, EffectClass.IDEMPOTENT, null)),
                of("ApprovalPage.Place", "after", () -> new ApprovalPage.Place(null, "ap-1")),
                of("ApprovalPage.Place", "after", () -> new ApprovalPage.Place(AT, null)),
                of("CallDigest.ofText", "text", () -> CallDigest.ofText(null)),
                of("CallDigest.ofAction", "tool", () -> CallDigest.ofAction(null, 1, null)),
                of("CallDigest.ofDecision", "run", () -> CallDigest.ofDecision(null, "ap-1", digest)),
                of("CallDigest.ofDecision", "approval", () -> CallDigest.ofDecision("r", null, digest)),
                of("CallDigest.ofDecision", "actionDigest", () -> CallDigest.ofDecision("r", "ap-1", null)));
    }

    private static List<Call> leases() {
        return List.of(
                of("Scope", "scope", () -> Scope.of(null)),
                of("Scope.ofFingerprint", "fingerprint", () -> Scope.ofFingerprint(null)),
                of("LeaseKey", "kind", () -> new LeaseKey(null, "x")),
                of("LeaseKey", "id", () -> new LeaseKey("tick", null)),
                of("LeaseKey.ofWorkflow", "workflowId", () -> LeaseKey.ofWorkflow(null)),
                of("Fence", "owner", () -> new Fence(null, 1)),
                of("Lease", "key", () -> new Lease(null, FENCE, MINUTE, AT, AT, MINUTE)),
                of("Lease", "fence", () -> new Lease(LEASE, null, MINUTE, AT, AT, MINUTE)),
                of("Lease", "ttl", () -> new Lease(LEASE, FENCE, null, AT, AT, MINUTE)),
                of("Lease", "grantedAt", () -> new Lease(LEASE, FENCE, MINUTE, null, AT, MINUTE)),
                of("Lease", "expiresAt", () -> new Lease(LEASE, FENCE, MINUTE, AT, null, MINUTE)),
                of("Lease", "remaining", () -> new Lease(LEASE, FENCE, MINUTE, AT, AT, null)));
    }

    private static List<Call> keysAndSteps() {
        KeyClaim claim = new KeyClaim("k", "wf-1", 1);
        Optional<String> open = Optional.empty();
        Optional<Instant> never = Optional.empty();
        return List.of(
                of("KeepFor", "keepFor", () -> new KeepFor(null)),
                of("KeepFor.of", "keepFor", () -> KeepFor.of(null)),
                of("KeyClaim", "key", () -> new KeyClaim(null, "wf-1", 1)),
                of("KeyClaim", "workflowId", () -> new KeyClaim("k", null, 1)),
                of("IdempotencyKey", "claim", () -> new IdempotencyKey(null, "r", open, AT, AT, never)),
                of("IdempotencyKey", "requestId", () -> new IdempotencyKey(claim, null, open, AT, AT, never)),
                of("IdempotencyKey", "outcome", () -> new IdempotencyKey(claim, "r", null, AT, AT, never)),
                of("IdempotencyKey", "createdAt", () -> new IdempotencyKey(claim, "r", open, null, AT, never)),
                of("IdempotencyKey", "updatedAt", () -> new IdempotencyKey(claim, "r", open, AT, null, never)),
                of("IdempotencyKey", "expiresAt", () -> new IdempotencyKey(claim, "r", open, AT, AT, null)),
                of("Step", "workflowId", () -> new Step(null, "k", "req-1")),
                of("Step", "key", () -> new Step("wf-1", null, "req-1")),
                of("Step", "requestId", () -> new Step("wf-1", "k", null)),
                of("Step", "keepFor", () -> new Step("wf-1", "k", "req-1", null)),
                of("StepResult", "read", () -> new StepResult(null, STATE, PRINT, LeaseAfter.KEEP)),
                of("StepResult", "next", () -> new StepResult(READ, null, PRINT, LeaseAfter.KEEP)),
                of("StepResult", "outcome", () -> new StepResult(READ, STATE, null, LeaseAfter.KEEP)),
                of("StepResult", "leaseAfter", () -> new StepResult(READ, STATE, PRINT, null)),
                of("Cutoff", "finished", () -> new Cutoff(null, MINUTE, 1)),
                of("Cutoff", "expired", () -> new Cutoff(MINUTE, null, 1)));
    }

    private static List<Call> retention() {
        RetentionRule rule = RetentionRule.KEEP_ALL;
        RetentionPolicy policy = RetentionPolicy.DEFAULT;
        Keep keep = Keep.newest(1);
        Map<WorkflowStatus, Keep> noStatus = Collections.singletonMap(null, keep);
        Map<WorkflowStatus, Keep> noKeep = Collections.singletonMap(WorkflowStatus.FAILED, null);
        Map<Ended, Keep> noWhich = Collections.singletonMap(null, keep);
        Map<Ended, Keep> whichNoKeep = Collections.singletonMap(new Ended(Kind.RUNS, "done"), null);
        Map<Scope, RetentionRule> noRule = Collections.singletonMap(Scope.UNSCOPED, null);
        return List.of(
                of("Keep", "time", () -> new Keep(null, OptionalInt.of(1))),
                of("Keep", "newest", () -> new Keep(Optional.empty(), null)),
                of("Keep.during", "time", () -> Keep.during(null)),
                of("RetentionRule", "ended", () -> new RetentionRule(null, Map.of(), Optional.empty())),
                of("RetentionRule", "ended", () -> new RetentionRule(noStatus, Map.of(), Optional.empty())),
                of("RetentionRule", "ended", () -> new RetentionRule(noKeep, Map.of(), Optional.empty())),
                of("RetentionRule", "expired", () -> new RetentionRule(Map.of(), Map.of(), null)),
                of("RetentionRule", "others", () -> new RetentionRule(Map.of(), null, Optional.empty())),
                of("RetentionRule", "others", () -> new RetentionRule(Map.of(), noWhich, Optional.empty())),
                of("RetentionRule", "others", () -> new RetentionRule(Map.of(), whichNoKeep, Optional.empty())),
                of("RetentionRule.with", "which", () -> rule.with((Ended) null, keep)),
                of("RetentionRule.with", "keep", () -> rule.with(new Ended(Kind.RUNS, "done"), null)),
                of("RetentionRule.withJournals", "status", () -> rule.withJournals(null, keep)),
                of("RetentionRule.withCheckpoints", "status", () -> rule.withCheckpoints(null, keep)),
                of("RetentionRule.withHistories", "keep", () -> rule.withHistories(null)),
                of("RetentionRule.withApprovals", "state", () -> rule.withApprovals(null, keep)),
                of("RetentionRule.withAgents", "status", () -> rule.withAgents(null, keep)),
                of("RetentionRule.withRuns", "status", () -> rule.withRuns(null, keep)),
                of("RetentionRule.withSessions", "keep", () -> rule.withSessions(null)),
                of("Ended", "kind", () -> new Ended(null, "")),
                of("Ended", "status", () -> new Ended(Kind.RUNS, null)),
                of("Removed", "counts", () -> new Removed(null)),
                of("Removed", "counts", () -> new Removed(Collections.singletonMap(Kind.KEYS, null))),
                of("Removed.of", "kind", () -> Removed.of(null, 1)),
                of("Removed.count", "kind", () -> Removed.NOTHING.count(null)),
                of("RetentionRule.with", "status", () -> rule.with((WorkflowStatus) null, keep)),
                of("RetentionRule.with", "keep", () -> rule.with(WorkflowStatus.FAILED, null)),
                of("RetentionRule.withExpired", "age", () -> rule.withExpired(null)),
                of("RetentionPolicy", "usual", () -> new RetentionPolicy(null, Map.of())),
                of("RetentionPolicy", "scopes", () -> new RetentionPolicy(rule, null)),
                of("RetentionPolicy", "scopes", () -> new RetentionPolicy(rule, Collections.singletonMap(null, rule))),
                of("RetentionPolicy", "scopes", () -> new RetentionPolicy(rule, noRule)),
                of("RetentionPolicy.of", "usual", () -> RetentionPolicy.of((RetentionRule) null)),
                of("RetentionPolicy.of", "scope", () -> policy.of((Scope) null)),
                of("RetentionPolicy.with", "scope", () -> policy.with(null, rule)),
                of("RetentionPolicy.with", "rule", () -> policy.with(Scope.UNSCOPED, null)),
                of("RetentionPace", "swift", () -> new RetentionPace(1, null, 4, MINUTE, MINUTE)),
                of("RetentionPace", "pause", () -> new RetentionPace(1, MINUTE, 4, null, MINUTE)),
                of("RetentionPace", "atMost", () -> new RetentionPace(1, MINUTE, 4, MINUTE, null)),
                of("RetentionReport", "scopes", () -> new RetentionReport(null, true)),
                of("Removed.plus", "more", () -> Removed.NOTHING.plus(null)));
    }

    private static List<Call> workflows() {
        UUID one = new UUID(0, 0);
        Optional<CancelRequest> none = Optional.empty();
        Map<String, String> noName = Collections.singletonMap(null, "x");
        Map<String, String> noValue = Collections.singletonMap("x", null);
        return List.of(
                of("CancelRequest", "at", () -> new CancelRequest(null, Optional.empty())),
                of("CancelRequest", "reason", () -> new CancelRequest(AT, null)),
                of("Workflow", "state", () -> new Workflow(null, 1, one, none, Map.of(), AT, AT)),
                of("Workflow", "incarnation", () -> new Workflow(STATE, 1, null, none, Map.of(), AT, AT)),
                of("Workflow", "cancelRequest", () -> new Workflow(STATE, 1, one, null, Map.of(), AT, AT)),
                of("Workflow", "labels", () -> new Workflow(STATE, 1, one, none, null, AT, AT)),
                of("Workflow", "labels", () -> new Workflow(STATE, 1, one, none, noName, AT, AT)),
                of("Workflow", "labels", () -> new Workflow(STATE, 1, one, none, noValue, AT, AT)),
                of("Workflow", "createdAt", () -> new Workflow(STATE, 1, one, none, Map.of(), null, AT)),
                of("Workflow", "updatedAt", () -> new Workflow(STATE, 1, one, none, Map.of(), AT, null)));
    }

    private static WorkflowStateBuilder builder() {
        return STATE.toBuilder();
    }

    private static List<Call> states() {
        List<WorkflowEvent> noEvent = Collections.singletonList(null);
        return List.of(
                of("WorkflowState", "workflowId", () -> WorkflowState.create(null, "req-1")),
                of("WorkflowState", "requestId", () -> WorkflowState.create("wf-1", null)),
                of("WorkflowState", "scope", () -> WorkflowState.create(null, "wf-1", "req-1")),
                of("scope", "scope", () -> builder().scope(null)),
                of("builder", "tenantScopeFingerprint", () -> builder().tenantScopeFingerprint(null)),
                of("builder", "status", () -> builder().status(null).build()),
                of("builder", "budget", () -> builder().budget(null).build()),
                of("builder", "events", () -> builder().events(null).build()),
                of("builder", "events", () -> builder().events(noEvent).build()),
                of(
                        "builder",
                        "evidenceFingerprints",
                        () -> builder().evidenceFingerprints(null).build()),
                of("builder", "currentStage", () -> builder().currentStage(null)),
                of(
                        "builder",
                        "gateEvidenceFingerprints",
                        () -> builder().gateEvidenceFingerprints(null).build()),
                of(
                        "builder",
                        "compatibilityFingerprints",
                        () -> builder().compatibilityFingerprints(null).build()),
                of("builder", "deadlineAt", () -> builder().deadlineAt(null)),
                of("Snapshots.write", "state", () -> Snapshots.write(null)),
                of("ForbiddenNames.forbids", "name", () -> ForbiddenNames.forbids(null)),
                of("WorkflowStatus.of", "status", () -> WorkflowStatus.of(null)));
    }

    private static List<Call> moves() {
        Transition move = Transition.to(WorkflowStatus.QUEUED, "ev-1", AT);
        OptionalInt same = OptionalInt.empty();
        Checkpoint progress = Checkpoint.at("plan", "ev-1", AT);
        List<Call> calls = new ArrayList<>(List.of(
                of("allows", "from", () -> WorkflowRules.allows(null, WorkflowStatus.QUEUED)),
                of("allows", "to", () -> WorkflowRules.allows(WorkflowStatus.CREATED, null)),
                of("history", "stored", () -> WorkflowRules.history(null, STATE)),
                of("history", "next", () -> WorkflowRules.history(STATE, null)),
                of(
                        "Transition",
                        "retryCount",
                        () -> new Transition(WorkflowStatus.QUEUED, "ev-1", AT, Map.of(), null, same)),
                of(
                        "Transition",
                        "repairCount",
                        () -> new Transition(WorkflowStatus.QUEUED, "ev-1", AT, Map.of(), same, null)),
                of("transition", "state", () -> WorkflowRules.transition(null, move)),
                of("transition", "move", () -> WorkflowRules.transition(STATE, null)),
                of("transition", "target", () -> WorkflowRules.transition(STATE, null, "ev-1", AT)),
                of("transition", "eventId", () -> WorkflowRules.transition(STATE, WorkflowStatus.QUEUED, null, AT)),
                of(
                        "transition",
                        "occurredAt",
                        () -> WorkflowRules.transition(STATE, WorkflowStatus.QUEUED, "ev-1", null)),
                of("transition", "metadata", () -> WorkflowRules.transition(STATE, move.withMetadata(null)))));
        calls.addAll(List.of(
                of("Checkpoint", "gateEvidenceFingerprints", () -> progress.withGateEvidenceFingerprints(null)),
                of("Checkpoint", "compatibilityFingerprints", () -> progress.withCompatibilityFingerprints(null)),
                of(
                        "Checkpoint",
                        "cancellationRequested",
                        () -> new Checkpoint("plan", "ev-1", AT, Map.of(), Optional.empty(), Optional.empty(), null)),
                of("checkpoint", "state", () -> WorkflowRules.checkpoint(null, progress)),
                of("checkpoint", "progress", () -> WorkflowRules.checkpoint(STATE, null)),
                of("checkpoint", "currentStage", () -> WorkflowRules.checkpoint(STATE, null, "ev-1", AT)),
                of("checkpoint", "eventId", () -> WorkflowRules.checkpoint(STATE, "plan", null, AT)),
                of("checkpoint", "occurredAt", () -> WorkflowRules.checkpoint(STATE, "plan", "ev-1", null)),
                of("checkpoint", "metadata", () -> WorkflowRules.checkpoint(STATE, progress.withMetadata(null)))));
        return calls;
    }

    private static List<Call> outcomes() {
        Optional<String> none = Optional.empty();
        Outcome.Status status = Outcome.Status.REJECTED;
        return List.of(
                of("Outcome", "status", () -> new Outcome(null, "req-1", none, none, none)),
                of("Outcome", "requestId", () -> new Outcome(status, null, none, none, none)),
                of("Outcome", "workflowId", () -> new Outcome(status, "req-1", null, none, none)),
                of("Outcome", "resultFingerprint", () -> new Outcome(status, "req-1", none, null, none)),
                of("Outcome", "errorCode", () -> new Outcome(status, "req-1", none, none, null)),
                of("Outcome.succeeded", "requestId", () -> Outcome.succeeded(null, "wf-1", PRINT)),
                of("Outcome.succeeded", "workflowId", () -> Outcome.succeeded("req-1", null, PRINT)),
                of("Outcome.succeeded", "resultFingerprint", () -> Outcome.succeeded("req-1", "wf-1", null)),
                of("Outcome.failed", "requestId", () -> Outcome.failed(null, "wf-1", "broken")),
                of("Outcome.failed", "workflowId", () -> Outcome.failed("req-1", null, "broken")),
                of("Outcome.failed", "errorCode", () -> Outcome.failed("req-1", "wf-1", null)));
    }

    @ParameterizedTest
    @MethodSource("calls")
    void aNullIsARefusedValueThatNamesItsField(Call call) {
        assertThatExceptionOfType(InvalidValueException.class)
                .isThrownBy(call.call())
                .satisfies(refusal -> assertThat(refusal.field()).isEqualTo(call.field()));
    }
}
