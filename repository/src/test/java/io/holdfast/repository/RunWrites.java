package io.holdfast.repository;

import io.holdfast.checkpoint.Checkpoint;
import io.holdfast.checkpoint.CheckpointCreation;
import io.holdfast.checkpoint.Definition;
import io.holdfast.checkpoint.DefinitionHash;
import io.holdfast.checkpoint.RunStart;
import io.holdfast.checkpoint.SavedCheckpoint;
import io.holdfast.checkpoint.Saving;
import io.holdfast.codec.Document;
import io.holdfast.journal.Committed;
import io.holdfast.journal.EffectClass;
import io.holdfast.journal.EffectEntry;
import io.holdfast.journal.EffectId;
import io.holdfast.journal.Intent;
import io.holdfast.journal.JournalCommit;
import io.holdfast.journal.JournalEvent;
import io.holdfast.journal.NewRun;
import io.holdfast.journal.Opened;
import io.holdfast.journal.Resolution;
import io.holdfast.journal.Resolved;
import io.holdfast.journal.RunClaim;
import io.holdfast.journal.RunKind;
import io.holdfast.journal.StepKey;
import io.holdfast.lease.Fence;
import io.holdfast.repository.UnknownOutcomeTest.Write;
import io.holdfast.run.Run;
import io.holdfast.run.RunChange;
import io.holdfast.run.RunCreation;
import io.holdfast.run.RunUpdate;
import io.holdfast.session.Message;
import io.holdfast.session.SessionSave;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The writes of runs, their journals, checkpoints and transcripts, and what their repetitions answer. All but the append of
 * events, whose repetition is not recognised.
 */
final class RunWrites {

    private static final Definition DEFINITION = Definition.of(new DefinitionHash("ab".repeat(32)));
    private static final StepKey STEP = StepKey.visit("a", 1);

    private RunWrites() {}

    static Stream<Write> all() {
        return Stream.of(runs(), journal(), checkpoints()).flatMap(s -> s);
    }

    private static Write write(String name, Object ifDone, Object ifNot, Function<Worker, Supplier<?>> prepare) {
        return new Write(name, UnknownOutcomeTest.OURS, ifDone, ifNot, prepare);
    }

    private static Stream<Write> runs() {
        RunChange change = RunChange.to("x").merging(Map.of("b", 1)).logging(Map.of("type", "x"));
        List<Message> hello = List.of(Message.of("user", "hello"));
        return Stream.of(
                write(
                        "create run",
                        RunCreation.AlreadyCreated.class,
                        RunCreation.Created.class,
                        w -> () -> w.stores().runs().create(w.id(), Map.of("a", 1), Map.of())),
                write("update run", RunUpdate.AlreadyApplied.class, RunUpdate.Updated.class, w -> {
                    Run read = w.started();
                    return () -> w.stores().runs().update(read, change);
                }),
                write(
                        "save session",
                        SessionSave.AlreadySaved.class,
                        SessionSave.Saved.class,
                        w -> () -> w.stores().workspaceSessions().save(w.id(), hello, 0)));
    }

    private static Stream<Write> journal() {
        return Stream.of(
                write(
                        "open a journal",
                        Opened.Taken.class,
                        Opened.Done.class,
                        w -> () -> w.stores().journal().open(newRun(w), "a", Worker.TTL)),
                // The same owner is not locked out by the grant it never heard of.
                write("claim", 3L, 2L, w -> {
                    opened(w);
                    return () -> ((RunClaim.Granted) w.stores().runLeases().claim(w.id(), "a", Worker.TTL, "digest"))
                            .lease()
                            .fence()
                            .token();
                }),
                new Write(
                        "commit to a journal",
                        "journal_commit_v1",
                        Committed.AlreadyApplied.class,
                        Committed.Done.class,
                        w -> {
                            Opened.Done opened = opened(w);
                            JournalCommit entry = intended(opened);
                            return () ->
                                    w.stores().journal().commit(opened.lease().fence(), entry);
                        }),
                write("resolve an effect", Resolved.AlreadyResolved.class, Resolved.Done.class, w -> {
                    Opened.Done opened = opened(w);
                    Fence fence = opened.lease().fence();
                    w.stores().journal().commit(fence, intended(opened));
                    JournalCommit doubt = JournalCommit.toAny(w.id())
                            .effect(EffectEntry.indeterminate(STEP, 0))
                            .build();
                    w.stores().journal().commit(fence, doubt);
                    EffectId effect = EffectId.of(w.stores().scope(), w.id(), STEP, 0);
                    Resolution resolution = Resolution.of(Resolution.Finding.CONFIRMED, "ann");
                    return () -> w.stores().journal().resolveEffect(fence, w.id(), effect, resolution);
                }));
    }

    private static NewRun newRun(Worker w) {
        return NewRun.of(w.id(), RunKind.WORKFLOW, "digest", "{}");
    }

    private static Opened.Done opened(Worker w) {
        return (Opened.Done) w.stores().journal().open(newRun(w), "a", Worker.TTL);
    }

    private static JournalCommit intended(Opened.Done opened) {
        Intent intent = Intent.of(STEP, "payload", opened.head().id() + ":key", EffectClass.IDEMPOTENT);
        return JournalCommit.to(opened.head())
                .intent(intent)
                .effect(intent.pending())
                .event(JournalEvent.of("{}"))
                .build();
    }

    private static Stream<Write> checkpoints() {
        return Stream.of(
                write(
                        "create checkpoint",
                        CheckpointCreation.AlreadyCreated.class,
                        CheckpointCreation.Created.class,
                        w -> () -> create(w)),
                write("save checkpoint", Saving.AlreadySaved.class, Saving.Saved.class, w -> {
                    SavedCheckpoint read = created(w);
                    Fence fence = w.runAcquired();
                    return () -> w.stores().checkpoints().save(read, next(read), fence);
                }),
                write("overwrite checkpoint", Saving.AlreadySaved.class, Saving.Saved.class, w -> {
                    SavedCheckpoint read = created(w);
                    return () -> w.stores().checkpoints().overwrite(read, next(read));
                }));
    }

    private static CheckpointCreation create(Worker w) {
        return w.stores().checkpoints().create(RunStart.of(w.id()), Checkpoint.first(DEFINITION, "a", Document.EMPTY));
    }

    private static SavedCheckpoint created(Worker w) {
        return ((CheckpointCreation.Created) create(w)).saved();
    }

    private static Checkpoint next(SavedCheckpoint read) {
        return read.checkpoint().next("b", Document.EMPTY);
    }
}
