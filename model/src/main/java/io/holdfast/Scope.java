package io.holdfast;

import io.holdfast.codec.Identifier;
import java.util.Optional;

/**
 * Whose data it is: a tenant or a workspace. Every row belongs to exactly one scope, and a store is handed out bound to
 * one, so that no call can name another tenant's row. The same id in two scopes is two rows that never meet.
 *
 * @param id 0 to 255 bytes of UTF-8 without control characters; empty for {@link #UNSCOPED}. Stored as it is: prefer an
 *     opaque id to a person's name
 */
public record Scope(String id) {

    /** The longest id, in bytes of UTF-8. */
    public static final int MAX_BYTES = 255;

    /** The scope of an application that has no tenants. A compartment of its own: it sees no other scope's rows. */
    public static final Scope UNSCOPED = new Scope("");

    private static final String FINGERPRINTED = "tenant:workflow:";

    public Scope {
        Identifier.text("scope", id, 0, MAX_BYTES);
    }

    public static Scope of(String id) {
        return new Scope(id);
    }

    /**
     * The scope of a tenant that is known by a fingerprint, {@code sha256:} and 64 lower-case hex digits. A workflow state
     * kept in it must carry that fingerprint; in any other scope it must carry none.
     */
    public static Scope ofFingerprint(String fingerprint) {
        return new Scope(FINGERPRINTED + Identifier.fingerprint("fingerprint", fingerprint));
    }

    /** The tenant's fingerprint, if this scope was made from one. */
    public Optional<String> fingerprint() {
        String tail = id.startsWith(FINGERPRINTED) ? id.substring(FINGERPRINTED.length()) : "";
        return Identifier.isFingerprint(tail) ? Optional.of(tail) : Optional.empty();
    }
}
