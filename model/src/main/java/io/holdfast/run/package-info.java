/**
 * Runs of an engine that keeps its own rules: a status in its own words, a state, and a log of events, in the tables
 * {@code run} and {@code run_event}.
 *
 * <p>Status and state are written by compare-and-set: a write names the {@link io.holdfast.run.Run} it was read from, and
 * happens only if that is still what is stored, together with its events or not at all. Of two writers that read the same
 * revision one is {@link io.holdfast.run.RunUpdate.Updated}; the other hears what stands there now.
 *
 * <p>Events are numbered from 1 without a gap, whoever writes them: each write locks the run and takes the next numbers. An
 * event alone needs no revision and changes none, so that who logs does not make a worker lose.
 *
 * <p>There is no lease here, and no rule about what status may follow which, but for what a change itself forbids: see
 * {@link io.holdfast.run.RunChange#unless}. Who needs more uses {@link io.holdfast.workflow.Workflows}.
 */
@NullMarked
package io.holdfast.run;

import org.jspecify.annotations.NullMarked;
