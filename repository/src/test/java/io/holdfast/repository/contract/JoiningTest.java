package io.holdfast.repository.contract;

import org.junit.jupiter.api.Nested;

/** In the caller's transaction, beside changes of its own. */
class JoiningTest {

    @Nested
    class OfAgentCheckpoints extends AgentCheckpointsContract {
        OfAgentCheckpoints() {
            super(JoiningEnvironment.get());
        }
    }

    @Nested
    class OfApprovals extends ApprovalsContract {
        OfApprovals() {
            super(JoiningEnvironment.get());
        }
    }

    @Nested
    class OfAtomically extends AtomicallyContract {
        OfAtomically() {
            super(JoiningEnvironment.get());
        }
    }

    @Nested
    class OfBadInput extends BadInputContract {
        OfBadInput() {
            super(JoiningEnvironment.get());
        }
    }

    @Nested
    class OfCheckpointLists extends CheckpointListsContract {
        OfCheckpointLists() {
            super(JoiningEnvironment.get());
        }
    }

    @Nested
    class OfCheckpoints extends CheckpointsContract {
        OfCheckpoints() {
            super(JoiningEnvironment.get());
        }
    }

    @Nested
    class OfCleanup extends CleanupContract {
        OfCleanup() {
            super(JoiningEnvironment.get());
        }
    }

    @Nested
    class OfDamagedSnapshots extends DamagedSnapshotsContract {
        OfDamagedSnapshots() {
            super(JoiningEnvironment.get());
        }
    }

    @Nested
    class OfDispatches extends DispatchesContract {
        OfDispatches() {
            super(JoiningEnvironment.get());
        }
    }

    @Nested
    class OfFencedWrites extends FencedWritesContract {
        OfFencedWrites() {
            super(JoiningEnvironment.get());
        }
    }

    @Nested
    class OfIdempotencyKeys extends IdempotencyKeysContract {
        OfIdempotencyKeys() {
            super(JoiningEnvironment.get());
        }
    }

    @Nested
    class OfJournal extends JournalContract {
        OfJournal() {
            super(JoiningEnvironment.get());
        }
    }

    @Nested
    class OfLeases extends LeasesContract {
        OfLeases() {
            super(JoiningEnvironment.get());
        }
    }

    @Nested
    class OfReads extends ReadsContract {
        OfReads() {
            super(JoiningEnvironment.get());
        }
    }

    @Nested
    class OfRecovery extends RecoveryContract {
        OfRecovery() {
            super(JoiningEnvironment.get());
        }
    }

    @Nested
    class OfRetention extends RetentionContract {
        OfRetention() {
            super(JoiningEnvironment.get());
        }
    }

    @Nested
    class OfRunRetention extends RunRetentionContract {
        OfRunRetention() {
            super(JoiningEnvironment.get());
        }
    }

    @Nested
    class OfRuns extends RunsContract {
        OfRuns() {
            super(JoiningEnvironment.get());
        }
    }

    @Nested
    class OfSearch extends SearchContract {
        OfSearch() {
            super(JoiningEnvironment.get());
        }
    }

    @Nested
    class OfSessions extends SessionsContract {
        OfSessions() {
            super(JoiningEnvironment.get());
        }
    }

    @Nested
    class OfSteps extends StepsContract {
        OfSteps() {
            super(JoiningEnvironment.get());
        }
    }

    @Nested
    class OfTenants extends TenantsContract {
        OfTenants() {
            super(JoiningEnvironment.get());
        }
    }

    @Nested
    class OfWholeSteps extends WholeStepsContract {
        OfWholeSteps() {
            super(JoiningEnvironment.get());
        }
    }

    @Nested
    class OfWorkflows extends WorkflowsContract {
        OfWorkflows() {
            super(JoiningEnvironment.get());
        }
    }
}
