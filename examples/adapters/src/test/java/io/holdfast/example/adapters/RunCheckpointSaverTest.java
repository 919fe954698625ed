package io.holdfast.example.adapters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.bsc.langgraph4j.StateGraph.END;
import static org.bsc.langgraph4j.StateGraph.START;
import static org.bsc.langgraph4j.action.AsyncNodeAction.node_async;

import io.holdfast.Scope;
import io.holdfast.repository.Holdfast;
import io.holdfast.run.Runs;
import io.holdfast.testing.TestDatabase;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bsc.langgraph4j.CompileConfig;
import org.bsc.langgraph4j.GraphInput;
import org.bsc.langgraph4j.RunnableConfig;
import org.bsc.langgraph4j.StateGraph;
import org.bsc.langgraph4j.checkpoint.BaseCheckpointSaver;
import org.bsc.langgraph4j.checkpoint.Checkpoint;
import org.bsc.langgraph4j.checkpoint.MemorySaver;
import org.bsc.langgraph4j.serializer.std.ObjectStreamStateSerializer;
import org.bsc.langgraph4j.state.AgentState;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** LangGraph4j's own saver in memory and ours, by the same tests. */
class RunCheckpointSaverTest {

    private static final Holdfast HOLDFAST = Holdfast.open(TestDatabase.get().dataSource());

    @AfterAll
    static void close() {
        HOLDFAST.close();
    }

    static Stream<BaseCheckpointSaver> savers() {
        Scope scope = Scope.of(UUID.randomUUID().toString());
        // snippet: saver
        var serializer = new ObjectStreamStateSerializer<>(AgentState::new);
        BaseCheckpointSaver saver = new RunCheckpointSaver(HOLDFAST.in(scope).runs(), serializer);
        // end
        return Stream.of(new MemorySaver(), saver);
    }

    private static final RunnableConfig THREAD =
            RunnableConfig.builder().threadId("t").build();

    private static Checkpoint checkpoint(String id, Object value) {
        return Checkpoint.builder()
                .id(id)
                .nodeId("node-" + id)
                .nextNodeId("next-" + id)
                .state(Map.of("value", value, "list", List.of("a", 1)))
                .build();
    }

    private static void assertSame(Checkpoint found, Checkpoint put) {
        assertThat(found.getId()).isEqualTo(put.getId());
        assertThat(found.getNodeId()).isEqualTo(put.getNodeId());
        assertThat(found.getNextNodeId()).isEqualTo(put.getNextNodeId());
        assertThat(found.getState()).isEqualTo(put.getState());
    }

