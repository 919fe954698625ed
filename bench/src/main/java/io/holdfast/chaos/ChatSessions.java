package io.holdfast.chaos;

import io.holdfast.chaos.Desk.Answer;
import io.holdfast.chaos.Desk.Seen;
import io.holdfast.repository.Stores;
import io.holdfast.session.Message;
import io.holdfast.session.SessionSave;
import io.holdfast.session.WorkspaceSession;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Transcripts that several go on with at once. Each save replaces the whole by what was read and one message more, so revision
 * {@code n} holds {@code n} messages, the last of which is the write that made it; and a save over another's shows as a gap.
 */
final class ChatSessions implements Workload {

    /** So few that workers meet all the time. */
    private static final int SLOTS = 2;

    /** Messages of a transcript before the next takes its place. */
    private static final int MESSAGES = 30;

    private final List<Frontier> slots = Frontier.ofSlots("workspace_session", "chat", SLOTS);

    @Override
    public void work(Desk desk) throws InterruptedException {
        desk.severalTimes(() -> one(desk));
    }

    private void one(Desk desk) {
        Frontier slot = slots.get(desk.random.nextInt(SLOTS));
        String id = slot.id(desk);
        Optional<WorkspaceSession> found = desk.reading(
                "find-chat",
                id,
                () -> desk.stores.workspaceSessions().find(id),
                read -> read.map(chat -> new Seen(lastMessage(chat), chat.revision()))
                        .orElse(Seen.NOTHING));
        List<Message> messages =
                new ArrayList<>(found.map(WorkspaceSession::messages).orElse(List.of()));
        if (messages.size() >= MESSAGES) {
            slot.moveOn(desk);
            return;
        }
        long revision = found.map(WorkspaceSession::revision).orElse(0L);
        if (revision > 0 && desk.random.nextInt(8) == 0) { // who has slept over a save: it must be refused
            messages.remove(messages.size() - 1);
            revision--;
        }
        save(desk, id, messages, revision);
    }

    private static String lastMessage(WorkspaceSession chat) {
        List<Message> messages = chat.messages();
        return messages.isEmpty()
                ? Entry.NONE
                : messages.get(messages.size() - 1).content().orElse("no text");
    }

    private static void save(Desk desk, String id, List<Message> messages, long revision) {
        String write = desk.nextWrite();
        messages.add(Message.of("user", write));
        boolean inTransaction = desk.random.nextBoolean();
        desk.insisting(
                () -> desk.call("save", id, 0, write),
                () -> inTransaction
                        ? inTransaction(desk, id, messages, revision)
                        : saved(desk.stores, id, messages, revision),
                said -> said instanceof SessionSave.Saved saved
                        ? Answer.done(saved.revision())
                        : said instanceof SessionSave.AlreadySaved already
                                ? Answer.done(already.revision())
                                : Answer.refused());
    }

    /** Whoever comes meanwhile has to wait, and lose. */
    private static SessionSave inTransaction(Desk desk, String id, List<Message> messages, long revision) {
        return desk.holdfast.atomically(bound -> {
            SessionSave answer = saved(bound.in(Desk.SCOPE), id, messages, revision);
            desk.pauseBriefly();
            return answer;
        });
    }

    private static SessionSave saved(Stores stores, String id, List<Message> messages, long revision) {
        return stores.workspaceSessions().save(id, messages, revision);
    }
}
