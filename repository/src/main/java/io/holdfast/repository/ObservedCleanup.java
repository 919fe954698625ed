package io.holdfast.repository;

import io.holdfast.Scope;
import io.holdfast.cleanup.Cleanup;
import io.holdfast.cleanup.Cutoff;
import io.holdfast.cleanup.Removed;
import io.holdfast.cleanup.RetentionPace;
import io.holdfast.cleanup.RetentionPolicy;
import io.holdfast.cleanup.RetentionReport;
import java.util.Optional;
import java.util.function.Consumer;

/** {@link JpaCleanup}, with each call told to whoever watches. */
record ObservedCleanup(Observing observing, Optional<Scope> scope) implements Cleanup {

    @Override
    public Removed pass(Cutoff cutoff) {
        return observing.call(
                Operation.CLEANUP_PASS, on -> new JpaCleanup(on, scope).pass(cutoff), removed -> Outcome.DONE);
    }

    @Override
    public RetentionReport plan(RetentionPolicy policy) {
        return observing.call(
                Operation.CLEANUP_PLAN, on -> new JpaCleanup(on, scope).plan(policy), report -> Outcome.DONE);
    }

    @Override
    public RetentionReport run(RetentionPolicy policy, RetentionPace pace, Consumer<Removed> progress) {
        return observing.call(
                Operation.CLEANUP_RUN,
                on -> {
                    RetentionRun.requireOwn(observing.transactions());
                    return new JpaCleanup(on, scope).run(policy, pace, progress);
                },
                report -> Outcome.DONE);
    }
}
