package io.holdfast.repository.contract;

import org.junit.jupiter.api.Nested;

/** Transactions of Holdfast's own, over a pool on which a lone write would vanish. */
class OwnWithoutAutocommitTest {

    @Nested
    class OfAgentCheckpoints extends AgentCheckpointsContract {
        OfAgentCheckpoints() {
            super(OwnEnvironment.withoutAutocommit());
        }
    }

    @Nested
    class OfApprovals extends ApprovalsContract {
        OfApprovals() {
            super(OwnEnvironment.withoutAutocommit());
        }
    }

    @Nested
    class OfAtomically extends AtomicallyContract {
        OfAtomically() {
            super(OwnEnvironment.withoutAutocommit());
        }
    }

    @Nested
    class OfBadInput extends BadInputContract {
        OfBadInput() {
            super(OwnEnvironment.withoutAutocommit());
        }
    }

    @Nested
    class OfCheckpointLists extends CheckpointListsContract {
        OfCheckpointLists() {
            super(OwnEnvironment.withoutAutocommit());
        }
    }

    @Nested
    class OfCheckpoints extends CheckpointsContract {
        OfCheckpoints() {
            super(OwnEnvironment.withoutAutocommit());
        }
    }

    @Nested
    class OfCleanup extends CleanupContract {
        OfCleanup() {
            super(OwnEnvironment.withoutAutocommit());
        }
    }

    @Nested
    class OfDamagedSnapshots extends DamagedSnapshotsContract {
        OfDamagedSnapshots() {
            super(OwnEnvironment.withoutAutocommit());
        }
    }

    @Nested
    class OfDispatches extends DispatchesContract {
        OfDispatches() {
            super(OwnEnvironment.withoutAutocommit());
        }
    }

    @Nested
    class OfFencedWrites extends FencedWritesContract {
        OfFencedWrites() {
            super(OwnEnvironment.withoutAutocommit());
        }
    }

    @Nested
    class OfIdempotencyKeys extends IdempotencyKeysContract {
        OfIdempotencyKeys() {
            super(OwnEnvironment.withoutAutocommit());
        }
    }

    @Nested
    class OfJournal extends JournalContract {
        OfJournal() {
            super(OwnEnvironment.withoutAutocommit());
        }
    }

    @Nested
    class OfLeases extends LeasesContract {
        OfLeases() {
            super(OwnEnvironment.withoutAutocommit());
        }
    }

    @Nested
    class OfReads extends ReadsContract {
        OfReads() {
            super(OwnEnvironment.withoutAutocommit());
        }
    }

    @Nested
    class OfRecovery extends RecoveryContract {
        OfRecovery() {
            super(OwnEnvironment.withoutAutocommit());
        }
    }

    @Nested
    class OfRetention extends RetentionContract {
        OfRetention() {
            super(OwnEnvironment.withoutAutocommit());
        }
    }

    @Nested
    class OfRunRetention extends RunRetentionContract {
        OfRunRetention() {
            super(OwnEnvironment.withoutAutocommit());
        }
    }

    @Nested
    class OfRuns extends RunsContract {
        OfRuns() {
            super(OwnEnvironment.withoutAutocommit());
        }
    }

    @Nested
    class OfSearch extends SearchContract {
        OfSearch() {
            super(OwnEnvironment.withoutAutocommit());
        }
    }

    @Nested
    class OfSessions extends SessionsContract {
        OfSessions() {
            super(OwnEnvironment.withoutAutocommit());
        }
    }

    @Nested
    class OfSteps extends StepsContract {
        OfSteps() {
            super(OwnEnvironment.withoutAutocommit());
        }
    }

    @Nested
    class OfTenants extends TenantsContract {
        OfTenants() {
            super(OwnEnvironment.withoutAutocommit());
        }
    }

    @Nested
    class OfWholeSteps extends WholeStepsContract {
        OfWholeSteps() {
            super(OwnEnvironment.withoutAutocommit());
        }
    }

    @Nested
    class OfWorkflows extends WorkflowsContract {
        OfWorkflows() {
            super(OwnEnvironment.withoutAutocommit());
        }
    }
}
