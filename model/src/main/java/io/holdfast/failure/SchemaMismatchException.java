package io.holdfast.failure;

import io.holdfast.HoldfastException;
import java.util.Map;

/** The tables are missing, damaged, older than this release needs or newer than it knows. The message says what to call. */
public final class SchemaMismatchException extends HoldfastException {

    private static final long serialVersionUID = 1L;

    public SchemaMismatchException(String message, Map<String, String> details) {
        super(Code.SCHEMA_MISMATCH, false, message, details);
    }
}
