package io.holdfast.bench;

import io.holdfast.Scope;
import io.holdfast.journal.Committed;
import io.holdfast.journal.EffectClass;
import io.holdfast.journal.EffectEntry;
import io.holdfast.journal.ExecutionJournal;
import io.holdfast.journal.Intent;
import io.holdfast.journal.JournalCommit;
import io.holdfast.journal.RunHead;
import io.holdfast.journal.RunStatus;
import io.holdfast.journal.StepKey;
import io.holdfast.journal.StepOutcome;
import io.holdfast.lease.Fence;
import java.time.Instant;

/** The operations on journals. */
final class JournalOperations {

    private JournalOperations() {}

    /**
     * One step more of each thread's own run: its intent and its effect, on its way; or that, and then its outcome, the effect
     * confirmed and the state to go on from, in two commits.
     *
     * @param ended whether its outcome too
     */
    record Commit(boolean ended) implements Operation {

        private static final String DIGEST = "0123456789abcdef".repeat(4);
        private static final String OUTPUT = "{\"receipt\":\"4711\",\"amount\":1250}";

        @Override
        public String name() {
            return ended ? "journal-step" : "journal-intent";
        }

        @Override
        public void prepare(Rows rows, Scope scope, int threads, int each) {
            rows.journals(scope, threads);
        }

        @Override
        public Call calls(Rows rows, Scope scope, int thread, Contender contender) {
            ExecutionJournal journal = contender.journal();
            Fence fence = new Fence(Rows.owner(thread), 1);
            String run = Rows.id(thread, 0);
            RunHead[] head = {new RunHead(run, RunStatus.RUNNING, 1, 0, Instant.EPOCH)};
            return number -> {
                StepKey step = StepKey.visit("charge", number);
                Intent intent = Intent.of(step, DIGEST, run + "/" + step, EffectClass.IDEMPOTENT);
                head[0] = written(journal.commit(
                        fence,
                        JournalCommit.to(head[0])
                                .intent(intent)
                                .effect(intent.pending())
                                .build()));
                if (ended) {
                    head[0] = written(journal.commit(
                            fence,
                            JournalCommit.to(head[0])
                                    .outcome(StepOutcome.completed(step, OUTPUT))
                                    .effect(EffectEntry.confirmed(step, 0))
                                    .state("{\"step\":" + number + "}")
                                    .build()));
                }
            };
        }

        private static RunHead written(Committed answer) {
            return Answers.is(Committed.Done.class, answer).head();
        }

        /** None unless each step has an effect, at the same place in the run. */
        @Override
        public long effects(Rows rows, Scope scope, long[] done) {
            long effects = rows.count(
                    "count(*) filter (where status = '" + (ended ? "confirmed" : "pending") + "')",
                    "execution_effect",
                    scope);
            long steps = rows.count(
                    "count(*) filter (where (ended_at is not null) = " + ended + ")", "execution_step", scope);
            long numbered = rows.count("coalesce(sum(steps), 0)", "execution", scope);
            return steps == effects && numbered == effects ? effects : -1;
        }
    }
}
