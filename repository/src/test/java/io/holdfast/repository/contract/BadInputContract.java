package io.holdfast.repository.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Scope;
import io.holdfast.cleanup.Cutoff;
import io.holdfast.failure.InvalidValueException;
import io.holdfast.idempotency.Completion;
import io.holdfast.idempotency.KeepFor;
import io.holdfast.idempotency.KeyClaim;
import io.holdfast.idempotency.Reservation;
import io.holdfast.lease.Fence;
import io.holdfast.lease.LeaseKey;
import io.holdfast.lease.Loss;
import io.holdfast.lease.Renewal;
import io.holdfast.state.WorkflowState;
import io.holdfast.step.Begun;
import io.holdfast.step.Step;
import io.holdfast.step.StepResult;
import io.holdfast.step.StepResult.LeaseAfter;
import io.holdfast.workflow.Creation;
import io.holdfast.workflow.Workflow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every limit at its edge, and one past it: refused with the field's name, without the value, before anything is written. */
abstract class BadInputContract extends Contract {

    private static final String LONGEST = "a" + "-".repeat(127);
    private static final String OUTCOME = fingerprint('a');
    private static final Fence FENCE = new Fence("worker", 1);

    // BL-55, A-01, A-03: what cannot be an id, owner, request or workflow
    private static final List<String> NO_IDENT = List.of(
            "",
            " ",
            "\t",
            "_a",
            ".a",
            "a b",
            "a:b",
            "a/b",
            "..\\x",
            "wf-1\n",
            "a\0b",
            "\u0661a",
            "\u00e9",
            "\ud83d",
            LONGEST + "a",
            "a".repeat(3_000),
            "a".repeat(200_000));

    BadInputContract(Environment environment) {
        super(environment);
    }

    /** A call that must be refused because of that field. */
    record Bad(String field, String what, Consumer<Contract> call) {
        @Override
        public String toString() {
            return field + ": " + what;
        }
    }

    static Stream<Bad> badCalls() {
        List<Bad> bad = new ArrayList<>();
        for (String text : NO_IDENT) {
            String what = text.length() > 20 ? text.length() + " characters" : text;
            bad.add(new Bad("workflowId", what, c -> c.created(text)));
            bad.add(new Bad("requestId", what, c -> c.created(WorkflowState.create("wf-1", text))));
            bad.add(new Bad("owner", what, c -> c.granted("wf-1", text))); // F-16
            bad.add(new Bad("owner", "fence of " + what, c -> c.leases.release(lease(), new Fence(text, 1))));
            bad.add(new Bad("workflowId", "lease of " + what, c -> c.granted(text, "worker"))); // F-16
            bad.add(new Bad("requestId", "key for " + what, c -> c.keys.reserve("k", text, "wf-1", KeepFor.DEFAULT)));
            bad.add(new Bad("requestId", "any workflow for " + what, c -> c.keys.reserve("k", text, KeepFor.DEFAULT)));
            bad.add(new Bad("workflowId", "key of " + what, c -> c.keys.reserve("k", "req-1", text, KeepFor.DEFAULT)));
            bad.add(new Bad(
                    "workflowId", "claim of " + what, c -> c.keys.complete(new KeyClaim("k", text, 1), OUTCOME)));
            bad.add(new Bad("workflowId", "step of " + what, c -> c.steps.begin(new Step(text, "k", "req-1"), FENCE)));
            bad.add(new Bad("requestId", "step for " + what, c -> c.steps.begin(new Step("wf-1", "k", text), FENCE)));
            String key = text.equals("a:b") ? "a;b" : text;
            bad.add(new Bad("key", what, c -> c.keys.reserve(key, "req-1", "wf-1", KeepFor.DEFAULT)));
            bad.add(new Bad("key", "claim " + what, c -> c.keys.complete(new KeyClaim(key, "wf-1", 1), OUTCOME)));
            bad.add(new Bad("key", "step " + what, c -> c.steps.begin(new Step("wf-1", key, "req-1"), FENCE)));
        }
        return Stream.of(bad.stream(), ofLeases(), ofKeys(), ofWorkflows(), ofSteps(), ofCleanup(), ofScopes())
                .flatMap(s -> s);
    }

    private static LeaseKey lease() {
        return LeaseKey.ofWorkflow("wf-1");
    }

    private static Stream<Bad> ofLeases() {
        Stream<Bad> ttls = Stream.of(
                        Duration.ZERO,
                        Duration.ofMillis(999),
                        Duration.ofSeconds(1).minusNanos(1),
                        Duration.ofDays(1).plusNanos(1),
                        Duration.ofSeconds(-1),
                        Duration.ofSeconds(Long.MIN_VALUE),
                        Duration.ofSeconds(Long.MAX_VALUE))
                .map(ttl -> new Bad("ttl", ttl.toString(), c -> c.granted(lease(), "worker", ttl)));
        Stream<Bad> kinds = Stream.of("", "A", "1a", "a b", "a".repeat(64), "a\n", "\u0131")
                .map(kind -> new Bad("kind", kind, c -> c.granted(new LeaseKey(kind, "x"), "worker", MINUTE)));
        Stream<Bad> ids = Stream.of("", "a\0b", "a\nb", "x\ud83d", "a".repeat(1_025), "\u00e9".repeat(513))
                .map(id ->
                        new Bad("id", id.length() + " chars", c -> c.granted(new LeaseKey("tick", id), "w", MINUTE)));
        Stream<Bad> tokens = Stream.of(0L, -1L, Long.MIN_VALUE)
                .map(token -> new Bad("token", token.toString(), c -> c.leases.renew(lease(), new Fence("w", token))));
        Map<LeaseKey, Fence> tooMany = many(10_001);
        return Stream.of(
                        ttls, kinds, ids, tokens, Stream.of(new Bad("held", "10,001", c -> c.leases.renewAll(tooMany))))
                .flatMap(s -> s);
    }

