package io.holdfast.repository.contract;

import org.junit.jupiter.api.Nested;

/** Transactions of Holdfast's own, over the persistence unit of an application, which has our mapping file. */
class OverHostsUnitTest {

    @Nested
    class OfAgentCheckpoints extends AgentCheckpointsContract {
        OfAgentCheckpoints() {
            super(OwnEnvironment.overAHostsUnit());
        }
    }

    @Nested
    class OfApprovals extends ApprovalsContract {
        OfApprovals() {
            super(OwnEnvironment.overAHostsUnit());
        }
    }

    @Nested
    class OfAtomically extends AtomicallyContract {
        OfAtomically() {
            super(OwnEnvironment.overAHostsUnit());
        }
    }

    @Nested
    class OfBadInput extends BadInputContract {
        OfBadInput() {
            super(OwnEnvironment.overAHostsUnit());
        }
    }

    @Nested
    class OfCheckpointLists extends CheckpointListsContract {
        OfCheckpointLists() {
            super(OwnEnvironment.overAHostsUnit());
        }
    }

    @Nested
    class OfCheckpoints extends CheckpointsContract {
        OfCheckpoints() {
            super(OwnEnvironment.overAHostsUnit());
        }
    }

    @Nested
    class OfCleanup extends CleanupContract {
        OfCleanup() {
            super(OwnEnvironment.overAHostsUnit());
        }
    }

    @Nested
    class OfDamagedSnapshots extends DamagedSnapshotsContract {
        OfDamagedSnapshots() {
            super(OwnEnvironment.overAHostsUnit());
        }
    }

    @Nested
    class OfDispatches extends DispatchesContract {
        OfDispatches() {
            super(OwnEnvironment.overAHostsUnit());
        }
    }

    @Nested
    class OfFencedWrites extends FencedWritesContract {
        OfFencedWrites() {
            super(OwnEnvironment.overAHostsUnit());
        }
    }

    @Nested
    class OfIdempotencyKeys extends IdempotencyKeysContract {
        OfIdempotencyKeys() {
            super(OwnEnvironment.overAHostsUnit());
        }
    }

    @Nested
    class OfJournal extends JournalContract {
        OfJournal() {
            super(OwnEnvironment.overAHostsUnit());
        }
    }

    @Nested
    class OfLeases extends LeasesContract {
        OfLeases() {
            super(OwnEnvironment.overAHostsUnit());
        }
    }

    @Nested
    class OfReads extends ReadsContract {
        OfReads() {
            super(OwnEnvironment.overAHostsUnit());
        }
    }

    @Nested
    class OfRecovery extends RecoveryContract {
        OfRecovery() {
            super(OwnEnvironment.overAHostsUnit());
        }
    }

    @Nested
    class OfRetention extends RetentionContract {
        OfRetention() {
            super(OwnEnvironment.overAHostsUnit());
        }
    }

    @Nested
    class OfRunRetention extends RunRetentionContract {
        OfRunRetention() {
            super(OwnEnvironment.overAHostsUnit());
        }
    }

    @Nested
    class OfRuns extends RunsContract {
        OfRuns() {
            super(OwnEnvironment.overAHostsUnit());
        }
    }

    @Nested
    class OfSearch extends SearchContract {
        OfSearch() {
            super(OwnEnvironment.overAHostsUnit());
        }
    }

    @Nested
    class OfSessions extends SessionsContract {
        OfSessions() {
            super(OwnEnvironment.overAHostsUnit());
        }
    }

    @Nested
    class OfSteps extends StepsContract {
        OfSteps() {
            super(OwnEnvironment.overAHostsUnit());
        }
    }

    @Nested
    class OfTenants extends TenantsContract {
        OfTenants() {
            super(OwnEnvironment.overAHostsUnit());
        }
    }

    @Nested
    class OfWholeSteps extends WholeStepsContract {
        OfWholeSteps() {
            super(OwnEnvironment.overAHostsUnit());
        }
    }

    @Nested
    class OfWorkflows extends WorkflowsContract {
        OfWorkflows() {
            super(OwnEnvironment.overAHostsUnit());
        }
    }
}
