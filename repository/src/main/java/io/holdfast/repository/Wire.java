package io.holdfast.repository;

import io.holdfast.failure.CorruptRecordException;
import io.holdfast.journal.EffectClass;
import io.holdfast.journal.EffectStatus;
import io.holdfast.journal.Resolution.Finding;
import io.holdfast.journal.RunKind;
import io.holdfast.journal.RunStatus;
import io.holdfast.journal.StepOutcome.End;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The words in the journal's tables, as the model's constants. */
final class Wire {

    private Wire() {}

    static RunStatus runStatus(String run, @Nullable String word) {
        return of(run, "status", RunStatus.values(), RunStatus::wire, word);
    }

    static RunKind runKind(String run, @Nullable String word) {
        return of(run, "kind", RunKind.values(), RunKind::wire, word);
    }

    static EffectClass effectClass(String run, @Nullable String word) {
        return of(run, "effect class", EffectClass.values(), EffectClass::wire, word);
    }

    static EffectStatus effectStatus(String run, @Nullable String word) {
        return of(run, "effect's status", EffectStatus.values(), EffectStatus::wire, word);
    }

    static End end(String run, @Nullable String word) {
        return of(run, "outcome", End.values(), End::wire, word);
    }

    static Finding finding(String run, @Nullable String word) {
        return of(run, "resolution", Finding.values(), Finding::wire, word);
    }

    private static <T> T of(String run, String what, T[] known, Function<T, String> wire, @Nullable String word) {
        for (T constant : known) {
            if (wire.apply(constant).equals(word)) {
                return constant;
            }
        }
        throw new CorruptRecordException("run", run, "its " + what + " is none that this release knows");
    }
}