    private static Map<LeaseKey, Fence> many(int count) {
        Map<LeaseKey, Fence> held = new HashMap<>();
        IntStream.range(0, count).forEach(i -> held.put(LeaseKey.ofWorkflow("wf-" + i), FENCE));
        return held;
    }

    private static Stream<Bad> ofKeys() {
        Stream<Bad> times = Stream.of(
                        Duration.ZERO,
                        Duration.ofNanos(999_999),
                        Duration.ofSeconds(-1),
                        Duration.ofDays(3_650).plusNanos(1),
                        Duration.ofSeconds(Long.MAX_VALUE),
                        Duration.ofSeconds(Long.MIN_VALUE))
                .map(time -> new Bad(
                        "keepFor", time.toString(), c -> c.keys.reserve("k", "req-1", "wf-1", KeepFor.of(time))));
        // E-13: before the key is looked for, which is not there
        Stream<Bad> outcomes = Stream.of(
                        "raw-result",
                        "",
                        "sha256:" + "a".repeat(63),
                        "sha256:" + "A".repeat(64),
                        OUTCOME + "\n",
                        "SHA256:" + "a".repeat(64))
                .map(text ->
                        new Bad("outcome", text.strip(), c -> c.keys.complete(new KeyClaim("k", "wf-1", 1), text)));
        Stream<Bad> numbers = Stream.of(0L, -1L)
                .map(n -> new Bad(
                        "reservation", n.toString(), c -> c.keys.complete(new KeyClaim("k", "wf-1", n), OUTCOME)));
        return Stream.of(
                        times,
                        outcomes,
                        numbers,
                        Stream.of(new Bad(
                                "outcome",
                                "fenced",
                                c -> c.keys.completeFenced(new KeyClaim("k", "wf-1", 1), "raw-result", FENCE))))
                .flatMap(s -> s);
    }

    private static Stream<Bad> ofWorkflows() {
        WorkflowState state = WorkflowState.create("wf-1", "req-1");
        Map<String, String> tooMany = new HashMap<>();
        IntStream.range(0, 33).forEach(i -> tooMany.put("name-" + i, ""));
        Stream<Bad> labels = Stream.of(
                        tooMany,
                        Map.of("", "x"),
                        Map.of("a b", "x"),
                        Map.of(LONGEST + "a", "x"),
                        Map.of("a", "x".repeat(257)),
                        Map.of("a", "\u00e9".repeat(129)),
                        Map.of("a", "x\0"),
                        Map.of("a", "\ud83d"))
                .map(given -> new Bad("labels", given.size() + " labels", c -> c.workflows.create(state, given)));
        Stream<Bad> limits = Stream.of(0, -1, 1_001, Integer.MAX_VALUE)
                .map(limit -> new Bad("limit", limit.toString(), c -> c.workflows.list("", limit)));
        Stream<Bad> afters = Stream.of("a".repeat(129), "a\0", "\ud83d")
                .map(after -> new Bad("after", after.length() + " chars", c -> c.workflows.list(after, 1)));
        WorkflowState another = WorkflowState.create("wf-2", "req-1");
        Stream<Bad> others = Stream.of(
                new Bad("next", "update", c -> c.workflows.update(unstored(state), another)),
                new Bad("next", "fenced update", c -> c.workflows.updateFenced(unstored(state), another, FENCE)),
                new Bad("snapshot", "create", c -> c.created(WideState.ofBytes((1 << 20) + 1))),
                new Bad("snapshot", "update", c -> {
                    WorkflowState wide = WideState.ofBytes((1 << 20) + 1);
                    c.workflows.update(unstored(WorkflowState.create(wide.workflowId(), "req-1")), wide);
                }));
        return Stream.of(labels, limits, afters, others).flatMap(s -> s);
    }

    /** As if it had been read. */
    private static Workflow unstored(WorkflowState state) {
        return new Workflow(state, 1, new java.util.UUID(0, 0), java.util.Optional.empty(), Map.of(), AT, AT);
    }

