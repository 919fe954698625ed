package io.holdfast.session;

import java.util.List;
import java.util.Optional;

/**
 * Chat transcripts of one scope. Thread-safe. Each method is one statement; it joins the caller's transaction if the facade
 * does, and is a transaction of its own otherwise. No constraint violation is ever provoked.
 */
public interface WorkspaceSessions {

    /** The longest id, in bytes of UTF-8. */
    int MAX_ID_BYTES = 1_024;

    /** The longest transcript as it is stored, in bytes of UTF-8: 8 MiB. */
    int MAX_PAYLOAD_BYTES = 8_388_608;

    /** The longest page of a list. */
    int MAX_PAGE = 1_000;

    /**
     * The transcript as it is stored. Takes no lock and works on a read replica.
     *
     * @param id any text; one that cannot be an id finds nothing
     * @throws io.holdfast.failure.CorruptRecordException if what is stored is no transcript, or that of another session
     */
    Optional<WorkspaceSession> find(String id);

    /**
     * Replaces the transcript. What is not among the messages is gone.
     *
     * <p>Two at once: one is {@code Saved}; the other waits for it to commit, then hears {@code Conflict}, or
     * {@code AlreadySaved} if the messages are the same. A repeat is {@code AlreadySaved}.
     *
     * @param id 1 to {@value #MAX_ID_BYTES} bytes of UTF-8 without control characters
     * @param messages any number; together at most {@value #MAX_PAYLOAD_BYTES} bytes as they are stored
     * @param expectedRevision the one that was read; 0: it must be new
     * @throws io.holdfast.failure.InvalidValueException naming the place, if it is too long or holds what JSON cannot hold;
     *     nothing was written
     */
    SessionSave save(String id, List<Message> messages, long expectedRevision);

    /**
     * The sessions whose ids come after the given one, ascending in byte order. Takes no lock.
     *
     * @param after the last id of the page before; empty: from the start
     * @param limit 1 to {@value #MAX_PAGE}
     */
    List<SessionSummary> list(String after, int limit);
}
