package io.holdfast.repository.contract;

import org.junit.jupiter.api.Nested;

/** Over the persistence unit of an application whose own mapping file names another schema, native SQL included. */
class MappedElsewhereTest {

    @Nested
    class OfAgentCheckpoints extends AgentCheckpointsContract {
        OfAgentCheckpoints() {
            super(OwnEnvironment.overAHostsUnitThatMapsElsewhere());
        }
    }

    @Nested
    class OfApprovals extends ApprovalsContract {
        OfApprovals() {
            super(OwnEnvironment.overAHostsUnitThatMapsElsewhere());
        }
    }

    @Nested
    class OfAtomically extends AtomicallyContract {
        OfAtomically() {
            super(OwnEnvironment.overAHostsUnitThatMapsElsewhere());
        }
    }

    @Nested
    class OfBadInput extends BadInputContract {
        OfBadInput() {
            super(OwnEnvironment.overAHostsUnitThatMapsElsewhere());
        }
    }

    @Nested
    class OfCheckpointLists extends CheckpointListsContract {
        OfCheckpointLists() {
            super(OwnEnvironment.overAHostsUnitThatMapsElsewhere());
        }
    }

    @Nested
    class OfCheckpoints extends CheckpointsContract {
        OfCheckpoints() {
            super(OwnEnvironment.overAHostsUnitThatMapsElsewhere());
        }
    }

    @Nested
    class OfCleanup extends CleanupContract {
        OfCleanup() {
            super(OwnEnvironment.overAHostsUnitThatMapsElsewhere());
        }
    }

    @Nested
    class OfDamagedSnapshots extends DamagedSnapshotsContract {
        OfDamagedSnapshots() {
            super(OwnEnvironment.overAHostsUnitThatMapsElsewhere());
        }
    }

    @Nested
    class OfDispatches extends DispatchesContract {
        OfDispatches() {
            super(OwnEnvironment.overAHostsUnitThatMapsElsewhere());
        }
    }

    @Nested
    class OfFencedWrites extends FencedWritesContract {
        OfFencedWrites() {
            super(OwnEnvironment.overAHostsUnitThatMapsElsewhere());
        }
    }

    @Nested
    class OfIdempotencyKeys extends IdempotencyKeysContract {
        OfIdempotencyKeys() {
            super(OwnEnvironment.overAHostsUnitThatMapsElsewhere());
        }
    }

    @Nested
    class OfJournal extends JournalContract {
        OfJournal() {
            super(OwnEnvironment.overAHostsUnitThatMapsElsewhere());
        }
    }

    @Nested
    class OfLeases extends LeasesContract {
        OfLeases() {
            super(OwnEnvironment.overAHostsUnitThatMapsElsewhere());
        }
    }

    @Nested
    class OfReads extends ReadsContract {
        OfReads() {
            super(OwnEnvironment.overAHostsUnitThatMapsElsewhere());
        }
    }

    @Nested
    class OfRecovery extends RecoveryContract {
        OfRecovery() {
            super(OwnEnvironment.overAHostsUnitThatMapsElsewhere());
        }
    }

    @Nested
    class OfRetention extends RetentionContract {
        OfRetention() {
            super(OwnEnvironment.overAHostsUnitThatMapsElsewhere());
        }
    }

    @Nested
    class OfRunRetention extends RunRetentionContract {
        OfRunRetention() {
            super(OwnEnvironment.overAHostsUnitThatMapsElsewhere());
        }
    }

    @Nested
    class OfRuns extends RunsContract {
        OfRuns() {
            super(OwnEnvironment.overAHostsUnitThatMapsElsewhere());
        }
    }

    @Nested
    class OfSearch extends SearchContract {
        OfSearch() {
            super(OwnEnvironment.overAHostsUnitThatMapsElsewhere());
        }
    }

    @Nested
    class OfSessions extends SessionsContract {
        OfSessions() {
            super(OwnEnvironment.overAHostsUnitThatMapsElsewhere());
        }
    }

    @Nested
    class OfSteps extends StepsContract {
        OfSteps() {
            super(OwnEnvironment.overAHostsUnitThatMapsElsewhere());
        }
    }

    @Nested
    class OfTenants extends TenantsContract {
        OfTenants() {
            super(OwnEnvironment.overAHostsUnitThatMapsElsewhere());
        }
    }

    @Nested
    class OfWholeSteps extends WholeStepsContract {
        OfWholeSteps() {
            super(OwnEnvironment.overAHostsUnitThatMapsElsewhere());
        }
    }

    @Nested
    class OfWorkflows extends WorkflowsContract {
        OfWorkflows() {
            super(OwnEnvironment.overAHostsUnitThatMapsElsewhere());
        }
    }
}
