package io.holdfast.failure;

import io.holdfast.HoldfastException;
import java.util.Map;

/** A statement, or its wait for a lock, took longer than allowed. It was given up and wrote nothing; send it again later. */
public final class StoreTimeoutException extends HoldfastException {

    private static final long serialVersionUID = 1L;

    public StoreTimeoutException(String message, Map<String, String> details) {
        super(Code.STORE_TIMEOUT, true, message, details);
    }
}
