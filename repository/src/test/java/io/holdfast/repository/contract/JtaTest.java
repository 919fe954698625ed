package io.holdfast.repository.contract;

import org.junit.jupiter.api.Nested;

/** In JTA transactions of their own, while the caller has one. */
class JtaTest {

    @Nested
    class OfAgentCheckpoints extends AgentCheckpointsContract {
        OfAgentCheckpoints() {
            super(JtaEnvironment.get());
        }
    }

    @Nested
    class OfApprovals extends ApprovalsContract {
        OfApprovals() {
            super(JtaEnvironment.get());
        }
    }

    @Nested
    class OfAtomically extends AtomicallyContract {
        OfAtomically() {
            super(JtaEnvironment.get());
        }
    }

    @Nested
    class OfBadInput extends BadInputContract {
        OfBadInput() {
            super(JtaEnvironment.get());
        }
    }

    @Nested
    class OfCheckpointLists extends CheckpointListsContract {
        OfCheckpointLists() {
            super(JtaEnvironment.get());
        }
    }

    @Nested
    class OfCheckpoints extends CheckpointsContract {
        OfCheckpoints() {
            super(JtaEnvironment.get());
        }
    }

    @Nested
    class OfCleanup extends CleanupContract {
        OfCleanup() {
            super(JtaEnvironment.get());
        }
    }

    @Nested
    class OfDamagedSnapshots extends DamagedSnapshotsContract {
        OfDamagedSnapshots() {
            super(JtaEnvironment.get());
        }
    }

    @Nested
    class OfDispatches extends DispatchesContract {
        OfDispatches() {
            super(JtaEnvironment.get());
        }
    }

    @Nested
    class OfFencedWrites extends FencedWritesContract {
        OfFencedWrites() {
            super(JtaEnvironment.get());
        }
    }

    @Nested
    class OfIdempotencyKeys extends IdempotencyKeysContract {
        OfIdempotencyKeys() {
            super(JtaEnvironment.get());
        }
    }

    @Nested
    class OfJournal extends JournalContract {
        OfJournal() {
            super(JtaEnvironment.get());
        }
    }

    @Nested
    class OfLeases extends LeasesContract {
        OfLeases() {
            super(JtaEnvironment.get());
        }
    }

    @Nested
    class OfReads extends ReadsContract {
        OfReads() {
            super(JtaEnvironment.get());
        }
    }

    @Nested
    class OfRecovery extends RecoveryContract {
        OfRecovery() {
            super(JtaEnvironment.get());
        }
    }

    @Nested
    class OfRetention extends RetentionContract {
        OfRetention() {
            super(JtaEnvironment.get());
        }
    }

    @Nested
    class OfRunRetention extends RunRetentionContract {
        OfRunRetention() {
            super(JtaEnvironment.get());
        }
    }

    @Nested
    class OfRuns extends RunsContract {
        OfRuns() {
            super(JtaEnvironment.get());
        }
    }

    @Nested
    class OfSearch extends SearchContract {
        OfSearch() {
            super(JtaEnvironment.get());
        }
    }

    @Nested
    class OfSessions extends SessionsContract {
        OfSessions() {
            super(JtaEnvironment.get());
        }
    }

    @Nested
    class OfSteps extends StepsContract {
        OfSteps() {
            super(JtaEnvironment.get());
        }
    }

    @Nested
    class OfTenants extends TenantsContract {
        OfTenants() {
            super(JtaEnvironment.get());
        }
    }

    @Nested
    class OfWholeSteps extends WholeStepsContract {
        OfWholeSteps() {
            super(JtaEnvironment.get());
        }
    }

    @Nested
    class OfWorkflows extends WorkflowsContract {
        OfWorkflows() {
            super(JtaEnvironment.get());
        }
    }
}
