package io.holdfast.session;

import io.holdfast.codec.Given;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A tool that the model wants called. Its {@code toString} shows no arguments.
 *
 * @param id by which the answer names it
 * @param name of the tool
 * @param arguments a JSON object
 * @param rawArguments as the model wrote them
 */
public record ToolCall(String id, String name, Map<String, @Nullable Object> arguments, Optional<String> rawArguments) {

    public ToolCall {
        Given.value("id", id);
        Given.value("name", name);
        arguments = Collections.unmodifiableMap(new LinkedHashMap<>(Given.value("arguments", arguments)));
        Given.value("rawArguments", rawArguments);
    }

    @Override
    public String toString() {
        return "ToolCall[id=" + id + ", name=" + name + "]";
    }
}
