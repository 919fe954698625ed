package io.holdfast.checkpoint;

import io.holdfast.codec.Document;
import io.holdfast.codec.Given;
import io.holdfast.codec.Identifier;
import io.holdfast.codec.Unicode;
import io.holdfast.failure.InvalidValueException;
import java.util.Optional;

/**
 * What an engine needs to go on with a run after everything else is gone.
 *
 * @param definition which workflow the run follows; another one after a migration
 * @param status where it stands
 * @param node the node that comes next, 1 to {@value #MAX_NODE_BYTES} bytes of UTF-8 without control characters; empty at the
 *     end
 * @param steps how many visits of nodes are finished, from 0
 * @param waiting what it waits for: given while it is paused, kept while it goes on with the answer, absent at the end
 * @param state the workflow's variables
 * @param details what the engine keeps beside them, such as a question and its answers, an effect in doubt, an error, a budget;
 *     together with the state at most {@value #MAX_BYTES} bytes of UTF-8
 */
public record Checkpoint(
        Definition definition,
        CheckpointStatus status,
        Optional<String> node,
        int steps,
        Optional<Waiting> waiting,
        Document state,
        Document details) {

    /** The longest state and details together, in bytes of UTF-8. */
    public static final int MAX_BYTES = 4 * 1_048_576;

    /** The longest name of a node, in bytes of UTF-8. */
    public static final int MAX_NODE_BYTES = 1_024;

    /** @throws InvalidValueException naming the component that breaks a rule */
    public Checkpoint {
        Given.value("definition", definition);
        Given.value("status", status);
        Given.value("node", node).ifPresent(name -> Identifier.text("node", name, 1, MAX_NODE_BYTES));
        if (steps < 0) {
            throw new InvalidValueException("steps", "be 0 or more");
        }
        Given.value("waiting", waiting);
        if (status == CheckpointStatus.PAUSED && waiting.isEmpty()) {
            throw new InvalidValueException("waiting", "be given while the run is paused");
        }
        if (status.isFinal() && waiting.isPresent()) {
            throw new InvalidValueException("waiting", "be absent once the run has ended");
        }
        Given.value("state", state);
        Given.value("details", details);
        if (bytes(state) + bytes(details) > MAX_BYTES) {
            throw new InvalidValueException(
                    "state", "be at most " + MAX_BYTES + " bytes of UTF-8 together with the details");
        }
    }

    /** The checkpoint of a run that is about to begin: running, at step 0. */
    public static Checkpoint first(Definition definition, String node, Document state) {
        return new Checkpoint(
                definition, CheckpointStatus.RUNNING, Optional.of(node), 0, Optional.empty(), state, Document.EMPTY);
    }

    /** The one after another visit: running, towards {@code node}, waiting for nothing. */
    public Checkpoint next(String node, Document state) {
        return new Checkpoint(
                definition, CheckpointStatus.RUNNING, Optional.of(node), steps + 1, Optional.empty(), state, details);
    }

    /** The same, paused until what is named has come. */
    public Checkpoint paused(Waiting waiting) {
        return new Checkpoint(definition, CheckpointStatus.PAUSED, node, steps, Optional.of(waiting), state, details);
    }

    /** The one after the last visit: completed, at no node. */
    public Checkpoint completed(Document state) {
        return new Checkpoint(
                definition, CheckpointStatus.COMPLETED, Optional.empty(), steps + 1, Optional.empty(), state, details);
    }

    /** The same, ended where it stands. */
    public Checkpoint ended(CheckpointStatus status) {
        return new Checkpoint(definition, status, node, steps, Optional.empty(), state, details);
    }

    /** The same with other details. */
    public Checkpoint withDetails(Document details) {
        return new Checkpoint(definition, status, node, steps, waiting, state, details);
    }

    private static long bytes(Document document) {
        return Unicode.utf8Length(document.text());
    }
}
