package io.holdfast.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.holdfast.codec.Document;
import io.holdfast.failure.InvalidValueException;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CheckpointTest {

    private static final DefinitionHash HASH = new DefinitionHash("ab".repeat(32));
    private static final Definition DEFINITION = Definition.of(HASH);
    private static final Document STATE = Document.of(Map.of("n", 1));
    private static final Checkpoint FIRST = Checkpoint.first(DEFINITION, "a", STATE);
    private static final RunStart RUN = RunStart.of("r");
    private static final Instant AT = Instant.parse("2026-01-01T00:00:00Z");

    record Call(String field, String what, ThrowingCallable call) {
        @Override
        public String toString() {
            return field + ": " + what;
        }
    }

    private static Call of(String field, String what, ThrowingCallable call) {
        return new Call(field, what, call);
    }

    static Stream<Call> calls() {
        return Stream.of(values(), runs(), waiting(), nulls()).flatMap(List::stream);
    }

    private static Checkpoint of(CheckpointStatus status, Optional<Waiting> waiting) {
        return new Checkpoint(DEFINITION, status, Optional.empty(), 0, waiting, STATE, Document.EMPTY);
    }

    private static List<Call> values() {
        Optional<Waiting> some = Optional.of(Waiting.ForApprovals.of("a-1"));
        return List.of(
                of("waiting", "paused for nothing", () -> of(CheckpointStatus.PAUSED, Optional.empty())),
                of("waiting", "completed and waits", () -> of(CheckpointStatus.COMPLETED, some)),
                of("waiting", "failed and waits", () -> of(CheckpointStatus.FAILED, some)),
                of("waiting", "rejected and waits", () -> of(CheckpointStatus.REJECTED, some)),
                of(
                        "steps",
                        "-1",
                        () -> new Checkpoint(
                                DEFINITION,
                                CheckpointStatus.RUNNING,
                                Optional.empty(),
                                -1,
                                Optional.empty(),
                                STATE,
                                STATE)),
                of("node", "empty", () -> FIRST.next("", STATE)),
                of("node", "1,025 bytes", () -> FIRST.next("n".repeat(1_025), STATE)),
                of("node", "U+0000", () -> FIRST.next("a\0", STATE)),
                of("version", "empty", () -> Definition.of(HASH, "")),
                of("version", "256 bytes", () -> Definition.of(HASH, "v".repeat(256))),
                of("hash", "63 digits", () -> new DefinitionHash("a".repeat(63))),
                of("hash", "upper case", () -> new DefinitionHash("A".repeat(64))),
                of("status", "another word", () -> CheckpointStatus.of("interrupted")),
                of("state", "lone surrogate", () -> Document.of("state", Map.of("a", "\ud83d"), 100)),
                of("state", "NaN", () -> Document.of("state", Map.of("a", Double.NaN), 100)),
                of("state", "one byte too long", () -> Document.of("state", Map.of("a", "\u00e9"), 9)));
    }

    private static List<Call> runs() {
        return List.of(
                of("runId", "empty", () -> RunStart.of("")),
                of("runId", "U+0000", () -> RunStart.of("a\0")),
                of("runId", "lone surrogate", () -> RunStart.of("a\ud83d")),
                of("runId", "1,025 bytes", () -> RunStart.of("r".repeat(1_025))),
                of("runId", "513 times two bytes", () -> RunStart.of("\u00e9".repeat(513))),
                of("runId", "a slash and no parent", () -> RunStart.of("a/b")), // W18
                of("runId", "another parent's", () -> new RunStart("a/b", Optional.of("c"), Optional.empty())),
                of("runId", "its parent's own", () -> new RunStart("a/", Optional.of("a"), Optional.empty())),
                of("runId", "longer with its parent", () -> RunStart.child("p".repeat(1_000), "n".repeat(24))),
                of("parentRunId", "empty", () -> new RunStart("/b", Optional.of(""), Optional.empty())),
                of("revision", "0", () -> new Fork("r", 0, 0, false)),
                of("steps", "-1", () -> new Fork("r", 1, -1, false)),
                of("runId", "fork of nothing", () -> new Fork("", 1, 0, false)));
    }

    private static List<Call> waiting() {
        List<String> many = IntStream.range(0, 65).mapToObj(Integer::toString).toList();
        return List.of(
                of("approvalIds", "none", Waiting.ForApprovals::of),
                of("approvalIds", "65", () -> new Waiting.ForApprovals(many)),
                of("approvalIds", "one twice", () -> Waiting.ForApprovals.of("a", "b", "a")),
                of("approvalIds", "empty", () -> Waiting.ForApprovals.of("a", "")),
                of("approvalIds", "1,025 bytes", () -> Waiting.ForApprovals.of("a".repeat(1_025))),
                of("approvalIds", "null in it", () -> new Waiting.ForApprovals(Arrays.asList("a", null))),
                of("interruptId", "empty", () -> new Waiting.ForAnswer("")), // W13
                of("effectId", "empty", () -> new Waiting.ForEffect("")),
                of("effectId", "U+0000", () -> new Waiting.ForEffect("\0")));
    }

    private static List<Call> nulls() {
        UUID one = new UUID(0, 0);
        Optional<String> none = Optional.empty();
        return List.of(
                of("definition", "null", () -> Checkpoint.first(null, "a", STATE)),
                of("state", "null", () -> Checkpoint.first(DEFINITION, "a", null)),
                of("details", "null", () -> FIRST.withDetails(null)),
                of("status", "null", () -> FIRST.ended(null)),
                of("hash", "null", () -> Definition.of(null)),
                of("hash", "null digits", () -> new DefinitionHash(null)),
                of("version", "null", () -> new Definition(HASH, null)),
                of("definition", "null to hash", () -> DefinitionHash.of(null)),
                of("runId", "null", () -> RunStart.of(null)),
                of("parentRunId", "null", () -> RunStart.child(null, "a#1")),
                of("parentRunId", "null itself", () -> new RunStart("r", null, Optional.empty())),
                of("step", "null", () -> RunStart.child("r", null)),
                of("fork", "null", () -> new RunStart("r", none, null)),
                of("approvalIds", "null", () -> new Waiting.ForApprovals(null)),
                of("interruptId", "null", () -> new Waiting.ForAnswer(null)),
                of("effectId", "null", () -> new Waiting.ForEffect(null)),
                of("run", "null", () -> new SavedCheckpoint(null, FIRST, 1, one, none, AT, AT)),
                of("checkpoint", "null", () -> new SavedCheckpoint(RUN, null, 1, one, none, AT, AT)),
                of("incarnation", "null", () -> new SavedCheckpoint(RUN, FIRST, 1, null, none, AT, AT)),
                of("startedVersion", "null", () -> new SavedCheckpoint(RUN, FIRST, 1, one, null, AT, AT)),
                of("createdAt", "null", () -> new SavedCheckpoint(RUN, FIRST, 1, one, none, null, AT)),
                of("updatedAt", "null", () -> new SavedCheckpoint(RUN, FIRST, 1, one, none, AT, null)),
                of("savedAt", "null", () -> new HistoryEntry("r", 1, FIRST, null)),
                of("createdAt", "null place", () -> new CheckpointSummary.Place(null, "r")),
                of("runId", "null place", () -> new CheckpointSummary.Place(AT, null)));
    }

    @ParameterizedTest
    @MethodSource("calls")
    void whatBreaksARuleIsRefusedByTheFieldsName(Call call) {
        assertThatExceptionOfType(InvalidValueException.class)
                .isThrownBy(call.call())
                .satisfies(refusal -> assertThat(refusal.field()).isEqualTo(call.field()));
    }

    @Test
    void aRunGoesFromOneCheckpointToTheNext() {
        Checkpoint next = FIRST.next("b", Document.EMPTY);
        assertThat(next.steps()).isEqualTo(1);
        Checkpoint paused = next.paused(new Waiting.ForAnswer("i"));
        assertThat(paused.node()).contains("b");
        assertThat(paused.next("c", STATE).waiting()).isEmpty();
        Checkpoint done = paused.completed(STATE);
        assertThat(done.node()).isEmpty();
        assertThat(done.steps()).isEqualTo(2);
        assertThat(paused.ended(CheckpointStatus.REJECTED).waiting()).isEmpty();
    }

    @Test
    void neitherStateNorDetailsAreShown() {
        Document secret = Document.of(Map.of("password", "hunter2"));
        assertThat(Checkpoint.first(DEFINITION, "a", secret).withDetails(secret).toString())
                .doesNotContain("hunter2", "password");
    }

    @Test // 2.5
    void aForkHasAnIdOfItsOwnBesideItsSource() {
        Fork fork = new Fork("p/a#2", 3, 2, false);
        RunStart start = RunStart.child("p", "a#2").forked(fork);
        assertThat(start.runId()).matches("p/a#2~fork-[0-9a-f]{8}");
        assertThat(start.parentRunId()).contains("p");
        assertThat(start.forked(fork).runId()).isNotEqualTo(start.forked(fork).runId());
    }
}
