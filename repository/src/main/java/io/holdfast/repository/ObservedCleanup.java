package io.holdfast.repository;

import io.holdfast.Scope;
import io.holdfast.cleanup.Cleanup;
import io.holdfast.cleanup.Cutoff;
import io.holdfast.cleanup.Removed;
import java.util.Optional;

/** {@link JpaCleanup}, with each pass told to whoever watches. */
record ObservedCleanup(Observing observing, Optional<Scope> scope) implements Cleanup {

    @Override
    public Removed pass(Cutoff cutoff) {
        return observing.call(
                Operation.CLEANUP_PASS, on -> new JpaCleanup(on, scope).pass(cutoff), removed -> Outcome.DONE);
    }
}
