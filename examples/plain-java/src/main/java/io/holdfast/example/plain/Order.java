package io.holdfast.example.plain;

import io.holdfast.codec.Identifier;
import io.holdfast.failure.InvalidValueException;
import java.math.BigDecimal;

/**
 * What a customer asks for.
 *
 * @param request its id, which is the idempotency key as well: 1 to 100 of {@code A-Z a-z 0-9 _ . -}
 * @param customer 1 to 200 bytes of UTF-8
 * @param item 1 to 200 bytes of UTF-8
 * @param amount 0.01 to 1,000,000.00
 */
record Order(String request, String customer, String item, BigDecimal amount) {

    /** Room for the names of steps: {@code order-1001:charge} is a key too. */
    private static final int MAX_REQUEST = 100;

    private static final BigDecimal MIN = new BigDecimal("0.01");
    private static final BigDecimal MAX = new BigDecimal("1000000.00");

    Order {
        Identifier.ident("request", request);
        if (request.length() > MAX_REQUEST) {
            throw new InvalidValueException("request", "be at most " + MAX_REQUEST + " characters");
        }
        Identifier.text("customer", customer, 1, 200);
        Identifier.text("item", item, 1, 200);
        if (amount.scale() > 2 || amount.compareTo(MIN) < 0 || amount.compareTo(MAX) > 0) {
            throw new InvalidValueException("amount", "be 0.01 to 1000000.00, with at most two decimals");
        }
        amount = amount.setScale(2);
    }

    /** The workflow that works on it. */
    String workflowId() {
        return request;
    }
}
