package io.holdfast.example.plain;

/** A provider of payments: outside of this application's database and of its transactions. */
interface Payments {

    /**
     * Takes the money, once per key: a second call with the same key is answered with the receipt of the first.
     *
     * @param token the fencing token, for the provider's books
     */
    Receipt charge(String key, Order order, long token);

    /**
     * @param fingerprint of what was charged
     * @param known whether an earlier call had charged it
     */
    record Receipt(String fingerprint, boolean known) {}
}
