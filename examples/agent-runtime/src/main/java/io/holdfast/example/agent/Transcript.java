package io.holdfast.example.agent;

import io.holdfast.codec.Canonical;
import io.holdfast.codec.JsonText;
import io.holdfast.journal.JournalCommit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What was said so far. It is all that the agent has to know: what comes next follows from the last entry. */
record Transcript(List<Message> messages) {

    Transcript {
        messages = List.copyOf(messages);
    }

    static Transcript of(String task) {
        return new Transcript(List.of(Message.user(task)));
    }

    Transcript with(Message next) {
        List<Message> more = new ArrayList<>(messages);
        more.add(next);
        return new Transcript(more);
    }

    Message last() {
        return messages.get(messages.size() - 1);
    }

    /** How often the model has spoken. */
    int turns() {
        return (int) messages.stream()
                .filter(message -> message.from() == Message.Speaker.MODEL)
                .count();
    }

    /** As the journal keeps it. Canonical: the same transcript is the same bytes, whoever writes it. */
    String json() {
        return Canonical.write(
                "transcript",
                Map.of("messages", messages.stream().map(Message::tree).toList()));
    }

    static Transcript read(String json) {
        if (JsonText.read("transcript", json, JournalCommit.MAX_STATE_BYTES) instanceof Map<?, ?> state
                && state.get("messages") instanceof List<?> messages) {
            return new Transcript(messages.stream()
                    .map(message -> Message.read((Map<?, ?>) message))
                    .toList());
        }
        throw new IllegalStateException("the run's state is no transcript");
    }
}