    private static Stream<Bad> ofSteps() {
        Workflow read = unstored(WorkflowState.create("wf-1", "req-1"));
        StepResult result = new StepResult(read, read.state(), OUTCOME, LeaseAfter.KEEP);
        return Stream.of(
                new Bad(
                        "claim",
                        "of another workflow",
                        c -> c.steps.finish(new KeyClaim("k", "wf-2", 1), result, FENCE)),
                new Bad(
                        "step",
                        "of another workflow",
                        c -> c.steps.step(new Step("wf-2", "k", "req-1"), result, FENCE)),
                new Bad(
                        "outcome",
                        "of a step",
                        c -> c.steps.step(
                                new Step("wf-1", "k", "req-1"),
                                new StepResult(read, read.state(), "raw-result", LeaseAfter.KEEP),
                                FENCE)),
                new Bad(
                        "next",
                        "of another workflow",
                        c -> c.steps.step(
                                new Step("wf-1", "k", "req-1"),
                                new StepResult(read, WorkflowState.create("wf-2", "req-1"), OUTCOME, LeaseAfter.KEEP),
                                FENCE)));
    }

    private static Stream<Bad> ofCleanup() {
        Stream<Bad> limits = Stream.of(0, -1, 10_001) // D-21
                .map(n -> new Bad("limit", n.toString(), c -> c.cleanup.pass(new Cutoff(MINUTE, MINUTE, n))));
        Stream<Bad> ages = Stream.of(
                        Duration.ofNanos(-1),
                        Duration.ofDays(36_500).plusNanos(1),
                        Duration.ofSeconds(Long.MAX_VALUE),
                        Duration.ofSeconds(Long.MIN_VALUE)) // BL-58
                .flatMap(age -> Stream.of(
                        new Bad("finished", age.toString(), c -> c.cleanup.pass(new Cutoff(age, MINUTE, 1))),
                        new Bad("expired", age.toString(), c -> c.cleanup.pass(new Cutoff(MINUTE, age, 1)))));
        return Stream.concat(limits, ages);
    }

    private static Stream<Bad> ofScopes() {
        Stream<Bad> ids = Stream.of("a\0", "a\n", "\ud83d", "a".repeat(256), "\u00e9".repeat(128))
                .map(id -> new Bad(
                        "scope",
                        id.length() + " chars",
                        c -> c.environment.holdfast().in(Scope.of(id))));
        Stream<Bad> prints = Stream.of("", "a".repeat(64), "sha256:" + "F".repeat(64), OUTCOME + "\n")
                .map(f -> new Bad(
                        "fingerprint", f.strip(), c -> c.environment.holdfast().in(Scope.ofFingerprint(f))));
        return Stream.concat(ids, prints);
    }

    @ParameterizedTest
    @MethodSource("badCalls")
    void aBadValueIsRefusedByNameBeforeAnythingIsWritten(Bad bad) {
        assertThatThrownBy(() -> bad.call().accept(this)).isInstanceOfSatisfying(InvalidValueException.class, e -> {
            assertThat(e.field()).isEqualTo(bad.field());
            assertThat(e.getMessage()).hasSizeLessThan(300).doesNotContain("raw-result", "\0", "\ud83d");
            assertThat(e.retryable()).isFalse();
        });
        assertThat(watched.picture()).isEmpty();
    }

    @Test
    void everyLimitIsAcceptedAtItsEdge() {
        Map<String, String> labels = new HashMap<>();
        IntStream.range(0, 31).forEach(i -> labels.put("name-" + i, "\u00e9".repeat(128)));
        labels.put(LONGEST, "");
        WorkflowState state = WorkflowState.create(LONGEST, LONGEST);
        assertThat(workflows.create(state, labels)).isInstanceOf(Creation.Created.class);
        assertThat(stored(LONGEST).labels()).isEqualTo(labels);
        assertThat(workflows.list("", 1_000)).hasSize(1);
        assertThat(workflows.list("~".repeat(128), 1)).isEmpty();
        Fence fence = granted(LONGEST, LONGEST).fence();
        Step step = new Step(LONGEST, "a:" + "-".repeat(126), LONGEST, KeepFor.of(Duration.ofMillis(1)));
        assertThat(steps.begin(step, fence)).isInstanceOf(Begun.New.class);
        Reservation reserved = keys.reserve(LONGEST, LONGEST, LONGEST, KeepFor.of(Duration.ofDays(3_650)));
        assertThat(keys.complete(reserved.key().claim(), OUTCOME)).isInstanceOf(Completion.Done.class);
        assertThat(leases.renewAll(many(10_000)).values()).containsOnly(new Renewal.Lost(Loss.NONE));
        cleanup.pass(new Cutoff(Duration.ofDays(36_500), Duration.ofDays(36_500), 10_000));
        Tenant longest = new Tenant(environment, Scope.of(scope.id() + "\u00e9".repeat(100)));
        assertThat(longest.created(WorkflowState.create("wf-1", "req-1")).revision())
                .isEqualTo(1);
    }

    @Test
    void aSnapshotOfOneMebibyteIsStoredAndRead() {
        WorkflowState wide = WideState.ofBytes(1 << 20);
        Workflow created = created(wide);
        assertThat(stored(wide.workflowId())).isEqualTo(created);
        assertThat(environment.value("select octet_length(snapshot) from {workflow} where scope = ?", scope.id()))
                .isEqualTo("1048576");
    }
}
