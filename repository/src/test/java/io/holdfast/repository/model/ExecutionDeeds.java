package io.holdfast.repository.model;

import io.holdfast.approval.ApprovalRequest;
import io.holdfast.approval.ApprovalUse;
import io.holdfast.approval.ApprovedCall;
import io.holdfast.approval.CallDigest;
import io.holdfast.approval.Decision;
import io.holdfast.approval.Expiry;
import io.holdfast.journal.EffectClass;
import io.holdfast.journal.EffectEntry;
import io.holdfast.journal.EffectId;
import io.holdfast.journal.Intent;
import io.holdfast.journal.JournalCommit;
import io.holdfast.journal.JournalEvent;
import io.holdfast.journal.NewRun;
import io.holdfast.journal.Resolution;
import io.holdfast.journal.Resolution.Finding;
import io.holdfast.journal.RunHead;
import io.holdfast.journal.RunKind;
import io.holdfast.journal.RunStatus;
import io.holdfast.journal.StepKey;
import io.holdfast.journal.StepOutcome;
import io.holdfast.lease.Fence;
import io.holdfast.lease.LeaseKey;
import io.holdfast.repository.Stores;
import io.holdfast.run.Run;
import io.holdfast.run.RunChange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Function;

/** Makes up what somebody does next to runs, journals and approvals: few names, so that all meet. */
final class ExecutionDeeds {

    /** One call, the same for the store and for the model. */
    record Deed(String name, int scope, Function<Stores, Object> store, Function<ExecutionModel, Object> model) {}

    /** What somebody was told: of each scope and run the last fence, head and value, however long ago. */
    static final class Memory {

        private final Map<String, Fence> fences = new HashMap<>();
        private final Map<String, RunHead> heads = new HashMap<>();
        private final Map<String, Run> runs = new HashMap<>();
        private Optional<Deed> last = Optional.empty();

        Memory copy() {
            Memory copy = new Memory();
            copy.fences.putAll(fences);
            copy.heads.putAll(heads);
            copy.runs.putAll(runs);
            copy.last = last;
            return copy;
        }

        void learn(Deed deed, Object answer) {
            last = Optional.of(deed);
            Answers.walk(answer, part -> {
                if (part instanceof io.holdfast.lease.Lease lease) {
                    fences.put(deed.scope() + lease.key().id(), lease.fence());
                } else if (part instanceof RunHead head) {
                    heads.put(deed.scope() + head.id(), head);
                } else if (part instanceof Run run) {
                    runs.put(deed.scope() + run.id(), run);
                }
            });
        }
    }

    private static final List<String> CALLS = List.of("the call", "another call");

    private final Random random;
    private final int scopes;

    ExecutionDeeds(Random random, int scopes) {
        this.random = random;
        this.scopes = scopes;
    }

    Deed next(String actor, Memory memory) {
        int scope = random.nextInt(scopes);
        if (random.nextInt(14) == 0 && memory.last.isPresent()) {
            return memory.last.orElseThrow();
        }
        return switch (random.nextInt(26)) {
            case 0, 1 -> logged(scope, memory);
            case 2 -> oneIn(3) ? acquire(actor, scope) : open(actor, scope);
            case 3, 4, 5 -> claim(actor, scope);
            case 6, 7, 8, 9, 10, 11, 12, 13 -> commit(actor, scope, memory);
            case 14 -> resolve(actor, scope, memory);
            case 15 -> look(scope);
            case 16, 17 -> register(scope);
            case 18, 19 -> decide(actor, scope);
            case 20, 21 -> consume(actor, scope, memory);
            case 22, 23 -> dispatch(actor, scope, memory);
            case 24 -> withdraw(actor, scope);
            default -> release(actor, scope, memory);
        };
    }

    private <T> T pick(List<T> all) {
        return all.get(random.nextInt(all.size()));
    }

    private boolean oneIn(int times) {
        return random.nextInt(times) == 0;
    }

    private String run() {
        return "run-" + random.nextInt(2);
    }

    private String approval() {
        return "ap-" + random.nextInt(4);
    }

    private StepKey step() {
        StepKey step = StepKey.visit(pick(List.of("a", "b")), 1 + random.nextInt(3));
        return oneIn(4) ? step.withAttempt(2) : step;
    }

    private Duration hours() {
        return Duration.ofHours(1 + random.nextInt(3));
    }

