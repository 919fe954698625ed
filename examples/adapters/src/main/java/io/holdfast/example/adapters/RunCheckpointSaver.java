package io.holdfast.example.adapters;

import io.holdfast.run.Append;
import io.holdfast.run.Run;
import io.holdfast.run.RunChange;
import io.holdfast.run.RunEvent;
import io.holdfast.run.RunUpdate;
import io.holdfast.run.Runs;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import org.bsc.langgraph4j.RunnableConfig;
import org.bsc.langgraph4j.checkpoint.BaseCheckpointSaver;
import org.bsc.langgraph4j.checkpoint.Checkpoint;
import org.bsc.langgraph4j.serializer.StateSerializer;

/**
 * LangGraph4j's checkpoints: a thread is a run, each checkpoint one of its events. Nothing is ever changed: who puts a
 * checkpoint again writes another event of the same id, and a release notes up to which event the thread is over. So a
 * checkpoint that comes while somebody releases the thread is not lost: it is the first of what follows.
 */
public final class RunCheckpointSaver implements BaseCheckpointSaver {

    private static final String RELEASED = "released";

    private final Runs runs;
    private final StateSerializer<?> serializer;

    public RunCheckpointSaver(Runs runs, StateSerializer<?> serializer) {
        this.runs = runs;
        this.serializer = serializer;
    }

    /** One statement; the first of a thread, or of a checkpoint that is put again, looks before. */
    @Override
    public RunnableConfig put(RunnableConfig config, Checkpoint checkpoint) throws IOException {
        Optional<String> former = config.checkPointId();
        if (former.isPresent() && get(config).isEmpty()) {
            throw new NoSuchElementException("No checkpoint " + former.get());
        }
        String thread = thread(config);
        List<Map<String, Object>> event = List.of(Map.of(
                "type", "checkpoint",
                "place", former.orElse(checkpoint.getId()),
                "id", checkpoint.getId(),
                "node", checkpoint.getNodeId(),
                "next", checkpoint.getNextNodeId(),
                "again", former.isPresent(),
                "state", Base64.getEncoder().encodeToString(serializer.dataToBytes(checkpoint.getState()))));
        // snippet: put
        while (runs.append(thread, event) instanceof Append.NotFound) {
            runs.create(thread, Map.of(RELEASED, 0), Map.of()); // or somebody else does
        }
        // end
        return former.isPresent()
                ? config
                : RunnableConfig.builder(config)
                        .checkPointId(checkpoint.getId())
                        .build();
    }

    /** Newest first. */
    @Override
    public Collection<Checkpoint> list(RunnableConfig config) {
        return runs.find(thread(config)).map(this::checkpoints).orElse(List.of());
    }

    @Override
    public Optional<Checkpoint> get(RunnableConfig config) {
        return config.checkPointId()
                .map(id -> list(config).stream()
                        .filter(checkpoint -> checkpoint.getId().equals(id))
                        .findFirst())
                .orElseGet(() -> runs.find(thread(config)).flatMap(this::latest));
    }

    @Override
    public Tag release(RunnableConfig config) {
        String thread = thread(config);
        while (true) {
            Optional<Run> run = runs.find(thread);
            if (run.isEmpty()) {
                return new Tag(thread, List.of());
            }
            List<Checkpoint> over = checkpoints(run.get());
            RunChange change = RunChange.to(run.get().status())
                    .merging(Map.of(RELEASED, run.get().lastSeq()));
            if (runs.update(run.get(), change) instanceof RunUpdate.Updated) {
                return new Tag(thread, over);
            } // somebody else released it meanwhile: what is left is looked at again
        }
    }

    private static String thread(RunnableConfig config) {
        return config.threadId().orElse(THREAD_ID_DEFAULT);
    }

    private static long released(Run run) {
        return run.state().get(RELEASED) instanceof Long seq ? seq : 0;
    }

    private Optional<Checkpoint> latest(Run run) {
        List<RunEvent> last = run.lastSeq() > released(run) ? runs.events(run.id(), run.lastSeq() - 1, 1) : List.of();
        return last.isEmpty() || Boolean.FALSE.equals(last.get(0).payload().get("again"))
                ? last.stream().map(this::checkpoint).findFirst()
                : checkpoints(run).stream().findFirst();
    }

    /** Up to the event that the run was read at. */
    private List<Checkpoint> checkpoints(Run run) {
        Map<Object, Checkpoint> inPlace = new LinkedHashMap<>();
        for (long after = released(run); after < run.lastSeq(); ) {
            for (RunEvent event : runs.events(run.id(), after, Runs.DEFAULT_PAGE)) {
                if (event.seq() <= run.lastSeq()) {
                    inPlace.put(event.payload().get("place"), checkpoint(event));
                }
                after = event.seq();
            }
        }
        List<Checkpoint> newestFirst = new ArrayList<>(inPlace.values());
        Collections.reverse(newestFirst);
        return newestFirst;
    }

    private Checkpoint checkpoint(RunEvent event) {
        try {
            return Checkpoint.builder()
                    .id((String) event.payload().get("id"))
                    .nodeId((String) event.payload().get("node"))
                    .nextNodeId((String) event.payload().get("next"))
                    .state(serializer.dataFromBytes(
                            Base64.getDecoder().decode((String) event.payload().get("state"))))
                    .build();
        } catch (IOException | ClassNotFoundException e) {
            throw new IllegalStateException("Event " + event.seq() + " holds a state that cannot be read", e);
        }
    }
}
