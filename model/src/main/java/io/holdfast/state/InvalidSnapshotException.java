package io.holdfast.state;

import io.holdfast.HoldfastException;
import java.util.Map;

/**
 * A stored document is not a snapshot that this release reads. {@code UNSUPPORTED_SCHEMA_VERSION} has the detail
 * {@code schema_version}; {@code INVALID_INPUT} has {@code fields} when the document has forbidden fields, otherwise
 * {@code field} and {@code rule}. Nothing of the document's content is shown.
 */
public final class InvalidSnapshotException extends HoldfastException {

    private static final long serialVersionUID = 1L;

    InvalidSnapshotException(Code code, String message, Map<String, String> details) {
        super(code, false, message, details);
    }
}
