package io.holdfast.checkpoint;

import io.holdfast.codec.Fingerprint;
import io.holdfast.codec.Given;
import io.holdfast.failure.InvalidValueException;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The digest of a workflow's definition as far as it decides what a run does: how an editor shows it, and what nobody uses,
 * leaves it as it is.
 *
 * @param hex SHA-256 of {@link #text}: 64 lower-case hex digits
 */
public record DefinitionHash(String hex) {

    private static final Pattern HEX = Pattern.compile("[0-9a-f]{64}");

    public DefinitionHash {
        if (!HEX.matcher(Given.value("hash", hex)).matches()) {
            throw new InvalidValueException("hash", "be 64 lower-case hex digits");
        }
    }

    /**
     * The hash of a definition.
     *
     * @param definition as {@link #text} takes it
     * @throws InvalidValueException naming what is missing or of another type
     */
    public static DefinitionHash of(Map<String, ? extends @Nullable Object> definition) {
        return new DefinitionHash(Fingerprint.ofText(text(definition)).substring("sha256:".length()));
    }

    /**
     * The text that is digested. Keys are sorted by code point, there are no blanks, numbers are written as
     * {@link io.holdfast.codec.Canonical} does, and everything but printable ASCII is escaped: {@code \u00e9}, a pair of
     * surrogates beyond U+FFFF, {@code \u007f}.
     *
     * <p>In it are {@code spec_version} (1 if absent), {@code name}, {@code entry_node}, {@code nodes} (by id),
     * {@code terminal_nodes} in order, {@code workflow_version} if there is one, and {@code metadata} if anything is left of
     * it without {@code presentation editor ui position viewport coordinates}. Of a node: {@code id}, {@code handler},
     * {@code transitions}, {@code default_transition}, {@code requires_approval}, and what is used (not null, empty or false) of
     * {@code module_id module_version config input_mapping output_mapping metadata retry subgraph parallel map_over reducers},
     * {@code map_as} if it is not {@code item}, {@code max_concurrency} if it is not 10. A subgraph is a definition again.
     * Nothing else counts.
     */
    public static String text(Map<String, ? extends @Nullable Object> definition) {
        return DefinitionText.of(Given.value("definition", definition));
    }

    /** The digits. */
    @Override
    public String toString() {
        return hex;
    }
}
