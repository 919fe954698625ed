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

    static Definition definition(String hash, @Nullable String version) {
        return new Definition(new DefinitionHash(hash), Optional.ofNullable(version));
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
        try {
            return new Checkpoint(
                    definition,
                    CheckpointStatus.of(status),
                    Optional.ofNullable(node),
                    Math.toIntExact(steps),
                    Optional.ofNullable(waitingFor).map(kind -> waiting(kind, requireNonNull(waitingIds))),
                    Document.ofStored("checkpoint", runId, state),
                    Document.ofStored("checkpoint", runId, details));
        } catch (InvalidValueException e) {
            throw new CorruptRecordException("checkpoint", runId, String.valueOf(e.getMessage()));
        }
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
            given.forEach(id -> ids.add(String.valueOf(id)));
        }
        if (ids.isEmpty()) {
            throw new InvalidValueException("waiting", "be a list of ids");
        }
        return switch (kind) {
            case "approvals" -> new Waiting.ForApprovals(ids);
            case "answer" -> new Waiting.ForAnswer(requireNonNull(ids.get(0)));
            default -> new Waiting.ForEffect(requireNonNull(ids.get(0)));
        };
    }
}
