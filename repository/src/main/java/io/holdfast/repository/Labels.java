package io.holdfast.repository;

import io.holdfast.codec.Canonical;
import io.holdfast.codec.Given;
import io.holdfast.codec.Identifier;
import io.holdfast.failure.InvalidValueException;
import io.holdfast.workflow.Workflows;
import java.util.Map;

/** The labels of a workflow: checked, and as the JSON that is stored. */
final class Labels {

    private static final int MAX_VALUE_BYTES = 256;
    private static final String NAMES =
            "have names of 1 to 128 characters of A-Z a-z 0-9 _ . - that begin with a letter or digit";
    private static final String VALUES = "have values of 0 to " + MAX_VALUE_BYTES
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
            if (!Identifier.isText(value, 0, MAX_VALUE_BYTES)) {
                throw new InvalidValueException("labels", VALUES);
            }
        });
        return Map.copyOf(labels);
    }

    static String json(Map<String, String> labels) {
        return Canonical.write("labels", labels);
    }
}
