package io.holdfast.repository.contract;

import org.junit.jupiter.api.Nested;

/** Transactions of Holdfast's own, over a pool in autocommit. */
class OwnTest {

    @Nested
    class OfWorkflows extends WorkflowsContract {
        OfWorkflows() {
            super(OwnEnvironment.autocommit());
        }
    }
}
