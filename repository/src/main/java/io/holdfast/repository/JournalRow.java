package io.holdfast.repository;

import static java.util.Objects.requireNonNull;

import io.holdfast.codec.JsonText;
import io.holdfast.failure.CorruptRecordException;
import io.holdfast.failure.InvalidValueException;
import io.holdfast.journal.Effect;
import io.holdfast.journal.EffectId;
import io.holdfast.journal.Intent;
import io.holdfast.journal.RecordedEvent;
import io.holdfast.journal.RecordedStep;
import io.holdfast.journal.Run;
import io.holdfast.journal.RunHead;
import io.holdfast.journal.StepKey;
import io.holdfast.journal.StepOutcome;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A row of what a run is read by: the run itself, a step, an effect or an event, so that all of it comes from one statement
 * and is of one moment.
 *
 * @param part which of the four
 * @param ordinal of the run, its revision
 * @param name of the run, its cursor; the step's key; the event's type
 * @param kind of a step, its effect's class; of an effect, how it was resolved
 * @param status of a step, its outcome
 * @param idempotencyKey of a step or an effect
 * @param digest of the run, its definition; of a step, what is sent; of an effect, its id
 * @param ref of the run, its parent; of a step, its approval; of an effect, who resolved it
 * @param list of the run, its origin; of a step, its reservations
 * @param json state, output, result or payload
 * @param version of the run, its state's; of an effect, its index
 * @param at when it was made, meant or told
 * @param until when it was last written, or ended
 */
record JournalRow(
        String part,
        Long ordinal,
        @Nullable String name,
        @Nullable String kind,
        @Nullable String status,
        @Nullable String idempotencyKey,
        @Nullable String digest,
        @Nullable String ref,
        @Nullable String list,
        @Nullable String json,
        @Nullable Long version,
        @Nullable Long journalVersion,
        @Nullable Long steps,
        @Nullable Long effects,
        @Nullable Long events,
        @Nullable Instant at,
        @Nullable Instant until) {

    Run run(String id) {
        return intact(
                id,
                () -> new Run(
                        new RunHead(
                                id, Wire.runStatus(id, status), ordinal, requireNonNull(events), requireNonNull(until)),
                        Wire.runKind(id, kind),
                        requireNonNull(digest),
                        Optional.ofNullable(ref),
                        requireNonNull(list),
                        Optional.ofNullable(name),
                        requireNonNull(json),
                        Math.toIntExact(requireNonNull(version)),
                        requireNonNull(steps),
                        requireNonNull(effects),
                        requireNonNull(at)));
    }

    RecordedStep step(String run) {
        return intact(run, () -> {
            StepKey key = new StepKey(requireNonNull(name));
            return new RecordedStep(
                    ordinal,
                    key,
                    at == null ? Optional.empty() : Optional.of(intent(run, key)),
                    Optional.ofNullable(at),
                    until == null
                            ? Optional.empty()
                            : Optional.of(new StepOutcome(key, Wire.end(run, status), requireNonNull(json))),
                    Optional.ofNullable(until));
        });
    }

    private Intent intent(String run, StepKey key) {
        List<String> reservations = JsonText.read("reservations", requireNonNull(list), 65_536) instanceof List<?> ids
                ? ids.stream().map(String.class::cast).toList()
                : List.of();
        return new Intent(
                key,
                requireNonNull(digest),
                requireNonNull(idempotencyKey),
                Wire.effectClass(run, kind),
                Optional.ofNullable(ref),
                reservations);
    }

    Effect effect(String run) {
        return intact(
                run,
                () -> new Effect(
                        ordinal,
                        new EffectId(requireNonNull(digest)),
                        new StepKey(requireNonNull(name)),
                        Math.toIntExact(requireNonNull(version)),
                        requireNonNull(idempotencyKey),
                        Wire.effectStatus(run, status),
                        Optional.ofNullable(json),
                        kind == null ? Optional.empty() : Optional.of(Wire.finding(run, kind)),
                        Optional.ofNullable(ref),
                        requireNonNull(at),
                        requireNonNull(until)));
    }

    RecordedEvent event() {
        return new RecordedEvent(ordinal, requireNonNull(name), requireNonNull(json), requireNonNull(at));
    }

    /** What no release wrote is the record's fault, not an argument's. */
    private <T> T intact(String run, Supplier<T> reading) {
        try {
            return reading.get();
        } catch (CorruptRecordException e) {
            throw damaged(run, e.details().getOrDefault("rule", ""));
        } catch (InvalidValueException e) {
            throw damaged(run, String.valueOf(e.getMessage()));
        } catch (ClassCastException e) {
            throw damaged(run, "reservations must be texts");
        }
    }

    /** Says which of the run's steps or effects it is, so that a page can begin behind it. */
    private CorruptRecordException damaged(String run, String rule) {
        return new CorruptRecordException(
                "run", run, part.equals("run") ? rule : rule + " (" + part + ' ' + ordinal + ')');
    }
}
