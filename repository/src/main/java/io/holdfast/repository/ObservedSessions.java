package io.holdfast.repository;

import io.holdfast.Scope;
import io.holdfast.session.Message;
import io.holdfast.session.SessionSave;
import io.holdfast.session.SessionSummary;
import io.holdfast.session.WorkspaceSession;
import io.holdfast.session.WorkspaceSessions;
import java.util.List;
import java.util.Optional;

/** {@link JpaSessions}, with each call told to whoever watches. */
record ObservedSessions(Observing observing, Scope scope) implements WorkspaceSessions {

    @Override
    public Optional<WorkspaceSession> find(String id) {
        return observing.call(Operation.SESSION_FIND, on -> over(on).find(id), Outcomes::ofFound);
    }

    @Override
    public SessionSave save(String id, List<Message> messages, long expectedRevision) {
        return observing.call(
                Operation.SESSION_SAVE, on -> over(on).save(id, messages, expectedRevision), Outcomes::of);
    }

    @Override
    public List<SessionSummary> list(String after, int limit) {
        return observing.call(Operation.SESSION_LIST, on -> over(on).list(after, limit), page -> Outcome.DONE);
    }

    private JpaSessions over(Transactions transactions) {
        return new JpaSessions(transactions, scope);
    }
}
