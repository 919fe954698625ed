package io.holdfast.connect;

import io.holdfast.Scope;
import io.holdfast.run.Runs;
import io.holdfast.session.WorkspaceSessions;

/**
 * Runs and sessions behind a URL. Thread-safe and meant to be kept. Connects with the first call of {@link #runs} or
 * {@link #sessions}, once, however many call at the same time; if that fails, the next call tries again.
 */
public interface RunRepository extends AutoCloseable {

    /**
     * The runs of a scope; each call on them is a transaction of its own.
     *
     * @throws io.holdfast.failure.StoreUnavailableException if the database cannot be reached, or this has been closed
     * @throws io.holdfast.failure.StoreDeniedException if the login or a privilege is refused
     * @throws io.holdfast.failure.SchemaMismatchException if the tables are missing, older or newer
     */
    Runs runs(Scope scope);

    /** The sessions of a scope, as {@link #runs}. */
    WorkspaceSessions sessions(Scope scope);

    /** Closes what this has opened; a second time does nothing. */
    @Override
    void close();
}
