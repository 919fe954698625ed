package io.holdfast.repository;

import io.holdfast.Scope;
import io.holdfast.lease.Fence;
import io.holdfast.lease.Loss;

/** The log of what was refused because the lease had changed hands: with ids, for whoever asks what happened, no payload. */
final class Refused {

    private static final System.Logger LOG = System.getLogger(Holdfast.class.getName());

    private Refused() {}

    static void log(Operation operation, Scope scope, String of, Fence fence, Loss reason) {
        LOG.log(
                System.Logger.Level.INFO,
                "{0} of {1} of scope \"{2}\" was refused: the fence of {3} with token {4} does not hold: {5}",
                operation.label(),
                of,
                scope.id(),
                fence.owner(),
                Long.toString(fence.token()),
                reason);
    }
}
