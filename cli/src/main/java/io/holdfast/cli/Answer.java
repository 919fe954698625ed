package io.holdfast.cli;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** What a command answers: for people line by line, for machines as one JSON document at the end. */
final class Answer {

    private static final JsonMapper MAPPER =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    private final Host host;
    private final boolean json;
    private final Map<String, @Nullable Object> document = new LinkedHashMap<>();

    Answer(Host host, boolean json) {
        this.host = host;
        this.json = json;
    }

    /** For people only. */
    Answer line(String text) {
        if (!json) {
            host.out().println(text);
        }
        return this;
    }

    Answer line(Style style, String text) {
        return line(style.on(text, host));
    }

    /** For machines only. */
    Answer value(String name, @Nullable Object value) {
        document.put(name, Cell.json(value));
        return this;
    }

    /** @param none what people see if there is no row */
    Answer table(String name, Table table, String none) {
        document.put(name, table.json());
        if (json) {
            return this;
        }
        if (table.isEmpty()) {
            return line(none);
        }
        table.print(host);
        return this;
    }

    /** Names and values, one below the other; an object for machines. */
    Answer facts(String name, Map<String, @Nullable Object> facts) {
        Map<String, @Nullable Object> object = new LinkedHashMap<>();
        facts.forEach((fact, value) -> object.put(fact, Cell.json(value)));
        document.put(name, object);
        int width = facts.keySet().stream().mapToInt(String::length).max().orElse(0);
        facts.forEach((fact, value) ->
                line(Style.HEADING.on(fact.replace('_', ' ') + " ".repeat(width - fact.length()), host) + "  "
                        + Cell.text(value)));
        return this;
    }

    void end() {
        if (json) {
            host.out().println(MAPPER.writeValueAsString(document));
        }
        host.out().flush();
    }

    static String error(String code, String message) {
        return MAPPER.writeValueAsString(Map.of("error", Map.of("code", code, "message", message)));
    }
}
