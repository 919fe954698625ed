package io.holdfast.session;

import io.holdfast.codec.Given;
import io.holdfast.codec.Identifier;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A message of a transcript. Its {@code toString} shows only the role.
 *
 * @param role who speaks, in the application's words: 1 to 64 bytes of UTF-8 without control characters
 * @param name of the speaker or the tool
 * @param toolCallId which call this is the answer to
 * @param toolCalls what the model wants called; empty is not the same as none
 * @param attachments JSON objects
 * @param providerData a JSON object
 */
public record Message(
        String role,
        Optional<String> content,
        Optional<String> name,
        Optional<String> toolCallId,
        Optional<List<ToolCall>> toolCalls,
        List<Map<String, @Nullable Object>> attachments,
        Map<String, @Nullable Object> providerData) {

    public Message {
        Identifier.text("role", role, 1, 64);
        Given.value("content", content);
        Given.value("name", name);
        Given.value("toolCallId", toolCallId);
        Given.value("toolCalls", toolCalls).ifPresent(calls -> calls.forEach(call -> Given.value("toolCalls", call)));
        toolCalls = toolCalls.map(List::copyOf);
        Given.value("attachments", attachments).forEach(attachment -> Given.value("attachments", attachment));
        attachments = List.copyOf(attachments);
        providerData = Collections.unmodifiableMap(new LinkedHashMap<>(Given.value("providerData", providerData)));
    }

    /** A message that is nothing but text. */
    public static Message of(String role, String content) {
        return new Message(
                role,
                Optional.of(Given.value("content", content)),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                List.of(),
                Map.of());
    }

    /** The same with tool calls. */
    public Message withToolCalls(List<ToolCall> calls) {
        return new Message(
                role, content, name, toolCallId, Optional.of(Given.value("calls", calls)), attachments, providerData);
    }

    /** The same with what belongs to the provider alone. */
    public Message withProviderData(Map<String, ? extends @Nullable Object> data) {
        return new Message(
                role,
                content,
                name,
                toolCallId,
                toolCalls,
                attachments,
                new LinkedHashMap<>(Given.value("data", data)));
    }

    @Override
    public String toString() {
        return "Message[role=" + role + "]";
    }
}
