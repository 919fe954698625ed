/**
 * What runs of workflows and agents have done, and under which lease: tables {@code execution}, {@code execution_step},
 * {@code execution_effect} and {@code execution_event}.
 *
 * <p>An engine opens a run ({@link io.holdfast.journal.ExecutionJournal#open}) or claims it
 * ({@link io.holdfast.journal.RunLeases#claim}) and so has its lease, which is renewed and kept as any other. Before a step
 * that does something outside it commits an {@link io.holdfast.journal.Intent} and a pending effect; afterwards the outcome,
 * the effect confirmed, and the state to go on from. Each commit is one statement, all or nothing, under the lease. A process
 * that dies leaves the intent: whoever comes next knows what may have happened, and under which key it was sent.
 *
 * <p>What nobody knows is said so: an effect that may or may not have happened is
 * {@link io.holdfast.journal.EffectStatus#INDETERMINATE} until somebody finds out
 * ({@link io.holdfast.journal.ExecutionJournal#resolveEffect}). Steps and effects have names that are the same in every process
 * ({@link io.holdfast.journal.StepKey}, {@link io.holdfast.journal.EffectId}), and an idempotency key goes out once in a
 * scope.
 *
 * <p>The races: two workers on one run, of whom the lease's fence lets one write; two commits under one fence, which come one
 * after the other and are numbered without a gap; two runs that want one idempotency key, of which one hears
 * {@link io.holdfast.journal.Committed.KeyTaken}. Losing changes no row.
 *
 * <p>{@link io.holdfast.journal.RunLeases#recoverable} lists the runs that somebody should be at work on and nobody is: those of
 * the journal, of checkpoints and of agents, and paused ones whose approval was answered while their wake-up was lost. It goes
 * along indexes that have neither finished runs nor waiting ones in them.
 */
@NullMarked
package io.holdfast.journal;

import org.jspecify.annotations.NullMarked;
