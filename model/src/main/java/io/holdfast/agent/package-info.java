/**
 * Where unfinished runs of agents stand: one checkpoint for each run, in table {@code agent_checkpoint}.
 *
 * <p>A checkpoint is written under the lease of its run, of kind {@code run}, on top of the revision that was read: before each
 * model call, after the reply, after each tool's result, at a pause and at the end. Who was paused past the lease, or whose
 * write arrives late although the lease is still held, writes nothing. A heartbeat renews the lease's narrow row and never
 * touches the checkpoint.
 *
 * <p>A run that is finished, or was purged by an operator, leaves a row without its payload, so that nothing revives it: neither
 * a worker that held its lease all the time nor one that begins again under the same id.
 *
 * <p>Recovery looks at what is not finished, status by status: runs at work, of which those whose lease is not held were left by
 * a crash; paused ones, which wait for somebody; and completed ones, which only have to be finished.
 */
@NullMarked
package io.holdfast.agent;

import org.jspecify.annotations.NullMarked;