    private Fence fence(String actor, int scope, String run, Memory memory) {
        Fence own = memory.fences.getOrDefault(scope + run, new Fence(actor, 1));
        return oneIn(20) ? new Fence(own.owner(), Math.max(1, own.token() - 1)) : own;
    }

    private Deed logged(int scope, Memory memory) {
        String id = run();
        Map<String, Object> state = Map.of("n", (long) random.nextInt(2));
        Run read = memory.runs.get(scope + id);
        if (read == null || oneIn(6)) {
            return oneIn(2)
                    ? new Deed("find", scope, s -> s.runs().find(id), m -> m.find(id))
                    : new Deed(
                            "create",
                            scope,
                            s -> s.runs().create(id, state, Map.of()),
                            m -> m.create(id, state, Map.of()));
        }
        List<Map<String, Object>> events = List.of(Map.of("type", "e" + random.nextInt(3)));
        if (oneIn(3)) {
            return new Deed("append", scope, s -> s.runs().append(id, events), m -> m.append(id, events));
        }
        RunChange change = RunChange.to(pick(List.of("running", "done")));
        change = oneIn(2) ? change.merging(Map.of(pick(List.of("n", "m")), (long) random.nextInt(3))) : change;
        change = oneIn(2) ? change.logging(events.get(0)) : change;
        RunChange all = oneIn(3) ? change.unless("done") : change;
        return new Deed("update", scope, s -> s.runs().update(read, all), m -> m.update(read, all));
    }

    private Deed open(String actor, int scope) {
        NewRun run = NewRun.of(run(), RunKind.WORKFLOW, "digest", "{}");
        Duration ttl = hours();
        return new Deed("open", scope, s -> s.journal().open(run, actor, ttl), m -> m.open(run, actor, ttl));
    }

    private Deed acquire(String actor, int scope) {
        String run = run();
        Duration ttl = hours();
        return new Deed(
                "acquire",
                scope,
                s -> s.leases().acquire(LeaseKey.ofRun(run), actor, ttl),
                m -> m.acquire(run, actor, ttl));
    }

    private Deed claim(String actor, int scope) {
        String run = run();
        Duration ttl = hours();
        String digest = oneIn(15) ? "other" : "digest";
        return new Deed(
                "claim",
                scope,
                s -> s.runLeases().claim(run, actor, ttl, digest),
                m -> m.claim(run, actor, ttl, digest));
    }

    private Deed release(String actor, int scope, Memory memory) {
        String run = run();
        Fence fence = fence(actor, scope, run, memory);
        return new Deed(
                "release", scope, s -> s.leases().release(LeaseKey.ofRun(run), fence), m -> m.release(run, fence));
    }

    private Deed commit(String actor, int scope, Memory memory) {
        String run = run();
        Fence fence = fence(actor, scope, run, memory);
        RunHead head = memory.heads.get(scope + run);
        JournalCommit.Builder commit = head == null || oneIn(3) ? JournalCommit.toAny(run) : JournalCommit.to(head);
        commit.cursor("at-" + random.nextInt(3));
        if (oneIn(3)) {
            commit.state("{\"n\":" + random.nextInt(3) + "}");
        }
        switch (random.nextInt(14)) {
            case 0, 1, 2 -> commit.status(RunStatus.PAUSED);
            case 3 -> commit.status(RunStatus.INTERRUPTED);
            case 4 -> commit.status(RunStatus.RUNNING);
            case 5 -> commit.status(pick(List.of(RunStatus.COMPLETED, RunStatus.FAILED)));
            default -> {}
        }
        StepKey first = step();
        entries(commit, first, oneIn(6) ? "shared" : run + first);
        StepKey second = step();
        if (oneIn(3) && !second.equals(first)) {
            entries(commit, second, run + second);
        }
        if (oneIn(3)) {
            commit.event(JournalEvent.of("{\"type\":\"e" + random.nextInt(3) + "\"}"));
        }
        JournalCommit built = commit.build();
        return new Deed("commit", scope, s -> s.journal().commit(fence, built), m -> m.commit(built, fence));
    }

