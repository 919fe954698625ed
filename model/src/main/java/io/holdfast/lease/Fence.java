package io.holdfast.lease;

import io.holdfast.codec.Identifier;
import io.holdfast.failure.InvalidValueException;

/**
 * What a write under a lease shows: who it was granted to, and with which token. One value, so that half a fence cannot
 * be given.
 *
 * @param owner the process or attempt the lease was granted to; 1 to 128 characters of {@code A-Z a-z 0-9 _ . -}, a letter or
 *     digit first
 * @param token the fencing token of that grant, 1 to 2^63-1
 */
public record Fence(String owner, long token) {

    public Fence {
        Identifier.ident("owner", owner);
        if (token < 1) {
            throw new InvalidValueException("token", "be 1 or more");
        }
    }
}
