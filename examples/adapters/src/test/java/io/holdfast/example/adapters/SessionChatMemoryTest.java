package io.holdfast.example.adapters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Scope;
import io.holdfast.repository.Holdfast;
import io.holdfast.testing.TestDatabase;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.ai.chat.memory.ChatMemoryRepository;
import org.springframework.ai.chat.memory.InMemoryChatMemoryRepository;
import org.springframework.ai.chat.memory.MessageWindowChatMemory;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.SystemMessage;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.messages.UserMessage;

/** Spring AI's own repository in memory and ours, by the same tests. */
class SessionChatMemoryTest {

    private static final Holdfast HOLDFAST = Holdfast.open(TestDatabase.get().dataSource());

    @AfterAll
    static void close() {
        HOLDFAST.close();
    }

    static Stream<ChatMemoryRepository> repositories() {
        Scope scope = Scope.of(UUID.randomUUID().toString());
        // snippet: memory
        ChatMemoryRepository memory = new SessionChatMemory(HOLDFAST.in(scope).workspaceSessions());
        // end
        return Stream.of(new InMemoryChatMemoryRepository(), memory);
    }

    private static final List<Message> ALL = List.of(
            new SystemMessage("be brief"),
            UserMessage.builder()
                    .text("what\0is \"it\"?")
                    .metadata(Map.of("lang", "en", "n", 1L, "ok", true))
                    .build(),
            AssistantMessage.builder()
                    .content("")
                    .toolCalls(List.of(new AssistantMessage.ToolCall("c1", "function", "look", "{\"q\": 1}")))
                    .build(),
            ToolResponseMessage.builder()
                    .responses(List.of(
                            new ToolResponseMessage.ToolResponse("c1", "look", "[1]"),
                            new ToolResponseMessage.ToolResponse("c2", "look", "")))
                    .build(),
            new AssistantMessage("it is 1"));

    @ParameterizedTest
    @MethodSource("repositories")
    void everyKindOfMessageComesBackAsItWas(ChatMemoryRepository repository) {
        assertThat(repository.findByConversationId("c")).isEmpty();
        repository.saveAll("c", ALL);
        assertThat(repository.findByConversationId("c")).isEqualTo(ALL);
    }

    @ParameterizedTest
    @MethodSource("repositories")
    void aSaveReplacesWhatWasThere(ChatMemoryRepository repository) {
        repository.saveAll("c", ALL);
        repository.saveAll("c", ALL);
        repository.saveAll("c", List.of(new UserMessage("anew")));
        assertThat(repository.findByConversationId("c")).containsExactly(new UserMessage("anew"));
    }

    @ParameterizedTest
    @MethodSource("repositories")
    void whatIsDeletedIsGoneAndTheOthersStay(ChatMemoryRepository repository) {
        repository.saveAll("a", ALL);
        repository.saveAll("b", ALL);
        repository.deleteByConversationId("a");
        repository.deleteByConversationId("a");
        repository.deleteByConversationId("never there");
        assertThat(repository.findConversationIds()).containsExactly("b");
        assertThat(repository.findByConversationId("a")).isEmpty();
        repository.saveAll("a", ALL);
        assertThat(repository.findConversationIds()).containsExactlyInAnyOrder("a", "b");
    }

    @ParameterizedTest
    @MethodSource("repositories")
    void whatIsMissingIsRefused(ChatMemoryRepository repository) {
        assertThatThrownBy(() -> repository.findByConversationId(" ")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> repository.saveAll("", ALL)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> repository.saveAll("c", null)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> repository.saveAll("c", Arrays.asList(new UserMessage("x"), null)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> repository.deleteByConversationId("")).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @MethodSource("repositories")
    void aWindowOfMessagesIsKeptOverIt(ChatMemoryRepository repository) {
        var memory = MessageWindowChatMemory.builder()
                .chatMemoryRepository(repository)
                .maxMessages(2)
                .build();
        memory.add("c", List.of(new UserMessage("1"), new AssistantMessage("2")));
        memory.add("c", List.of(new UserMessage("3"), new AssistantMessage("4")));
        assertThat(memory.get("c")).extracting(Message::getText).containsExactly("3", "4");
        memory.clear("c");
        assertThat(memory.get("c")).isEmpty();
    }
}
