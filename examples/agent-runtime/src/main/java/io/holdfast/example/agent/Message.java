package io.holdfast.example.agent;

import io.holdfast.codec.Canonical;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One entry of a transcript.
 *
 * @param from who speaks
 * @param text what is said; of a tool, what the call came to
 * @param call what the model asks for, if this is no final answer
 */
record Message(Speaker from, String text, Optional<Call> call) {

    enum Speaker {
        USER,
        MODEL,
        TOOL
    }

    /**
     * A call that the model asks for.
     *
     * @param id the model's own, unique within its turn
     * @param tool its name, which need not be that of a tool: a model can be wrong
     */
    record Call(String id, String tool, Map<String, String> arguments) {

        /** The exact call, as a person is shown it and as its digest is taken. */
        Map<String, Object> action() {
            return Map.of("tool", tool, "arguments", arguments);
        }
    }

    static Message user(String text) {
        return new Message(Speaker.USER, text, Optional.empty());
    }

    static Message answer(String text) {
        return new Message(Speaker.MODEL, text, Optional.empty());
    }

    static Message calls(String id, String tool, Map<String, String> arguments) {
        return new Message(Speaker.MODEL, "", Optional.of(new Call(id, tool, arguments)));
    }

    static Message result(String text) {
        return new Message(Speaker.TOOL, text, Optional.empty());
    }

    String json() {
        return Canonical.write("message", tree());
    }

    Map<String, Object> tree() {
        Map<String, Object> tree = new LinkedHashMap<>(Map.of("from", from.name(), "text", text));
        call.ifPresent(
                asked -> tree.put("call", Map.of("id", asked.id, "tool", asked.tool, "arguments", asked.arguments)));
        return tree;
    }

    static Message read(Map<?, ?> tree) {
        Optional<Call> call = Optional.ofNullable(tree.get("call"))
                .map(asked -> (Map<?, ?>) asked)
                .map(asked -> new Call(text(asked, "id"), text(asked, "tool"), arguments(asked.get("arguments"))));
        return new Message(Speaker.valueOf(text(tree, "from")), text(tree, "text"), call);
    }

    private static Map<String, String> arguments(@Nullable Object stored) {
        Map<String, String> arguments = new LinkedHashMap<>();
        if (stored instanceof Map<?, ?> map) {
            map.forEach((name, value) -> arguments.put(String.valueOf(name), String.valueOf(value)));
        }
        return arguments;
    }

    private static String text(Map<?, ?> tree, String field) {
        return String.valueOf(tree.get(field));
    }
}
