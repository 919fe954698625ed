package io.holdfast.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.failure.InvalidValueException;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DefinitionHashTest {

    private static Map<String, Object> node() {
        return new HashMap<>(Map.of("handler", "h", "default_transition", "end"));
    }

    private static Map<String, Object> plain() {
        return new HashMap<>(
                Map.of("name", "t", "entry_node", "a", "nodes", Map.of("a", node()), "terminal_nodes", List.of("end")));
    }

    private static Map<String, Object> plain(String key, Object value) {
        Map<String, Object> definition = plain();
        definition.put(key, value);
        return definition;
    }

    private static Map<String, Object> withNode(String key, Object value) {
        Map<String, Object> node = node();
        node.put(key, value);
        return plain("nodes", Map.of("a", node));
    }

    private static String hash(Map<String, Object> definition) {
        return DefinitionHash.of(definition).hex();
    }

    @Test // C2
    void goldenHashesAreMet() {
        assertThat(DefinitionHash.text(plain()))
                .isEqualTo("{\"entry_node\":\"a\",\"name\":\"t\",\"nodes\":{\"a\":{\"default_transition\":\"end\","
                        + "\"handler\":\"h\",\"id\":\"a\",\"requires_approval\":false,\"transitions\":{}}},"
                        + "\"spec_version\":1,\"terminal_nodes\":[\"end\"]}");
        assertThat(hash(plain())).isEqualTo("1647783bf4369417d5cbf18f9c6b7b391d1409739f6992a9ea71664c57a98e8c");
        Map<String, Object> shown = plain("name", "t\u00e9");
        shown.put("terminal_nodes", List.of("z", "end"));
        shown.put("workflow_version", 2);
        shown.put("metadata", Map.of("ui", Map.of("x", 1), "k", "v"));
        assertThat(hash(shown)).isEqualTo("074f4269916adf76cc9110a02bb3843cd01ccbfe8b88856477c1bcd2c468db36");
    }

    @Test // C2: keys by code point, and all but printable ASCII escaped
    void allButPrintableAsciiIsEscapedInOrderOfCodePoints() {
        Map<String, Object> config = new LinkedHashMap<>();
        config.put("\ud83d\ude00", "\u007f~\u0080");
        config.put("\ue000", "\0\n\"\\/");
        assertThat(DefinitionHash.text(withNode("config", config)))
                .contains("\"config\":{\"\\ue000\":\"\\u0000\\n\\\"\\\\/\",\"\\ud83d\\ude00\":\"\\u007f~\\u0080\"}");
    }

    @ParameterizedTest // 0.4 C2
    @ValueSource(strings = {"presentation", "editor", "ui", "position", "viewport", "coordinates"})
    void whatAnEditorKeepsForTheEyeLeavesTheHashAsItIs(String key) {
        Map<String, Object> seen = Map.of(key, Map.of("x", 1, "y", 2));
        assertThat(hash(plain("metadata", seen))).isEqualTo(hash(plain()));
        assertThat(hash(withNode("metadata", seen))).isEqualTo(hash(plain()));
        Map<String, Object> more = Map.of(key, 1, "owner", "x");
        assertThat(hash(plain("metadata", more))).isEqualTo(hash(plain("metadata", Map.of("owner", "x"))));
        assertThat(hash(plain("metadata", Map.of("owner", Map.of(key, 1)))))
                .as("further down it is no longer an editor's")
                .isNotEqualTo(hash(plain("metadata", Map.of("owner", Map.of()))));
    }

    @Test
    void whatNobodyUsesLeavesTheHashAsItIs() {
        for (String key : List.of(
                "module_id",
                "module_version",
                "config",
                "input_mapping",
                "output_mapping",
                "metadata",
                "retry",
                "subgraph",
                "parallel",
                "map_over",
                "map_as",
                "reducers",
                "max_concurrency",
                "required_role",
                "anything")) {
            assertThat(hash(withNode(key, null))).as(key).isEqualTo(hash(plain()));
        }
        assertThat(hash(withNode("config", Map.of()))).isEqualTo(hash(plain()));
        assertThat(hash(withNode("parallel", List.of()))).isEqualTo(hash(plain()));
        assertThat(hash(withNode("map_as", "item"))).isEqualTo(hash(plain()));
        assertThat(hash(withNode("max_concurrency", 10))).isEqualTo(hash(plain()));
        assertThat(hash(withNode("required_role", "admin"))).isEqualTo(hash(plain()));
        assertThat(hash(withNode("id", "a"))).isEqualTo(hash(plain()));
        assertThat(hash(plain("spec_version", 1))).isEqualTo(hash(plain()));
        assertThat(hash(plain("anything", 1))).isEqualTo(hash(plain()));
        assertThat(hash(plain("workflow_version", null))).isEqualTo(hash(plain()));
    }

    @Test
    void whatDecidesWhatARunDoesChangesTheHash() {
        List<Map<String, Object>> others = List.of(
                plain("workflow_version", 2),
                plain("workflow_version", "2"),
                plain("metadata", Map.of("k", 1)),
                plain("metadata", Map.of("k", 1.0)),
                plain("entry_node", "b"),
                withNode("requires_approval", true),
                withNode("default_transition", null),
                withNode("transitions", Map.of("x", "end")),
                withNode("config", Map.of("k", 1)),
                withNode("retry", Map.of("attempts", 3)),
                withNode("map_as", "row"),
                withNode("map_over", "rows"),
                withNode("max_concurrency", 2),
                withNode("module_id", "m"));
        assertThat(others.stream().map(DefinitionHashTest::hash))
                .doesNotHaveDuplicates()
                .doesNotContain(hash(plain()));
    }

    @Test
    void aSubgraphIsADefinitionAgain() {
        String without = hash(withNode("subgraph", plain()));
        assertThat(hash(withNode("subgraph", plain("metadata", Map.of("ui", 1)))))
                .isEqualTo(without);
        assertThat(hash(withNode("subgraph", plain("name", "u")))).isNotEqualTo(without);
        Map<String, Object> deep = plain();
        for (int i = 0; i < 51; i++) {
            deep = withNode("subgraph", deep);
        }
        Map<String, Object> tooDeep = deep;
        refused(tooDeep, "definition.nodes.subgraph");
    }

    @Test
    void whatIsMissingOrOfAnotherTypeIsRefusedByName() {
        refused(plain("name", null), "definition.name");
        refused(plain("entry_node", 1), "definition.entry_node");
        refused(plain("nodes", null), "definition.nodes");
        refused(plain("nodes", Map.of("a", "x")), "definition.nodes");
        refused(plain("nodes", Collections.singletonMap(1, node())), "definition.nodes");
        refused(plain("terminal_nodes", "end"), "definition.terminal_nodes");
        refused(plain("terminal_nodes", Arrays.asList("end", null)), "definition.terminal_nodes");
        refused(plain("metadata", 1), "definition.metadata");
        refused(withNode("config", Map.of("x", Double.NaN)), "definition");
    }

    private static void refused(Map<String, Object> definition, String field) {
        assertThatThrownBy(() -> DefinitionHash.of(definition))
                .isInstanceOfSatisfying(
                        InvalidValueException.class, e -> assertThat(e.field()).isEqualTo(field));
    }
}
