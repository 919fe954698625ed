/**
 * Leave to make one exact call, once: approvals, in table {@code approval}. One mechanism for workflows, whose gated nodes wait
 * for somebody, and for agents, whose tool calls do; a question that waits for an answer is the same, with the answer in the
 * decision.
 *
 * <p>An approval is registered with the call's text, and bound to the digest of that. It is decided once: of two people at once
 * the first stands, and the other hears how it was decided. The decision is stored in the very write that makes it, so no crash
 * turns a rejection into an approval. What was approved is consumed once, under the lease of its run and by one step, and in the
 * statement that enters the step into the journal: after a crash either the approval is still to be had and nothing was begun,
 * or it is gone and the journal names the step that has it. The same step that asks again hears that it has it; any other hears
 * that it is gone.
 *
 * <p>Times are the database's, judged behind every lock: who waited for a row past the approval's end, or past that of the
 * lease, decides and consumes nothing.
 *
 * <p>A decision moves no run. One that is paused and was answered, whatever the answer, is found by
 * {@link io.holdfast.journal.RunLeases#recoverable} until it is claimed: so nothing hangs on whoever decides being able to tell it.
 *
 * <p>What a crash leaves can be seen and settled: approvals nobody has decided, and those that were approved but not consumed,
 * are lists; each can be withdrawn, and those whose time is over are withdrawn together. A consumed approval whose step came to no end is the
 * journal's to settle.
 */
@NullMarked
package io.holdfast.approval;

import org.jspecify.annotations.NullMarked;