    private void entries(JournalCommit.Builder commit, StepKey step, String key) {
        if (!oneIn(3)) {
            String digest = CallDigest.of(oneIn(6) ? CALLS.get(1) : CALLS.get(0));
            Intent intent = Intent.of(step, digest, key, EffectClass.IDEMPOTENT);
            commit.intent(oneIn(2) ? intent.under(approval()) : intent);
        }
        int index = oneIn(4) ? 1 : 0;
        switch (random.nextInt(6)) {
            case 0, 1 -> commit.effect(EffectEntry.pending(step, index, index == 0 ? key : key + "again"));
            case 2 -> commit.effect(EffectEntry.confirmed(step, index));
            case 3 -> commit.effect(EffectEntry.indeterminate(step, index));
            case 4 -> commit.outcome(oneIn(4) ? StepOutcome.failed(step, "1") : StepOutcome.completed(step, "1"));
            default -> {}
        }
    }

    private Deed resolve(String actor, int scope, Memory memory) {
        String run = run();
        StepKey step = step();
        int index = oneIn(4) ? 1 : 0;
        Fence fence = fence(actor, scope, run, memory);
        Resolution found = Resolution.of(oneIn(3) ? Finding.CONFIRMED : Finding.NOT_APPLIED, actor);
        return new Deed(
                "resolve",
                scope,
                s -> s.journal().resolveEffect(fence, run, EffectId.of(s.scope(), run, step, index), found),
                m -> m.resolve(run, step, index, found, fence));
    }

    private Deed look(int scope) {
        String run = run();
        String approval = approval();
        return switch (random.nextInt(6)) {
            case 0 ->
                new Deed(
                        "head",
                        scope,
                        s -> s.journal().find(run).map(found -> found.run().head()),
                        m -> m.findHead(run));
            case 1 ->
                new Deed(
                        "approval", scope, s -> s.approvals().find(approval), m -> new ApprovalModel(m).find(approval));
            case 2 -> new Deed("purge", scope, s -> s.journal().purge(Duration.ZERO, 100), ExecutionModel::purge);
            default ->
                new Deed(
                        "recoverable",
                        scope,
                        s -> s.runLeases().recoverable("", 100).runs(),
                        ExecutionModel::recoverable);
        };
    }

    private Deed of(String name, int scope, Function<Stores, Object> store, Function<ApprovalModel, Object> model) {
        return new Deed(name, scope, store, m -> model.apply(new ApprovalModel(m)));
    }

    private Deed register(int scope) {
        Expiry expiry = oneIn(4) ? Expiry.NEVER : Expiry.after(Duration.ofHours(1 + random.nextInt(3)));
        String call = oneIn(8) ? CALLS.get(1) : CALLS.get(0);
        ApprovalRequest request = ApprovalRequest.of(approval(), run(), call, expiry);
        return of("register", scope, s -> s.approvals().register(request), m -> m.register(request));
    }

    private Deed decide(String actor, int scope) {
        String id = approval();
        String digest = CallDigest.of(oneIn(8) ? CALLS.get(1) : CALLS.get(0));
        Decision decision = oneIn(4) ? Decision.reject(digest, actor, "no") : Decision.approve(digest, actor);
        return of("decide", scope, s -> s.approvals().decide(id, decision), m -> m.decide(id, decision));
    }

    private ApprovalUse use(String run) {
        return new ApprovalUse(approval(), run, CallDigest.of(oneIn(8) ? CALLS.get(1) : CALLS.get(0)), step());
    }

    private Deed consume(String actor, int scope, Memory memory) {
        String run = run();
        ApprovalUse use = use(run);
        Fence fence = fence(actor, scope, run, memory);
        return of("consume", scope, s -> s.approvals().consume(use, fence), m -> m.consume(use, fence));
    }

    private Deed dispatch(String actor, int scope, Memory memory) {
        String run = run();
        ApprovalUse use = use(run);
        ApprovedCall call = oneIn(5)
                ? new ApprovedCall(use, EffectClass.IDEMPOTENT, Optional.of("shared"))
                : ApprovedCall.of(use, EffectClass.NON_IDEMPOTENT);
        Fence fence = fence(actor, scope, run, memory);
        return of("dispatch", scope, s -> s.approvals().dispatch(call, fence), m -> m.dispatch(call, fence));
    }

    private Deed withdraw(String actor, int scope) {
        String id = approval();
        if (oneIn(2)) {
            return of(
                    "withdrawExpired",
                    scope,
                    s -> new ArrayList<>(s.approvals().withdrawExpired(100).stream()
                            .map(line -> line.id())
                            .toList()),
                    ApprovalModel::withdrawExpired);
        }
        return of("withdraw", scope, s -> s.approvals().withdraw(id, actor, ""), m -> m.withdraw(id, actor, ""));
    }
}
