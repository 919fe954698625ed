package io.holdfast.failure;

import io.holdfast.HoldfastException;
import java.util.Map;

/**
 * A race was lost in a transaction that the database will not let go on (serialization failure or deadlock).
 *
 * <p>In a caller's transaction of isolation REPEATABLE READ or SERIALIZABLE this is the ordinary way to lose: that
 * transaction is over, and the caller repeats the whole of it. In a transaction of its own Holdfast has already repeated the
 * statement three times.
 */
public final class TransactionLostException extends HoldfastException {

    private static final long serialVersionUID = 1L;

    public TransactionLostException(String message, Map<String, String> details) {
        super(Code.TRANSACTION_LOST, true, message, details);
    }
}
