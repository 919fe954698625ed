package io.holdfast.checkpoint;

import io.holdfast.codec.Canonical;
import io.holdfast.failure.InvalidValueException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A definition without what is only for the eye, as ASCII. */
final class DefinitionText {

    /** The deepest nesting of subgraphs. */
    private static final int MAX_DEPTH = 50;

    private static final Set<String> FOR_THE_EYE =
            Set.of("presentation", "editor", "ui", "position", "viewport", "coordinates");

    private static final List<String> IF_USED = List.of(
            "module_id",
            "module_version",
            "config",
            "input_mapping",
            "output_mapping",
            "retry",
            "parallel",
            "map_over",
            "reducers");

    private DefinitionText() {}

    static String of(Map<String, ? extends @Nullable Object> definition) {
        return ascii(Canonical.write("definition", graph("definition", definition, 0)));
    }

    private static Map<String, @Nullable Object> graph(String field, Map<?, ?> given, int depth) {
        if (depth > MAX_DEPTH) {
            throw new InvalidValueException(field, "have subgraphs at most " + MAX_DEPTH + " deep");
        }
        Map<String, @Nullable Object> graph = new LinkedHashMap<>();
        Object version = given.get("spec_version");
        graph.put("spec_version", version == null ? 1 : version);
        graph.put("name", text(field + ".name", given.get("name")));
        graph.put("entry_node", text(field + ".entry_node", given.get("entry_node")));
        graph.put("terminal_nodes", sorted(field + ".terminal_nodes", given.get("terminal_nodes")));
        Map<String, @Nullable Object> nodes = new LinkedHashMap<>();
        map(field + ".nodes", given.get("nodes"))
                .forEach((id, node) -> nodes.put(
                        text(field + ".nodes", id), node(text(field, id), map(field + ".nodes", node), depth)));
        graph.put("nodes", nodes);
        if (given.get("workflow_version") != null) {
            graph.put("workflow_version", given.get("workflow_version"));
        }
        putIfUsed(graph, "metadata", unseen(field + ".metadata", given.get("metadata")));
        return graph;
    }

    private static Map<String, @Nullable Object> node(String id, Map<?, ?> given, int depth) {
        Map<String, @Nullable Object> node = new LinkedHashMap<>();
        Object own = given.get("id");
        node.put("id", own == null ? id : own);
        node.put("handler", given.get("handler"));
        Object transitions = given.get("transitions");
        node.put("transitions", transitions == null ? Map.of() : transitions);
        node.put("default_transition", given.get("default_transition"));
        node.put("requires_approval", Boolean.TRUE.equals(given.get("requires_approval")));
        IF_USED.forEach(name -> putIfUsed(node, name, given.get(name)));
        putIfUsed(node, "metadata", unseen("definition.nodes.metadata", given.get("metadata")));
        if (given.get("subgraph") != null) {
            String field = "definition.nodes.subgraph";
            node.put("subgraph", graph(field, map(field, given.get("subgraph")), depth + 1));
        }
        putIfOther(node, "map_as", given.get("map_as"), "item");
        putIfOther(node, "max_concurrency", given.get("max_concurrency"), "10");
        return node;
    }

    private static void putIfUsed(Map<String, @Nullable Object> into, String name, @Nullable Object value) {
        boolean unused = value == null
                || Boolean.FALSE.equals(value)
                || value.equals("")
                || (value instanceof Collection<?> list && list.isEmpty())
                || (value instanceof Map<?, ?> map && map.isEmpty());
        if (!unused) {
            into.put(name, value);
        }
    }

    private static void putIfOther(
            Map<String, @Nullable Object> into, String name, @Nullable Object value, String usual) {
        if (value != null && !value.toString().equals(usual)) {
            into.put(name, value);
        }
    }

    private static Map<String, @Nullable Object> unseen(String field, @Nullable Object metadata) {
        Map<String, @Nullable Object> left = new LinkedHashMap<>();
        if (metadata != null) {
            map(field, metadata).forEach((key, value) -> {
                if (!FOR_THE_EYE.contains(key)) {
                    left.put(text(field, key), value);
                }
            });
        }
        return left;
    }

    private static List<String> sorted(String field, @Nullable Object names) {
        List<String> sorted = new ArrayList<>();
        if (names instanceof Collection<?> given) {
            given.forEach(name -> sorted.add(text(field, name)));
        } else if (names != null) {
            throw new InvalidValueException(field, "be a list of texts");
        }
        sorted.sort(Canonical.KEY_ORDER);
        return sorted;
    }

    private static Map<?, ?> map(String field, @Nullable Object value) {
        if (value instanceof Map<?, ?> map) {
            return map;
        }
        throw new InvalidValueException(field, "be an object");
    }

    private static String text(String field, @Nullable Object value) {
        if (value instanceof String text) {
            return text;
        }
        throw new InvalidValueException(field, "be a text");
    }

    /** Outside its texts JSON is ASCII already, so each unit beyond it stands in a text, where an escape is the same. */
    private static String ascii(String canonical) {
        StringBuilder ascii = new StringBuilder(canonical.length());
        for (char c : canonical.toCharArray()) {
            if (c < 0x7f) {
                ascii.append(c);
            } else {
                ascii.append("\\u");
                for (int shift = 12; shift >= 0; shift -= 4) {
                    ascii.append(Character.forDigit(c >> shift & 15, 16));
                }
            }
        }
        return ascii.toString();
    }
}
