package io.holdfast.failure;

import io.holdfast.HoldfastException;
import java.util.Map;

/** A record is of a format that this release does not know: a newer one wrote it. It was left as it is. */
public final class UnsupportedVersionException extends HoldfastException {

    private static final long serialVersionUID = 1L;

    /**
     * @param record what kind of record it is
     * @param id which one
     * @param found its format's version
     * @param supported the newest that this release knows
     */
    public UnsupportedVersionException(String record, String id, long found, long supported) {
        super(
                Code.UNSUPPORTED_SCHEMA_VERSION,
                false,
                "The stored " + record + " \"" + id + "\" is of version " + found + ", this release knows up to "
                        + supported,
                Map.of(
                        "record",
                        record,
                        "id",
                        id,
                        "found",
                        Long.toString(found),
                        "supported",
                        Long.toString(supported)));
    }
}
