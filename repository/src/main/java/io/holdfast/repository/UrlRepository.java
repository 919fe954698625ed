package io.holdfast.repository;

import io.holdfast.Scope;
import io.holdfast.codec.Given;
import io.holdfast.connect.RunRepository;
import io.holdfast.run.Runs;
import io.holdfast.session.WorkspaceSessions;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Opened by the first who asks; whoever asks meanwhile waits for that one. */
final class UrlRepository implements RunRepository {

    private final Settings settings;
    private final ReentrantLock opening = new ReentrantLock(); // a monitor would pin a virtual thread while it connects
    private @Nullable Holdfast holdfast;
    private boolean closed;

    UrlRepository(Settings settings) {
        this.settings = settings;
    }

    @Override
    public Runs runs(Scope scope) {
        Given.value("scope", scope);
        return opened().in(scope).runs();
    }

    @Override
    public WorkspaceSessions sessions(Scope scope) {
        Given.value("scope", scope);
        return opened().in(scope).workspaceSessions();
    }

    private Holdfast opened() {
        opening.lock();
        try {
            if (closed) {
                throw Holdfast.isClosed();
            }
            if (holdfast == null) {
                holdfast = Holdfast.open(settings);
            }
            return holdfast;
        } finally {
            opening.unlock();
        }
    }

    @Override
    public void close() {
        opening.lock();
        try {
            closed = true;
            if (holdfast != null) {
                holdfast.close();
            }
        } finally {
            opening.unlock();
        }
    }
}
