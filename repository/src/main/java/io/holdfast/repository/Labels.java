package io.holdfast.repository;

import io.holdfast.codec.Canonical;
import io.holdfast.codec.Identifier;
import io.holdfast.failure.InvalidValueException;
import io.holdfast.workflow.Workflows;
import java.util.Map;

/** The labels of a workflow: checked, and as the JSON that is stored. */
final class Labels {

    private static final int MAX_VALUE_BYTES = 256;

    private Labels() {}

    static Map<String, String> checked(Map<String, String> labels) {
        if (labels.size() > Workflows.MAX_LABELS) {
            throw new InvalidValueException("labels", "be at most " + Workflows.MAX_LABELS);
        }
        labels.forEach((name, value) -> {
            Identifier.ident("labels", name);
            Identifier.text("labels", value, 0, MAX_VALUE_BYTES);
        });
        return Map.copyOf(labels);
    }

    static String json(Map<String, String> labels) {
        return Canonical.write("labels", labels);
    }
}
