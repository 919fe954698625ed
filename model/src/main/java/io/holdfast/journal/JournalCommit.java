package io.holdfast.journal;

import io.holdfast.codec.Given;
import io.holdfast.codec.Identifier;
import io.holdfast.codec.JsonText;
import io.holdfast.codec.Unicode;
import io.holdfast.failure.InvalidValueException;
import io.holdfast.lease.LeaseKey;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What is written to a run's journal at once, all of it or nothing. What it does not mention stays as it is: state, cursor
 * and status too. A value without a life of its own: it may be kept, and committed by whoever puts it together with something
 * else in one transaction.
 *
 * @param runId the run
 * @param expected the revision that it was made from; with it a repeat is known as one, and somebody else's commit in between
 *     is a conflict. Leases do not change a revision
 * @param state the new state, a JSON object of at most {@link #MAX_STATE_BYTES}
 * @param stateVersion the new state's format, as its engine numbers them; never less than the stored one
 * @param cursor where the run stands now
 * @param status the new status; {@code PAUSED}, {@code COMPLETED} and {@code FAILED} give the lease back
 * @param steps intents and outcomes, one entry for each step, in order
 * @param effects one entry for each effect, in order
 * @param events in order
 */
public record JournalCommit(
        String runId,
        OptionalLong expected,
        Optional<String> state,
        OptionalInt stateVersion,
        Optional<Cursor> cursor,
        Optional<RunStatus> status,
        List<StepEntry> steps,
        List<EffectEntry> effects,
        List<JournalEvent> events) {

    /** The longest state, in bytes of UTF-8. */
    public static final int MAX_STATE_BYTES = 4 << 20;

    /** The longest output, result or event, in bytes of UTF-8. */
    public static final int MAX_OUTPUT_BYTES = 1 << 20;

    /** The most steps, effects and events together. */
    public static final int MAX_ENTRIES = 1_000;

    /** The most that a commit holds in its state, outputs, results, events and reservations together, in bytes of UTF-8. */
    public static final int MAX_BYTES = 16 << 20;

    /** The longest cursor, in bytes of UTF-8. */
    public static final int MAX_CURSOR_BYTES = 4_096;

    /**
     * Where a run stands in its definition.
     *
     * @param at in its engine's words: 1 to 4,096 bytes of UTF-8 without control characters; empty for nowhere
     */
    public record Cursor(Optional<String> at) {

        public Cursor {
            Given.value("cursor", at).ifPresent(place -> Identifier.text("cursor", place, 1, MAX_CURSOR_BYTES));
        }
    }

    /**
     * What a commit says about a step.
     *
     * @param intent what it is about to do
     * @param outcome how it ended; in a commit that has both, the intent comes first
     */
    public record StepEntry(StepKey step, Optional<Intent> intent, Optional<StepOutcome> outcome) {

        public StepEntry {
            Given.value("step", step);
            if (Given.value("intent", intent)
                            .filter(i -> !i.step().equals(step))
                            .isPresent()
                    || Given.value("outcome", outcome)
                            .filter(o -> !o.step().equals(step))
                            .isPresent()) {
                throw new InvalidValueException("steps", "have the intent and the outcome of one step in an entry");
            }
            if (intent.isEmpty() && outcome.isEmpty()) {
                throw new InvalidValueException("steps", "have an intent or an outcome");
            }
        }
    }

    public JournalCommit {
        Identifier.text("runId", runId, 1, LeaseKey.MAX_ID_BYTES);
        if (Given.value("expected", expected).orElse(1) < 1) {
            throw new InvalidValueException("expected", "be 1 or more");
        }
        Given.value("state", state).ifPresent(JournalCommit::requireState);
        if (Given.value("stateVersion", stateVersion).orElse(1) < 1) {
            throw new InvalidValueException("stateVersion", "be 1 or more");
        }
        Given.value("cursor", cursor);
        Given.value("status", status);
        Given.value("steps", steps);
        Given.value("effects", effects);
        Given.value("events", events);
        requireBounds(state, steps, effects, events);
        steps = List.copyOf(steps);
        effects = List.copyOf(effects);
        events = List.copyOf(events);
        requireOnce(steps, effects);
        if (state.isEmpty()
                && stateVersion.isEmpty()
                && cursor.isEmpty()
                && status.isEmpty()
                && steps.size() + effects.size() + events.size() == 0) {
            throw new InvalidValueException("entry", "hold something");
        }
    }

    static void requireState(String json) {
        if (!(JsonText.read("state", json, MAX_STATE_BYTES) instanceof Map)) {
            throw new InvalidValueException("state", "be a JSON object");
        }
    }

    private static void requireBounds(
            Optional<String> state, List<StepEntry> steps, List<EffectEntry> effects, List<JournalEvent> events) {
        if ((long) steps.size() + effects.size() + events.size() > MAX_ENTRIES) {
            throw new InvalidValueException("entry", "hold at most " + MAX_ENTRIES + " steps, effects and events");
        }
        long bytes = state.map(Unicode::utf8Length).orElse(0L);
        for (StepEntry step : steps) {
            bytes += Given.value("steps", step)
                    .outcome()
                    .map(outcome -> Unicode.utf8Length(outcome.output()))
                    .orElse(0L);
            bytes += step.intent().map(Intent::reservedBytes).orElse(0L);
        }
        for (EffectEntry effect : effects) {
            bytes += Given.value("effects", effect)
                    .result()
                    .map(Unicode::utf8Length)
                    .orElse(0L);
        }
        for (JournalEvent event : events) {
            bytes += Unicode.utf8Length(Given.value("events", event).payload());
        }
        if (bytes > MAX_BYTES) {
            throw new InvalidValueException("entry", "hold at most " + MAX_BYTES + " bytes of UTF-8");
        }
    }

    private static void requireOnce(List<StepEntry> steps, List<EffectEntry> effects) {
        Set<StepKey> keys = new HashSet<>();
        Set<List<Object>> places = new HashSet<>();
        Set<String> idempotencyKeys = new HashSet<>();
        if (!steps.stream().allMatch(step -> keys.add(step.step()))) {
            throw new InvalidValueException("steps", "name each step once");
        }
        if (!effects.stream().allMatch(effect -> places.add(List.of(effect.step(), effect.index())))) {
            throw new InvalidValueException("effects", "name each effect once");
        }
        if (!effects.stream()
                .allMatch(effect -> effect.idempotencyKey().isEmpty()
                        || idempotencyKeys.add(effect.idempotencyKey().get()))) {
            throw new InvalidValueException("effects", "have each idempotency key once");
        }
    }

    /** Begins a commit to a run as it was read, opened, claimed or last committed. */
    public static Builder to(RunHead head) {
        Given.value("head", head);
        return new Builder(head.id(), OptionalLong.of(head.revision()));
    }

    /**
     * Begins a commit to a run whatever its revision. A repeat of it appends its events once more, and it writes over what
     * whoever shares its fence has committed since its maker looked, state and status too. Over one thing it does not: a
     * commit that paused or ended the run gave the lease back with it, so whoever comes behind it is refused.
     */
    public static Builder toAny(String runId) {
        return new Builder(runId, OptionalLong.empty());
    }

    /** What is committed, by its size; not what it holds. */
    @Override
    public String toString() {
        return "JournalCommit[" + runId + ", " + steps.size() + " steps, " + effects.size() + " effects, "
                + events.size() + " events]";
    }

    /** Gathers a commit. Not thread-safe. */
    public static final class Builder {

        private final String runId;
        private final OptionalLong expected;
        private final Map<StepKey, StepEntry> steps = new LinkedHashMap<>();
        private final List<EffectEntry> effects = new ArrayList<>();
        private final List<JournalEvent> events = new ArrayList<>();
        private @Nullable String state;
        private OptionalInt stateVersion = OptionalInt.empty();
        private @Nullable Cursor cursor;
        private @Nullable RunStatus status;

        private Builder(String runId, OptionalLong expected) {
            this.runId = runId;
            this.expected = expected;
        }

        public Builder state(String json) {
            state = Given.value("state", json);
            return this;
        }

        public Builder stateVersion(int version) {
            stateVersion = OptionalInt.of(version);
            return this;
        }

        public Builder cursor(String at) {
            cursor = new Cursor(Optional.of(Given.value("cursor", at)));
            return this;
        }

        public Builder noCursor() {
            cursor = new Cursor(Optional.empty());
            return this;
        }

        public Builder status(RunStatus next) {
            status = Given.value("status", next);
            return this;
        }

        /** @throws InvalidValueException if this commit has another intent for the step, or its outcome already */
        public Builder intent(Intent intent) {
            StepEntry before = steps.get(Given.value("intent", intent).step());
            if (before != null && !before.intent().equals(Optional.of(intent))) {
                throw new InvalidValueException("steps", "have one intent for a step, before its outcome");
            }
            if (before == null) {
                steps.put(intent.step(), new StepEntry(intent.step(), Optional.of(intent), Optional.empty()));
            }
            return this;
        }

        /** @throws InvalidValueException if this commit has another outcome for the step */
        public Builder outcome(StepOutcome outcome) {
            StepEntry before = steps.get(Given.value("outcome", outcome).step());
            if (before != null
                    && before.outcome().filter(o -> !o.equals(outcome)).isPresent()) {
                throw new InvalidValueException("steps", "have one outcome for a step");
            }
            Optional<Intent> intent = before == null ? Optional.empty() : before.intent();
            steps.put(outcome.step(), new StepEntry(outcome.step(), intent, Optional.of(outcome)));
            return this;
        }

        public Builder effect(EffectEntry effect) {
            effects.add(Given.value("effect", effect));
            return this;
        }

        public Builder event(JournalEvent event) {
            events.add(Given.value("event", event));
            return this;
        }

        public Builder events(List<JournalEvent> more) {
            events.addAll(Given.value("events", more));
            return this;
        }

        /** @throws InvalidValueException if it holds nothing, or more than a commit may */
        public JournalCommit build() {
            return new JournalCommit(
                    runId,
                    expected,
                    Optional.ofNullable(state),
                    stateVersion,
                    Optional.ofNullable(cursor),
                    Optional.ofNullable(status),
                    List.copyOf(steps.values()),
                    effects,
                    events);
        }
    }
}
