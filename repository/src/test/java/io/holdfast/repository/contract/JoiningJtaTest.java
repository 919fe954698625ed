package io.holdfast.repository.contract;

import org.junit.jupiter.api.Nested;

/** In the caller's JTA transaction, beside changes of its own. */
class JoiningJtaTest {

    @Nested
    class OfAgentCheckpoints extends AgentCheckpointsContract {
        OfAgentCheckpoints() {
            super(JoiningEnvironment.inJta());
        }
    }

    @Nested
    class OfApprovals extends ApprovalsContract {
        OfApprovals() {
            super(JoiningEnvironment.inJta());
        }
    }

    @Nested
    class OfAtomically extends AtomicallyContract {
        OfAtomically() {
            super(JoiningEnvironment.inJta());
        }
    }

    @Nested
    class OfBadInput extends BadInputContract {
        OfBadInput() {
            super(JoiningEnvironment.inJta());
        }
    }

    @Nested
    class OfCheckpointLists extends CheckpointListsContract {
        OfCheckpointLists() {
            super(JoiningEnvironment.inJta());
        }
    }

    @Nested
    class OfCheckpoints extends CheckpointsContract {
        OfCheckpoints() {
            super(JoiningEnvironment.inJta());
        }
    }

    @Nested
    class OfCleanup extends CleanupContract {
        OfCleanup() {
            super(JoiningEnvironment.inJta());
        }
    }

    @Nested
    class OfDamagedSnapshots extends DamagedSnapshotsContract {
        OfDamagedSnapshots() {
            super(JoiningEnvironment.inJta());
        }
    }

    @Nested
    class OfDispatches extends DispatchesContract {
        OfDispatches() {
            super(JoiningEnvironment.inJta());
        }
    }

    @Nested
    class OfFencedWrites extends FencedWritesContract {
        OfFencedWrites() {
            super(JoiningEnvironment.inJta());
        }
    }

    @Nested
    class OfIdempotencyKeys extends IdempotencyKeysContract {
        OfIdempotencyKeys() {
            super(JoiningEnvironment.inJta());
        }
    }

    @Nested
    class OfJournal extends JournalContract {
        OfJournal() {
            super(JoiningEnvironment.inJta());
        }
    }

    @Nested
    class OfLeases extends LeasesContract {
        OfLeases() {
            super(JoiningEnvironment.inJta());
        }
    }

    @Nested
    class OfReads extends ReadsContract {
        OfReads() {
            super(JoiningEnvironment.inJta());
        }
    }

    @Nested
    class OfRecovery extends RecoveryContract {
        OfRecovery() {
            super(JoiningEnvironment.inJta());
        }
    }

    @Nested
    class OfRetention extends RetentionContract {
        OfRetention() {
            super(JoiningEnvironment.inJta());
        }
    }

    @Nested
    class OfRunRetention extends RunRetentionContract {
        OfRunRetention() {
            super(JoiningEnvironment.inJta());
        }
    }

    @Nested
    class OfRuns extends RunsContract {
        OfRuns() {
            super(JoiningEnvironment.inJta());
        }
    }

    @Nested
    class OfSearch extends SearchContract {
        OfSearch() {
            super(JoiningEnvironment.inJta());
        }
    }

    @Nested
    class OfSessions extends SessionsContract {
        OfSessions() {
            super(JoiningEnvironment.inJta());
        }
    }

    @Nested
    class OfSteps extends StepsContract {
        OfSteps() {
            super(JoiningEnvironment.inJta());
        }
    }

    @Nested
    class OfTenants extends TenantsContract {
        OfTenants() {
            super(JoiningEnvironment.inJta());
        }
    }

    @Nested
    class OfWholeSteps extends WholeStepsContract {
        OfWholeSteps() {
            super(JoiningEnvironment.inJta());
        }
    }

    @Nested
    class OfWorkflows extends WorkflowsContract {
        OfWorkflows() {
            super(JoiningEnvironment.inJta());
        }
    }
}
