package io.holdfast.repository;

import io.holdfast.Scope;
import io.holdfast.cleanup.Cleanup;
import io.holdfast.idempotency.IdempotencyKeys;
import io.holdfast.lease.Leases;
import io.holdfast.step.Steps;
import io.holdfast.workflow.Workflows;
import java.util.Optional;

/**
 * The stores, bound to one scope: there is no way to name another's rows from here. Cheap to make and thread-safe, unless it
 * came from {@link Holdfast#atomically}: then it is for the thread that runs the transaction.
 */
public final class Stores {

    private final Transactions transactions;
    private final Scope scope;

    Stores(Transactions transactions, Scope scope) {
        this.transactions = transactions;
        this.scope = scope;
    }

    public Scope scope() {
        return scope;
    }

    public Workflows workflows() {
        return new JpaWorkflows(transactions, scope);
    }

    public IdempotencyKeys idempotencyKeys() {
        return new JpaIdempotencyKeys(transactions, scope);
    }

    public Leases leases() {
        return new JpaLeases(transactions, scope);
    }

    public Steps steps() {
        return new JpaSteps(transactions, scope);
    }

    Transactions transactions() {
        return transactions;
    }

    /** Clean-up of this scope alone. */
    public Cleanup cleanup() {
        return new JpaCleanup(transactions, Optional.of(scope));
    }
}
