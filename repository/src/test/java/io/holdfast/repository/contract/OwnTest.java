package io.holdfast.repository.contract;

import org.junit.jupiter.api.Nested;

/** Transactions of Holdfast's own, over a pool in autocommit. */
class OwnTest {

    @Nested
    class OfAgentCheckpoints extends AgentCheckpointsContract {
        OfAgentCheckpoints() {
            super(OwnEnvironment.autocommit());
        }
    }

    @Nested
    class OfApprovals extends ApprovalsContract {
        OfApprovals() {
            super(OwnEnvironment.autocommit());
        }
    }

    @Nested
    class OfAtomically extends AtomicallyContract {
        OfAtomically() {
            super(OwnEnvironment.autocommit());
        }
    }

    @Nested
    class OfBadInput extends BadInputContract {
        OfBadInput() {
            super(OwnEnvironment.autocommit());
        }
    }

    @Nested
    class OfCheckpointLists extends CheckpointListsContract {
        OfCheckpointLists() {
            super(OwnEnvironment.autocommit());
        }
    }

    @Nested
    class OfCheckpoints extends CheckpointsContract {
        OfCheckpoints() {
            super(OwnEnvironment.autocommit());
        }
    }

    @Nested
    class OfCleanup extends CleanupContract {
        OfCleanup() {
            super(OwnEnvironment.autocommit());
        }
    }

    @Nested
    class OfDamagedSnapshots extends DamagedSnapshotsContract {
        OfDamagedSnapshots() {
            super(OwnEnvironment.autocommit());
        }
    }

    @Nested
    class OfDispatches extends DispatchesContract {
        OfDispatches() {
            super(OwnEnvironment.autocommit());
        }
    }

    @Nested
    class OfFencedWrites extends FencedWritesContract {
        OfFencedWrites() {
            super(OwnEnvironment.autocommit());
        }
    }

    @Nested
    class OfIdempotencyKeys extends IdempotencyKeysContract {
        OfIdempotencyKeys() {
            super(OwnEnvironment.autocommit());
        }
    }

    @Nested
    class OfJournal extends JournalContract {
        OfJournal() {
            super(OwnEnvironment.autocommit());
        }
    }

    @Nested
    class OfLeases extends LeasesContract {
        OfLeases() {
            super(OwnEnvironment.autocommit());
        }
    }

    @Nested
    class OfReads extends ReadsContract {
        OfReads() {
            super(OwnEnvironment.autocommit());
        }
    }

    @Nested
    class OfRecovery extends RecoveryContract {
        OfRecovery() {
            super(OwnEnvironment.autocommit());
        }
    }

    @Nested
    class OfRetention extends RetentionContract {
        OfRetention() {
            super(OwnEnvironment.autocommit());
        }
    }

    @Nested
    class OfRunRetention extends RunRetentionContract {
        OfRunRetention() {
            super(OwnEnvironment.autocommit());
        }
    }

    @Nested
    class OfRuns extends RunsContract {
        OfRuns() {
            super(OwnEnvironment.autocommit());
        }
    }

    @Nested
    class OfSearch extends SearchContract {
        OfSearch() {
            super(OwnEnvironment.autocommit());
        }
    }

    @Nested
    class OfSessions extends SessionsContract {
        OfSessions() {
            super(OwnEnvironment.autocommit());
        }
    }

    @Nested
    class OfSteps extends StepsContract {
        OfSteps() {
            super(OwnEnvironment.autocommit());
        }
    }

    @Nested
    class OfTenants extends TenantsContract {
        OfTenants() {
            super(OwnEnvironment.autocommit());
        }
    }

    @Nested
    class OfWholeSteps extends WholeStepsContract {
        OfWholeSteps() {
            super(OwnEnvironment.autocommit());
        }
    }

    @Nested
    class OfWorkflows extends WorkflowsContract {
        OfWorkflows() {
            super(OwnEnvironment.autocommit());
        }
    }
}
