package io.holdfast.codec;

import io.holdfast.failure.InvalidValueException;
import org.jspecify.annotations.Nullable;

/** That an argument is there at all: looked at before anything is sent, so that a null never looks like the database's fault. */
public final class Given {

    private Given() {}

    /**
     * The value.
     *
     * @param field the parameter or component, as its documentation calls it
     * @throws InvalidValueException naming {@code field}, if the value is null
     */
    public static <T> T value(String field, @Nullable T value) {
        if (value == null) {
            throw new InvalidValueException(field, "be given");
        }
        return value;
    }
}
