package io.holdfast.example.adapters;

import static java.util.Objects.requireNonNull;

import io.holdfast.session.Message;
import io.holdfast.session.SessionSave;
import io.holdfast.session.SessionSummary;
import io.holdfast.session.ToolCall;
import io.holdfast.session.WorkspaceSession;
import io.holdfast.session.WorkspaceSessions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.ai.chat.memory.ChatMemoryRepository;
import org.springframework.ai.chat.messages.AbstractMessage;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.SystemMessage;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.messages.ToolResponseMessage.ToolResponse;
import org.springframework.ai.chat.messages.UserMessage;
import org.springframework.ai.content.MediaContent;
import org.springframework.util.Assert;

/**
 * Spring AI's chat memory: a conversation is a session. The interface knows no revision, so the last save stands, whatever was
 * saved since its caller read: two at once on one conversation lose a message. Who must not lose one saves by
 * {@link WorkspaceSessions#save}. A message with media is refused, and of its metadata what is no text, number or flag is left out.
 */
public final class SessionChatMemory implements ChatMemoryRepository {

    private final WorkspaceSessions sessions;

    public SessionChatMemory(WorkspaceSessions sessions) {
        this.sessions = sessions;
    }

    /** Those that have messages. */
    @Override
    public List<String> findConversationIds() {
        List<String> ids = new ArrayList<>();
        String after = "";
        List<SessionSummary> page;
        do {
            page = sessions.list(after, WorkspaceSessions.MAX_PAGE);
            for (SessionSummary session : page) {
                after = session.id();
                if (session.messageCount() > 0) {
                    ids.add(after);
                }
            }
        } while (page.size() == WorkspaceSessions.MAX_PAGE);
        return ids;
    }

    @Override
    public List<org.springframework.ai.chat.messages.Message> findByConversationId(String conversationId) {
        Assert.hasText(conversationId, "conversationId must be given");
        return sessions.find(conversationId).map(WorkspaceSession::messages).orElse(List.of()).stream()
                .map(SessionChatMemory::read)
                .toList();
    }

    @Override
    public void saveAll(String conversationId, List<org.springframework.ai.chat.messages.Message> messages) {
        Assert.hasText(conversationId, "conversationId must be given");
        Assert.notNull(messages, "messages must be given");
        Assert.noNullElements(messages, "messages must have no null");
        replace(
                conversationId,
                messages.stream().map(SessionChatMemory::written).toList(),
                0);
    }

    @Override
    public void deleteByConversationId(String conversationId) {
        Assert.hasText(conversationId, "conversationId must be given");
        sessions.find(conversationId).ifPresent(session -> replace(conversationId, List.of(), session.revision()));
    }

    private void replace(String id, List<Message> messages, long expected) {
        // snippet: replace
        SessionSave answer = sessions.save(id, messages, expected);
        while (answer instanceof SessionSave.Conflict conflict) {
            answer = sessions.save(id, messages, conflict.actual());
        }
        // end
    }

    private static Message written(org.springframework.ai.chat.messages.Message message) {
        if (message instanceof MediaContent content) {
            Assert.isTrue(content.getMedia().isEmpty(), "messages must have no media");
        }
        Map<String, Object> kept = new LinkedHashMap<>(message.getMetadata());
        kept.values()
                .removeIf(value -> !(value instanceof String || value instanceof Number || value instanceof Boolean));
        kept.remove(AbstractMessage.MESSAGE_TYPE);
        Map<String, Object> data = new LinkedHashMap<>(Map.of("metadata", kept));
        if (message instanceof ToolResponseMessage tool) {
            data.put(
                    "responses",
                    tool.getResponses().stream()
                            .map(answer ->
                                    Map.of("id", answer.id(), "name", answer.name(), "data", answer.responseData()))
                            .toList());
        }
        return new Message(
                message.getMessageType().getValue(),
                Optional.ofNullable(message.getText()),
                Optional.empty(),
                Optional.empty(),
                message instanceof AssistantMessage assistant && assistant.hasToolCalls()
                        ? Optional.of(assistant.getToolCalls().stream()
                                .map(call -> new ToolCall(
                                        call.id(),
                                        call.name(),
                                        Map.of("type", call.type()),
                                        Optional.of(call.arguments())))
                                .toList())
                        : Optional.empty(),
                List.of(),
                data);
    }

    @SuppressWarnings("unchecked") // as it was written above
    private static org.springframework.ai.chat.messages.Message read(Message message) {
        Map<String, Object> metadata =
                (Map<String, Object>) message.providerData().getOrDefault("metadata", Map.of());
        return switch (message.role()) {
            case "user" ->
                UserMessage.builder()
                        .text(message.content().orElse(""))
                        .metadata(metadata)
                        .build();
            case "system" ->
                SystemMessage.builder()
                        .text(message.content().orElse(""))
                        .metadata(metadata)
                        .build();
            case "assistant" ->
                AssistantMessage.builder()
                        .content(message.content().orElse(null))
                        .properties(metadata)
                        .toolCalls(message.toolCalls().orElse(List.of()).stream()
                                .map(call -> new AssistantMessage.ToolCall(
                                        call.id(),
                                        String.valueOf(call.arguments().get("type")),
                                        call.name(),
                                        call.rawArguments().orElse("")))
                                .toList())
                        .build();
            case "tool" ->
                ToolResponseMessage.builder()
                        .responses(((List<Map<String, String>>)
                                        message.providerData().getOrDefault("responses", List.of()))
                                .stream()
                                        .map(answer -> new ToolResponse(
                                                requireNonNull(answer.get("id")),
                                                requireNonNull(answer.get("name")),
                                                requireNonNull(answer.get("data"))))
                                        .toList())
                        .metadata(metadata)
                        .build();
            default -> throw new IllegalStateException("No message of Spring AI's has the role of this one");
        };
    }
}
