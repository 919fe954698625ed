package io.holdfast.repository.contract;

import org.junit.jupiter.api.Nested;

/** In the caller's transaction, beside changes of its own. */
class JoiningTest {

    @Nested
    class OfWorkflows extends WorkflowsContract {
        OfWorkflows() {
            super(JoiningEnvironment.get());
        }
    }
}