    @ParameterizedTest
    @MethodSource("savers")
    void theNewestIsFirstAndEachIsFoundByItsId(BaseCheckpointSaver saver) throws Exception {
        assertThat(saver.get(THREAD)).isEmpty();
        assertThat(saver.list(THREAD)).isEmpty();
        RunnableConfig first = saver.put(THREAD, checkpoint("1", "one"));
        RunnableConfig second = saver.put(THREAD, checkpoint("2", "two\0"));
        assertThat(first.checkPointId()).contains("1");
        assertThat(first.threadId()).contains("t");
        assertSame(saver.get(THREAD).orElseThrow(), checkpoint("2", "two\0"));
        assertSame(saver.get(first).orElseThrow(), checkpoint("1", "one"));
        assertThat(saver.list(second)).extracting(Checkpoint::getId).containsExactly("2", "1");
        assertThat(saver.get(THREAD.withCheckPointId("3"))).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("savers")
    void oneThatIsPutAgainTakesTheFormersPlace(BaseCheckpointSaver saver) throws Exception {
        RunnableConfig first = saver.put(THREAD, checkpoint("1", "one"));
        saver.put(THREAD, checkpoint("2", "two"));
        assertThat(saver.put(first, checkpoint("1", "other"))).isSameAs(first);
        assertThat(saver.list(THREAD)).extracting(Checkpoint::getId).containsExactly("2", "1");
        assertSame(saver.get(first).orElseThrow(), checkpoint("1", "other"));
        assertSame(saver.get(THREAD).orElseThrow(), checkpoint("2", "two"));
        saver.put(first, checkpoint("3", "under another id"));
        assertThat(saver.list(THREAD)).extracting(Checkpoint::getId).containsExactly("2", "3");
        assertThatThrownBy(() -> saver.put(THREAD.withCheckPointId("none"), checkpoint("4", "x")))
                .isInstanceOf(NoSuchElementException.class);
    }

    @ParameterizedTest
    @MethodSource("savers")
    void aThreadThatIsReleasedBeginsAnew(BaseCheckpointSaver saver) throws Exception {
        saver.put(THREAD, checkpoint("1", "one"));
        saver.put(THREAD, checkpoint("2", "two"));
        BaseCheckpointSaver.Tag tag = saver.release(THREAD);
        assertThat(tag.threadId()).isEqualTo("t");
        assertThat(tag.checkpoints()).extracting(Checkpoint::getId).containsExactly("2", "1");
        assertThat(saver.list(THREAD)).isEmpty();
        assertThat(saver.get(THREAD)).isEmpty();
        saver.put(THREAD, checkpoint("3", "three"));
        assertThat(saver.list(THREAD)).extracting(Checkpoint::getId).containsExactly("3");
        assertSame(saver.get(THREAD).orElseThrow(), checkpoint("3", "three"));
    }

    @Test
    void aCheckpointThatComesDuringAReleaseIsTheFirstOfWhatFollows() throws Exception {
        Runs runs = HOLDFAST.in(Scope.of(UUID.randomUUID().toString())).runs();
        var serializer = new ObjectStreamStateSerializer<>(AgentState::new);
        BaseCheckpointSaver other = new RunCheckpointSaver(runs, serializer);
        Runs interrupted = (Runs) Proxy.newProxyInstance(
                Runs.class.getClassLoader(), new Class<?>[] {Runs.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("update")) { // the thread has been read
                        other.put(THREAD, checkpoint("2", "late"));
                    }
                    return method.invoke(runs, arguments);
                });
        other.put(THREAD, checkpoint("1", "one"));
        BaseCheckpointSaver.Tag tag = new RunCheckpointSaver(interrupted, serializer).release(THREAD);
        assertThat(tag.checkpoints()).extracting(Checkpoint::getId).containsExactly("1");
        assertThat(other.list(THREAD)).extracting(Checkpoint::getId).containsExactly("2");
        assertThat(other.release(THREAD).checkpoints())
                .extracting(Checkpoint::getId)
                .containsExactly("2");
        assertThat(other.release(THREAD).checkpoints()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("savers")
    void threadsDoNotMeetAndThereIsOneWithoutAName(BaseCheckpointSaver saver) throws Exception {
        RunnableConfig nameless = RunnableConfig.builder().build();
        saver.put(nameless, checkpoint("1", "one"));
        saver.put(THREAD, checkpoint("2", "two"));
        assertThat(saver.list(nameless)).extracting(Checkpoint::getId).containsExactly("1");
        assertThat(saver.list(THREAD)).extracting(Checkpoint::getId).containsExactly("2");
    }

    @ParameterizedTest
    @MethodSource("savers")
    void aLongThreadIsListedWhole(BaseCheckpointSaver saver) throws Exception {
        for (int i = 0; i < 520; i++) {
            saver.put(THREAD, checkpoint("c" + i, i));
        }
        assertThat(saver.list(THREAD))
                .extracting(Checkpoint::getId)
                .containsExactlyElementsOf(
                        IntStream.range(0, 520).mapToObj(i -> "c" + (519 - i)).toList());
    }

    @ParameterizedTest
    @MethodSource("savers")
    void aGraphThatWasInterruptedGoesOnFromItsCheckpoint(BaseCheckpointSaver saver) throws Exception {
        var graph = new StateGraph<>(AgentState::new)
                .addNode("one", node_async(state -> Map.of("one", "done")))
                .addNode(
                        "two",
                        node_async(state -> Map.of("two", state.value("one").orElse("lost"))))
                .addEdge(START, "one")
                .addEdge("one", "two")
                .addEdge("two", END)
                .compile(CompileConfig.builder()
                        .checkpointSaver(saver)
                        .interruptBefore("two")
                        .build());
        AgentState interrupted = graph.invoke(Map.of("in", "x"), THREAD).orElseThrow();
        assertThat(interrupted.data()).containsEntry("one", "done").doesNotContainKey("two");
        assertThat(graph.getState(THREAD).next()).isEqualTo("two");
        AgentState ended = graph.invoke(GraphInput.resume(), THREAD).orElseThrow();
        assertThat(ended.data()).containsEntry("two", "done").containsEntry("in", "x");
        assertThat(graph.getStateHistory(THREAD)).hasSizeGreaterThanOrEqualTo(3);
    }
}
