package io.holdfast.checkpoint;

import io.holdfast.codec.Given;
import io.holdfast.codec.Identifier;
import java.util.Optional;

/**
 * Which workflow a run follows.
 *
 * @param hash tells two definitions apart that do different things
 * @param version what its author calls it; 1 to {@value #MAX_VERSION_BYTES} bytes of UTF-8 without control characters
 */
public record Definition(DefinitionHash hash, Optional<String> version) {

    /** The longest version, in bytes of UTF-8. */
    public static final int MAX_VERSION_BYTES = 255;

    public Definition {
        Given.value("hash", hash);
        Given.value("version", version).ifPresent(text -> Identifier.text("version", text, 1, MAX_VERSION_BYTES));
    }

    public static Definition of(DefinitionHash hash) {
        return new Definition(hash, Optional.empty());
    }

    public static Definition of(DefinitionHash hash, String version) {
        return new Definition(hash, Optional.of(version));
    }
}
