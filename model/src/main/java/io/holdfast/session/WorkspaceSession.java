package io.holdfast.session;

import io.holdfast.codec.Given;
import java.time.Instant;
import java.util.List;

/**
 * A transcript as it was stored at one moment. Its {@code toString} shows no message.
 *
 * @param revision counts the saves, from 1; what the next save has to name
 * @param updatedAt when it was last saved, by the database's clock
 */
public record WorkspaceSession(String id, List<Message> messages, long revision, Instant updatedAt) {

    public WorkspaceSession {
        Given.value("id", id);
        messages = List.copyOf(Given.value("messages", messages));
        Given.value("updatedAt", updatedAt);
    }

    @Override
    public String toString() {
        return "WorkspaceSession[id=" + id + ", messages=" + messages.size() + ", revision=" + revision + "]";
    }
}
