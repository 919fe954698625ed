package io.holdfast.repository;

import io.holdfast.journal.EffectEntry;
import io.holdfast.journal.Intent;
import io.holdfast.journal.JournalCommit;
import io.holdfast.journal.JournalCommit.StepEntry;
import io.holdfast.journal.JournalEvent;
import io.holdfast.lease.Fence;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/**
 * All that a commit holds and the fence it was made under, as one digest: by it a repeat is known. With the fence, whose token
 * is granted once, it is nobody else's, not even that of a run of the same name that was purged.
 */
final class CommitDigest {

    private final MessageDigest digest;

    private CommitDigest(MessageDigest digest) {
        this.digest = digest;
    }

    static String of(JournalCommit commit, Fence fence) {
        try {
            CommitDigest digest = new CommitDigest(MessageDigest.getInstance("SHA-256"));
            digest.add(fence.owner());
            digest.add(Long.toString(fence.token()));
            digest.add(commit.state().orElse(""));
            digest.add(commit.stateVersion().toString());
            digest.add(commit.cursor().toString());
            digest.add(commit.status().toString());
            commit.steps().forEach(digest::step);
            commit.effects().forEach(digest::effect);
            commit.events().forEach(digest::event);
            return HexFormat.of().formatHex(digest.digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    private void step(StepEntry step) {
        add("step");
        add(step.step().text());
        step.intent().ifPresent(this::intent);
        step.outcome().ifPresent(outcome -> {
            add(outcome.ending().wire());
            add(outcome.output());
        });
    }

    private void intent(Intent intent) {
        add("intent");
        add(intent.payloadDigest());
        add(intent.idempotencyKey());
        add(intent.effectClass().wire());
        add(intent.approvalId().orElse(""));
        add(Integer.toString(intent.reservations().size()));
        intent.reservations().forEach(this::add);
    }

    private void effect(EffectEntry effect) {
        add("effect");
        for (String part : List.of(
                effect.step().text(),
                Integer.toString(effect.index()),
                effect.status().wire(),
                effect.idempotencyKey().orElse(""),
                effect.result().orElse(""))) {
            add(part);
        }
    }

    private void event(JournalEvent event) {
        add("event");
        add(event.type());
        add(event.payload());
    }

    /** With its length, so that no two lists of texts are one. */
    private void add(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        digest.update((bytes.length + ":").getBytes(StandardCharsets.US_ASCII));
        digest.update(bytes);
    }
}
