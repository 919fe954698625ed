package io.holdfast.bench;

import io.holdfast.Scope;
import io.holdfast.journal.Committed;
import io.holdfast.journal.Effect;
import io.holdfast.journal.EffectEntry;
import io.holdfast.journal.EffectId;
import io.holdfast.journal.ExecutionJournal;
import io.holdfast.journal.Intent;
import io.holdfast.journal.JournalCommit;
import io.holdfast.journal.JournalCommit.StepEntry;
import io.holdfast.journal.NewRun;
import io.holdfast.journal.Opened;
import io.holdfast.journal.RecordedEvent;
import io.holdfast.journal.RecordedStep;
import io.holdfast.journal.Resolution;
import io.holdfast.journal.Resolved;
import io.holdfast.journal.RunHead;
import io.holdfast.journal.RunSnapshot;
import io.holdfast.journal.RunStatus;
import io.holdfast.journal.StepOutcome;
import io.holdfast.lease.Fence;
import io.holdfast.repository.SentStatements;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** The journal's commit in plain JDBC, into the same values; of one that neither moves the cursor nor ends the lease. */
final class JdbcJournal implements ExecutionJournal {

    record Texts(Sql commit) {

        static Texts of(SentStatements sent) {
            return new Texts(Sql.named(
                    sent.text("JournalWrite", "COMMIT"),
                    "lock_timeout",
                    "scope",
                    "id",
                    "known_version",
                    "digest",
                    "owner",
                    "token",
                    "expected",
                    "state",
                    "state_version",
                    "cursor_given",
                    "cursor",
                    "status",
                    "ends",
                    "s_keys",
                    "s_digests",
                    "s_idempotency_keys",
                    "s_classes",
                    "s_approvals",
                    "s_reservations",
                    "s_outcomes",
                    "s_outputs",
                    "e_keys",
                    "e_indexes",
                    "e_ids",
                    "e_statuses",
                    "e_idempotency_keys",
                    "e_results",
                    "v_types",
                    "v_payloads"));
        }
    }

    private final DataSource source;
    private final Texts texts;
    private final Scope scope;

    JdbcJournal(DataSource source, Texts texts, Scope scope) {
        this.source = source;
        this.texts = texts;
        this.scope = scope;
    }

    @Override
    public Committed commit(Fence fence, JournalCommit entry) {
        List<StepEntry> steps = entry.steps();
        List<EffectEntry> effects = entry.effects();
        return texts.commit()
                .row(
                        source,
                        row -> {
                            Sql.expect("DONE", row.getString("verdict"));
                            Sql.expect(RunStatus.RUNNING.wire(), row.getString("status"));
                            return new Committed.Done(new RunHead(
                                    entry.runId(),
                                    RunStatus.RUNNING,
                                    row.getLong("revision"),
                                    row.getLong("events"),
                                    Sql.time(row, "updated_at")));
                        },
                        Contender.PATIENCE,
                        scope.id(),
                        entry.runId(),
                        1L,
                        SentStatements.digest(entry, fence),
                        fence.owner(),
                        fence.token(),
                        entry.expected().orElseThrow(),
                        entry.state().<Object>map(state -> state).orElse(Sql.Absent.TEXT),
                        Sql.Absent.NUMBER,
                        Boolean.FALSE,
                        Sql.Absent.TEXT,
                        Sql.Absent.TEXT,
                        Boolean.FALSE,
                        array(steps, step -> step.step().text()),
                        intents(steps, Intent::payloadDigest),
                        intents(steps, Intent::idempotencyKey),
                        intents(steps, intent -> intent.effectClass().wire()),
                        intents(steps, intent -> intent.approvalId().orElse(null)),
                        intents(steps, intent -> "[]"),
                        outcomes(steps, outcome -> outcome.ending().wire()),
                        outcomes(steps, StepOutcome::output),
                        array(effects, effect -> effect.step().text()),
                        array(effects, effect -> Integer.toString(effect.index())),
                        array(
                                effects,
                                effect -> EffectId.of(scope, entry.runId(), effect.step(), effect.index())
                                        .hex()),
                        array(effects, effect -> effect.status().wire()),
                        array(effects, effect -> effect.idempotencyKey().orElse(null)),
                        array(effects, effect -> effect.result().orElse(null)),
                        "{}",
                        "{}");
    }

    private static String intents(List<StepEntry> steps, Function<Intent, @Nullable String> part) {
        return array(steps, step -> step.intent().map(part).orElse(null));
    }

    private static String outcomes(List<StepEntry> steps, Function<StepOutcome, String> part) {
        return array(steps, step -> step.outcome().map(part).orElse(null));
    }

    private static <T> String array(List<T> entries, Function<T, @Nullable String> part) {
        StringBuilder array = new StringBuilder("{");
        for (T entry : entries) {
            String text = part.apply(entry);
            array.append(array.length() == 1 ? "" : ",");
            if (text == null) {
                array.append("NULL");
            } else {
                array.append('"')
                        .append(text.replace("\\", "\\\\").replace("\"", "\\\""))
                        .append('"');
            }
        }
        return array.append('}').toString();
    }

    @Override
    public Opened open(NewRun run, String owner, Duration ttl) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Optional<RunSnapshot> find(String runId) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Resolved resolveEffect(Fence fence, String runId, EffectId effect, Resolution resolution) {
        throw new UnsupportedOperationException();
    }

    @Override
    public List<RecordedStep> steps(String runId, long after, int limit) {
        throw new UnsupportedOperationException();
    }

    @Override
    public List<Effect> effects(String runId, long after, int limit) {
        throw new UnsupportedOperationException();
    }

    @Override
    public List<RecordedEvent> events(String runId, long after, int limit) {
        throw new UnsupportedOperationException();
    }

    @Override
    public int purge(Duration finishedFor, int limit) {
        throw new UnsupportedOperationException();
    }
}
