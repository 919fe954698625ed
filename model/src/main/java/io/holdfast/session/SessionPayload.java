package io.holdfast.session;

import io.holdfast.codec.Canonical;
import io.holdfast.codec.Given;
import io.holdfast.codec.JsonText;
import io.holdfast.failure.CorruptRecordException;
import io.holdfast.failure.InvalidValueException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A transcript as it is stored: canonical JSON of format 1. A message has {@code role}, {@code content}, {@code name},
 * {@code tool_call_id} and {@code tool_calls}, null where there is none, and {@code attachments} and {@code provider_data}
 * where they are not empty.
 */
public final class SessionPayload {

    private static final long FORMAT = 1;

    private final String id;

    private SessionPayload(String id) {
        this.id = id;
    }

    /**
     * The text of a transcript.
     *
     * @throws InvalidValueException naming {@code messages} and the place
     */
    public static String write(String id, List<Message> messages, long revision) {
        List<Map<String, @Nullable Object>> all = new ArrayList<>(messages.size());
        messages.forEach(message -> all.add(written(Given.value("messages", message))));
        Map<String, @Nullable Object> payload = new HashMap<>();
        payload.put("schema_version", FORMAT);
        payload.put("session_id", id);
        payload.put("revision", revision);
        payload.put("messages", all);
        return Canonical.write("messages", payload, WorkspaceSessions.MAX_PAYLOAD_BYTES);
    }

    private static Map<String, @Nullable Object> written(Message message) {
        Map<String, @Nullable Object> fields = new HashMap<>();
        fields.put("role", message.role());
        fields.put("content", message.content().orElse(null));
        fields.put("name", message.name().orElse(null));
        fields.put("tool_call_id", message.toolCallId().orElse(null));
        fields.put(
                "tool_calls",
                message.toolCalls()
                        .map(calls ->
                                calls.stream().map(SessionPayload::written).toList())
                        .orElse(null));
        if (!message.attachments().isEmpty()) {
            fields.put("attachments", message.attachments());
        }
        if (!message.providerData().isEmpty()) {
            fields.put("provider_data", message.providerData());
        }
        return fields;
    }

    private static Map<String, @Nullable Object> written(ToolCall call) {
        Map<String, @Nullable Object> fields = new HashMap<>();
        fields.put("id", call.id());
        fields.put("name", call.name());
        fields.put("arguments", call.arguments());
        fields.put("raw_arguments", call.rawArguments().orElse(null));
        return fields;
    }

    /**
     * The messages of a text that is stored for a session. The revision in it is not asked: the row's decides.
     *
     * @throws CorruptRecordException if it is no transcript of this session, or of another format
     */
    public static List<Message> read(String id, String text) {
        SessionPayload reading = new SessionPayload(id);
        try {
            return reading.messages(JsonText.read("payload", text, WorkspaceSessions.MAX_PAYLOAD_BYTES));
        } catch (InvalidValueException e) {
            throw reading.corrupt(e.field() + " must " + e.details().getOrDefault("rule", "be valid"));
        }
    }

    private List<Message> messages(@Nullable Object document) {
        Map<String, @Nullable Object> payload = object("payload", document);
        if (!Long.valueOf(FORMAT).equals(payload.get("schema_version"))) {
            throw corrupt("schema_version must be " + FORMAT);
        }
        if (!id.equals(text("session_id", payload.get("session_id")))) {
            throw corrupt("session_id must be the row's");
        }
        if (!(payload.get("revision") instanceof Long)) {
            throw corrupt("revision must be an integer");
        }
        return list("messages", payload.get("messages")).stream()
                .map(message -> message(object("message", message)))
                .toList();
    }

    private Message message(Map<String, @Nullable Object> fields) {
        return new Message(
                text("role", fields.get("role")),
                textOrNull("content", fields.get("content")),
                textOrNull("name", fields.get("name")),
                textOrNull("tool_call_id", fields.get("tool_call_id")),
                Optional.ofNullable(fields.get("tool_calls"))
                        .map(calls -> list("tool_calls", calls).stream()
                                .map(call -> toolCall(object("tool_call", call)))
                                .toList()),
                listOrNone("attachments", fields.get("attachments")).stream()
                        .map(attachment -> object("attachment", attachment))
                        .toList(),
                objectOrEmpty("provider_data", fields.get("provider_data")));
    }

    private ToolCall toolCall(Map<String, @Nullable Object> fields) {
        return new ToolCall(
                text("id", fields.get("id")),
                text("name", fields.get("name")),
                objectOrEmpty("arguments", fields.get("arguments")),
                textOrNull("raw_arguments", fields.get("raw_arguments")));
    }

    private String text(String field, @Nullable Object value) {
        if (value instanceof String text) {
            return text;
        }
        throw corrupt(field + " must be a text");
    }

    private Optional<String> textOrNull(String field, @Nullable Object value) {
        return value == null ? Optional.empty() : Optional.of(text(field, value));
    }

    private List<?> list(String field, @Nullable Object value) {
        if (value instanceof List<?> list) {
            return list;
        }
        throw corrupt(field + " must be a list");
    }

    private List<?> listOrNone(String field, @Nullable Object value) {
        return value == null ? List.of() : list(field, value);
    }

    @SuppressWarnings("unchecked") // a parsed object has texts for keys
    private Map<String, @Nullable Object> object(String field, @Nullable Object value) {
        if (value instanceof Map<?, ?> map) {
            return (Map<String, @Nullable Object>) map;
        }
        throw corrupt(field + " must be an object");
    }

    private Map<String, @Nullable Object> objectOrEmpty(String field, @Nullable Object value) {
        return value == null ? Map.of() : object(field, value);
    }

    private CorruptRecordException corrupt(String rule) {
        return new CorruptRecordException("session", id, rule);
    }
}
