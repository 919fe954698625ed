package io.holdfast.bench;

import static java.util.Objects.requireNonNull;

import io.holdfast.idempotency.IdempotencyKeys;
import io.holdfast.idempotency.KeepFor;
import io.holdfast.journal.ExecutionJournal;
import io.holdfast.lease.Leases;
import io.holdfast.repository.Stores;
import io.holdfast.run.Runs;
import io.holdfast.step.Steps;
import io.holdfast.workflow.Workflows;

/** The contracts, kept by whoever is measured: Holdfast or JDBC, in one scope. */
record Contender(
        Workflows workflows, Leases leases, IdempotencyKeys keys, Steps steps, Runs runs, ExecutionJournal journal) {

    /** The wait for locks as the stores send it, in milliseconds: their default. */
    static final String PATIENCE = "10000";

    static Contender of(Stores stores) {
        return new Contender(
                stores.workflows(),
                stores.leases(),
                stores.idempotencyKeys(),
                stores.steps(),
                stores.runs(),
                stores.journal());
    }

    static Long millis(KeepFor keepFor) {
        return requireNonNull(keepFor.millis());
    }
}
