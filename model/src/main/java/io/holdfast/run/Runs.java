package io.holdfast.run;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Runs of one scope. Thread-safe. Each method is one statement; it joins the caller's transaction if the facade does, and is
 * a transaction of its own otherwise. No constraint violation is ever provoked: a caller's transaction of isolation READ
 * COMMITTED stays usable whatever the answer. At a higher isolation a lost race is a
 * {@link io.holdfast.failure.TransactionLostException}, and that transaction is over.
 *
 * <p>A payload is a JSON object: a map of maps, lists, texts, numbers, booleans and nulls. It is stored as canonical JSON and
 * comes back as {@link io.holdfast.codec.JsonText} reads it. One that is none, or is too long, is refused with an
 * {@link io.holdfast.failure.InvalidValueException} that names the place, before anything is sent. A run's id is 1 to
 * {@value #MAX_ID_BYTES} bytes of UTF-8 without control characters.
 */
public interface Runs {

    /** The longest id, in bytes of UTF-8. */
    int MAX_ID_BYTES = 1_024;

    /** The longest status, in code points. */
    int MAX_STATUS = 64;

    /** The longest state, and the longest metadata, in bytes of UTF-8: 1 MiB. */
    int MAX_STATE_BYTES = 1_048_576;

    /** The longest event, in bytes of UTF-8: 256 KiB. */
    int MAX_EVENT_BYTES = 262_144;

    /** The longest type of an event, in bytes of UTF-8. */
    int MAX_TYPE_BYTES = 128;

    /** The most events of one write. */
    int MAX_EVENTS = 1_000;

    /** How many events are read at once by who has no reason for another number. */
    int DEFAULT_PAGE = 500;

    /** The longest page of events, and of runs. */
    int MAX_PAGE = 5_000;

    /**
     * Stores a new run at revision 1, with status {@code running}; the state is also its input.
     *
     * <p>Two at once: one is {@code Created}; the other waits for it to commit, then hears {@code AlreadyCreated} if the
     * content is the same and {@code Taken} if not. A repeat is {@code AlreadyCreated}.
     */
    RunCreation create(
            String id, Map<String, ? extends @Nullable Object> state, Map<String, ? extends @Nullable Object> metadata);

    /**
     * The run as it is stored. Takes no lock and works on a read replica.
     *
     * @param id any text; one that cannot be an id finds nothing
     * @throws io.holdfast.failure.CorruptRecordException if a stored payload is no JSON object
     */
    Optional<Run> find(String id);

    /**
     * Changes the run that was read, with the events of the change: all of it, or nothing. Input and metadata never change.
     *
     * <p>Two at once: one is {@code Updated}, the other hears what stands there now. A repeat is {@code AlreadyApplied}.
     *
     * @param read what a method of this store returned
     * @throws io.holdfast.failure.InvalidValueException also if the state with what is merged into it is longer than
     *     {@value #MAX_STATE_BYTES} bytes; nothing was written
     */
    RunUpdate update(Run read, RunChange change);

    /**
     * Adds events to the log of the run that was read and changes nothing else of it: not its revision, so that no update loses
     * for it, and whatever its revision is by now. If it was removed, nothing is written, also where the id stands for another.
     *
     * <p>Several at once wait for each other; each gets numbers in a row, without a gap. A repeat appends once more: who must
     * not logs by {@link #update}, or looks for its own in {@link #events} first, once a command's time is over.
     *
     * @param read what a method of this store returned
     * @param events 1 to {@value #MAX_EVENTS}, in their order. The field {@code type} of each, a text of 1 to
     *     {@value #MAX_TYPE_BYTES} bytes without control characters, is its type; without it, that is {@value RunEvent#CUSTOM}
     */
    Append append(Run read, List<? extends Map<String, ? extends @Nullable Object>> events);

    /**
     * As {@link #append(Run, List)}, to whatever run stands under the id now: also to one that was made since in the place of
     * another.
     */
    Append append(String id, List<? extends Map<String, ? extends @Nullable Object>> events);

    /**
     * The events with greater numbers, in order; none of a run that is not there. Takes no lock and works on a read replica.
     *
     * @param afterSeq the last number of the page before; 0: from the start
     * @param limit 1 to {@value #MAX_PAGE}
     */
    List<RunEvent> events(String id, long afterSeq, int limit);

    /**
     * The runs whose ids come after the given one, ascending in byte order. Takes no lock.
     *
     * @param after the last id of the page before; empty: from the start
     * @param limit 1 to {@value #MAX_PAGE}
     */
    List<RunSummary> list(String after, int limit);
}
