package io.holdfast.lease;

import io.holdfast.HoldfastException;
import java.util.Map;

/** The key has been granted 2^63-1 times; its tokens cannot grow any more. Use another id. */
public final class TokensExhaustedException extends HoldfastException {

    private static final long serialVersionUID = 1L;

    public TokensExhaustedException(LeaseKey key) {
        super(Code.TOKENS_EXHAUSTED, false, "No fencing token is left for this lease", Map.of("kind", key.kind()));
    }
}
