package io.holdfast.repository;

import static java.util.Objects.requireNonNull;

import io.holdfast.codec.Canonical;
import io.holdfast.codec.Given;
import io.holdfast.codec.Identifier;
import io.holdfast.codec.JsonText;
import io.holdfast.failure.InvalidValueException;
import io.holdfast.workflow.Workflows;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** The labels of a workflow: checked, and as the JSON that is stored. */
final class Labels {

    private static final String NAMES =
            "have names of 1 to 128 characters of A-Z a-z 0-9 _ . - that begin with a letter or digit";
    private static final String VALUES = "have values of 0 to " + Workflows.MAX_LABEL_BYTES
            + " bytes of UTF-8 with no control character and no lone surrogate";

    private Labels() {}

    static Map<String, String> checked(Map<String, String> labels) {
        if (Given.value("labels", labels).size() > Workflows.MAX_LABELS) {
            throw new InvalidValueException("labels", "have at most " + Workflows.MAX_LABELS + " entries");
        }
        labels.forEach((name, value) -> {
            if (!Identifier.isIdent(name)) {
                throw new InvalidValueException("labels", NAMES);
            }
            if (!Identifier.isText(value, 0, Workflows.MAX_LABEL_BYTES)) {
                throw new InvalidValueException("labels", VALUES);
            }
        });
        return Map.copyOf(labels);
    }

    /** As they were stored; what the table holds was checked when it was written, here and by the table. */
    static Map<String, String> stored(String json) {
        if (json.equals("{}")) {
            return Map.of();
        }
        Map<String, String> labels = new LinkedHashMap<>();
        ((Map<?, ?>) requireNonNull(JsonText.read("labels", json, json.length() * 3)))
                .forEach((name, value) -> labels.put((String) name, (String) value));
        return Collections.unmodifiableMap(labels);
    }

    static String json(Map<String, String> labels) {
        return Canonical.write("labels", labels);
    }
}
