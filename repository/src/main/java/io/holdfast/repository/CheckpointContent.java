package io.holdfast.repository;

import static java.util.Objects.requireNonNull;

import io.holdfast.checkpoint.Checkpoint;
import io.holdfast.checkpoint.CheckpointStatus;
import io.holdfast.checkpoint.Definition;
import io.holdfast.checkpoint.DefinitionHash;
import io.holdfast.checkpoint.Waiting;
import io.holdfast.codec.Canonical;
import io.holdfast.codec.Document;
import io.holdfast.codec.JsonText;
import io.holdfast.failure.CorruptRecordException;
import io.holdfast.failure.InvalidValueException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A checkpoint as the columns that the run's row and each entry of its history have in common, and back. */
final class CheckpointContent {

    private CheckpointContent() {}

    static <T extends Record> Statements.Call<T> into(Statements.Call<T> call, Checkpoint checkpoint) {
        Optional<Waiting> waiting = checkpoint.waiting();
        return call.set("definition_hash", checkpoint.definition().hash().hex())
                .set("definition_version", checkpoint.definition().version().orElse(null))
                .set("status", checkpoint.status().wire())
                .set("node", checkpoint.node().orElse(null))
                .set("steps", (long) checkpoint.steps())
                .set("waiting_for", waiting.map(CheckpointContent::kind).orElse(null))
                .set(
                        "waiting_ids",
                        waiting.map(w -> Canonical.write("waiting", w.ids())).orElse(null))
                .set("state", checkpoint.state().text())
                .set("details", checkpoint.details().text());
    }

    /** @throws CorruptRecordException if it is not what this release writes */
    static Definition definition(String runId, String hash, @Nullable String version) {
        return read(runId, () -> new Definition(new DefinitionHash(hash), Optional.ofNullable(version)));
    }

    /** @throws CorruptRecordException if it is none that this release knows */
    static CheckpointStatus status(String runId, String word) {
        return read(runId, () -> CheckpointStatus.of(word));
    }

    /** @throws CorruptRecordException if what is stored breaks a rule */
    static <T> T read(String runId, Supplier<T> stored) {
        try {
            return stored.get();
        } catch (InvalidValueException e) {
            throw new CorruptRecordException("checkpoint", runId, String.valueOf(e.getMessage()));
        }
    }

    /** @throws CorruptRecordException if it is not what this release writes */
    static Checkpoint checkpoint(
            String runId,
            Definition definition,
            String status,
            @Nullable String node,
            long steps,
            @Nullable String waitingFor,
            @Nullable String waitingIds,
            String state,
            String details) {
        return read(
                runId,
                () -> new Checkpoint(
                        definition,
                        CheckpointStatus.of(status),
                        Optional.ofNullable(node),
                        Math.toIntExact(steps),
                        Optional.ofNullable(waitingFor).map(kind -> waiting(kind, requireNonNull(waitingIds))),
                        Document.ofStored("checkpoint", runId, state),
                        Document.ofStored("checkpoint", runId, details)));
    }

    private static String kind(Waiting waiting) {
        if (waiting instanceof Waiting.ForApprovals) {
            return "approvals";
        }
        return waiting instanceof Waiting.ForAnswer ? "answer" : "effect";
    }

    private static Waiting waiting(String kind, String json) {
        List<String> ids = new ArrayList<>();
        if (JsonText.read("waiting", json, Integer.MAX_VALUE) instanceof List<?> given) {
            for (Object id : given) {
                if (!(id instanceof String text)) {
                    throw new InvalidValueException("waiting", "be a list of texts");
                }
                ids.add(text);
            }
        }
        boolean one = ids.size() == 1;
        if (kind.equals("approvals")) {
            return new Waiting.ForApprovals(ids);
        } else if (kind.equals("answer") && one) {
            return new Waiting.ForAnswer(ids.get(0));
        } else if (kind.equals("effect") && one) {
            return new Waiting.ForEffect(ids.get(0));
        }
        throw new InvalidValueException("waiting", "be approvals, or one answer or effect");
    }
}
