package io.holdfast.repository.contract;

import org.junit.jupiter.api.Nested;

/** In a schema whose name needs quotes. */
class OddSchemaTest {

    @Nested
    class OfAgentCheckpoints extends AgentCheckpointsContract {
        OfAgentCheckpoints() {
            super(OwnEnvironment.inAnOddSchema());
        }
    }

    @Nested
    class OfApprovals extends ApprovalsContract {
        OfApprovals() {
            super(OwnEnvironment.inAnOddSchema());
        }
    }

    @Nested
    class OfAtomically extends AtomicallyContract {
        OfAtomically() {
            super(OwnEnvironment.inAnOddSchema());
        }
    }

    @Nested
    class OfBadInput extends BadInputContract {
        OfBadInput() {
            super(OwnEnvironment.inAnOddSchema());
        }
    }

    @Nested
    class OfCheckpointLists extends CheckpointListsContract {
        OfCheckpointLists() {
            super(OwnEnvironment.inAnOddSchema());
        }
    }

    @Nested
    class OfCheckpoints extends CheckpointsContract {
        OfCheckpoints() {
            super(OwnEnvironment.inAnOddSchema());
        }
    }

    @Nested
    class OfCleanup extends CleanupContract {
        OfCleanup() {
            super(OwnEnvironment.inAnOddSchema());
        }
    }

    @Nested
    class OfDamagedSnapshots extends DamagedSnapshotsContract {
        OfDamagedSnapshots() {
            super(OwnEnvironment.inAnOddSchema());
        }
    }

    @Nested
    class OfDispatches extends DispatchesContract {
        OfDispatches() {
            super(OwnEnvironment.inAnOddSchema());
        }
    }

    @Nested
    class OfFencedWrites extends FencedWritesContract {
        OfFencedWrites() {
            super(OwnEnvironment.inAnOddSchema());
        }
    }

    @Nested
    class OfIdempotencyKeys extends IdempotencyKeysContract {
        OfIdempotencyKeys() {
            super(OwnEnvironment.inAnOddSchema());
        }
    }

    @Nested
    class OfJournal extends JournalContract {
        OfJournal() {
            super(OwnEnvironment.inAnOddSchema());
        }
    }

    @Nested
    class OfLeases extends LeasesContract {
        OfLeases() {
            super(OwnEnvironment.inAnOddSchema());
        }
    }

    @Nested
    class OfReads extends ReadsContract {
        OfReads() {
            super(OwnEnvironment.inAnOddSchema());
        }
    }

    @Nested
    class OfRecovery extends RecoveryContract {
        OfRecovery() {
            super(OwnEnvironment.inAnOddSchema());
        }
    }

    @Nested
    class OfRetention extends RetentionContract {
        OfRetention() {
            super(OwnEnvironment.inAnOddSchema());
        }
    }

    @Nested
    class OfRunRetention extends RunRetentionContract {
        OfRunRetention() {
            super(OwnEnvironment.inAnOddSchema());
        }
    }

    @Nested
    class OfRuns extends RunsContract {
        OfRuns() {
            super(OwnEnvironment.inAnOddSchema());
        }
    }

    @Nested
    class OfSearch extends SearchContract {
        OfSearch() {
            super(OwnEnvironment.inAnOddSchema());
        }
    }

    @Nested
    class OfSessions extends SessionsContract {
        OfSessions() {
            super(OwnEnvironment.inAnOddSchema());
        }
    }

    @Nested
    class OfSteps extends StepsContract {
        OfSteps() {
            super(OwnEnvironment.inAnOddSchema());
        }
    }

    @Nested
    class OfTenants extends TenantsContract {
        OfTenants() {
            super(OwnEnvironment.inAnOddSchema());
        }
    }

    @Nested
    class OfWholeSteps extends WholeStepsContract {
        OfWholeSteps() {
            super(OwnEnvironment.inAnOddSchema());
        }
    }

    @Nested
    class OfWorkflows extends WorkflowsContract {
        OfWorkflows() {
            super(OwnEnvironment.inAnOddSchema());
        }
    }
}
