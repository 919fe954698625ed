package io.holdfast.repository;

import io.holdfast.journal.JournalCommit;
import io.holdfast.lease.Fence;
import io.holdfast.repository.Transactions.Effect;

/** Hands a store's statement to the benchmark, so that its baseline can never be another one. */
public final class SentStatements {

    private final Tables tables;

    public SentStatements(Holdfast holdfast) {
        this.tables = holdfast.open().single("bench", Effect.READ, Statements::tables);
    }

    /** The text as it is sent, with named parameters. */
    public String text(String store, String constant) {
        try {
            var field = Class.forName(SentStatements.class.getPackageName() + "." + store)
                    .getDeclaredField(constant);
            field.setAccessible(true);
            return named(tables.resolve(((Statement<?>) field.get(null)).sql()));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("No statement " + store + "." + constant, e);
        }
    }

    /** By which the journal knows a repeat of a commit. */
    public static String digest(JournalCommit commit, Fence fence) {
        return CommitDigest.of(commit, fence);
    }

    private static String named(NamedParameters parameters) {
        String[] names = new String[parameters.count()];
        parameters.places().forEach((name, places) -> places.forEach(place -> names[place] = name));
        StringBuilder text = new StringBuilder();
        int place = 0;
        for (char c : parameters.sql().toCharArray()) {
            text.append(c == '?' ? ":" + names[place++] : String.valueOf(c));
        }
        return text.toString();
    }
}
