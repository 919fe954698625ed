package io.holdfast.repository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Scope;
import io.holdfast.journal.Committed;
import io.holdfast.journal.EffectClass;
import io.holdfast.journal.EffectEntry;
import io.holdfast.journal.Intent;
import io.holdfast.journal.JournalCommit;
import io.holdfast.journal.JournalEvent;
import io.holdfast.journal.NewRun;
import io.holdfast.journal.Opened;
import io.holdfast.journal.RunKind;
import io.holdfast.journal.RunSnapshot;
import io.holdfast.journal.StepKey;
import io.holdfast.journal.StepOutcome;
import io.holdfast.testing.TestDatabase;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The function that a commit to a journal is, at its limits, and called by hand. */
class CommitFunctionTest {

    private TestDatabase database;
    private Holdfast holdfast;
    private Stores stores;
    private Opened.Done opened;

    @BeforeEach
    void aRun() {
        database = TestDatabase.migrated("commit function");
        holdfast = Holdfast.open(database.dataSource());
        stores = holdfast.in(Scope.of("s"));
        opened = (Opened.Done)
                stores.journal().open(NewRun.of("run", RunKind.AGENT, "digest", "{}"), "w", Duration.ofMinutes(10));
    }

    @AfterEach
    void close() {
        holdfast.close();
        database.close();
    }

    private RunSnapshot commit(JournalCommit.Builder commit) {
        assertThat(stores.journal().commit(opened.lease().fence(), commit.build()))
                .isInstanceOf(Committed.Done.class);
        return stores.journal().find("run").orElseThrow();
    }

    private static String text(int bytes) {
        return "\"" + "\\\"".repeat(bytes / 2 - 1) + "\"";
    }

    @Test
    void asManyEntriesAsACommitMayHoldAreWritten() {
        JournalCommit.Builder commit = JournalCommit.to(opened.head());
        JournalCommit.Builder ends = JournalCommit.toAny("run");
        for (int i = 0; i < JournalCommit.MAX_ENTRIES / 4; i++) {
            StepKey step = StepKey.call(i, "c".repeat(900));
            Intent intent = Intent.of(step, "d".repeat(128), "k".repeat(240) + i, EffectClass.IDEMPOTENT);
            commit.intent(intent).effect(intent.pending());
            commit.event(JournalEvent.of("{\"i\":1}")).event(JournalEvent.of("{\"i\":2}"));
            ends.outcome(StepOutcome.completed(step, "1")).effect(EffectEntry.confirmed(step, 0, "2"));
        }
        RunSnapshot sent = commit(commit);
        assertThat(sent.steps()).hasSize(250);
        assertThat(sent.effects()).hasSize(250);
        assertThat(sent.events()).hasSize(500);
        RunSnapshot ended = commit(ends);
        assertThat(ended.steps()).allMatch(step -> step.outcome().isPresent());
        assertThat(ended.effects()).allMatch(effect -> effect.result().isPresent());
    }

    @Test
    void asManyBytesAsACommitMayHoldAreWritten() {
        String state = "{\"s\":" + text(JournalCommit.MAX_STATE_BYTES - 6) + "}";
        JournalCommit.Builder commit = JournalCommit.to(opened.head()).state(state);
        String output = text(JournalCommit.MAX_OUTPUT_BYTES);
        for (int i = 0; i < 6; i++) {
            StepKey step = StepKey.visit("s", i);
            commit.outcome(StepOutcome.completed(step, output));
            commit.event(JournalEvent.of("{\"i\":" + text(JournalCommit.MAX_OUTPUT_BYTES - 6) + "}"));
        }
        RunSnapshot stored = commit(commit);
        assertThat(stored.run().state()).isEqualTo(state);
        assertThat(stored.steps())
                .allMatch(step -> step.outcome().orElseThrow().output().equals(output));
        assertThat(stored.events()).hasSize(6);
    }

    /** An event that says so, by a call of whoever can reach the server. */
    private static String call(String types) {
        return "select verdict from holdfast.journal_commit_v1(null, 's', 'run', 1, null, repeat('0', 64), 'w', 1, null, null,"
                + " false, null, null, false, " + "'{}', ".repeat(8) + "'{}', '{}', '{}', '{}', '{}', '{}', " + types
                + ")";
    }

    @Test
    void whoMayExecuteItAndSeeNoTableWritesNothing() {
        String event = call("'{x}', '{\"{}\"}'");
        try (TestDatabase stranger = database.as(
                "grant usage on schema holdfast to %s", "grant execute on all functions in schema holdfast to %s")) {
            assertThatThrownBy(() -> stranger.execute(event)).hasStackTraceContaining("permission denied for table");
        }
        assertThat(stores.journal().find("run").orElseThrow().run().head().revision())
                .isEqualTo(1);
        assertThat(database.value(event)).isEqualTo("DONE");
    }

    @Test
    void arraysThatAreMissingWriteNothing() {
        for (String nothing : new String[] {
            call("null, '{\"{}\"}'"),
            call("'{x}', null"),
            call("'{x}', '{\"{}\"}'").replace("'{}'", "null")
        }) {
            assertThatThrownBy(() -> database.execute(nothing)).isInstanceOf(AssertionError.class);
        }
        assertThat(stores.journal().find("run").orElseThrow().run().head().revision())
                .isEqualTo(1);
    }
}
