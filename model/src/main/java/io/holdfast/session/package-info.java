/**
 * Chat transcripts of a workspace, one row each, in table {@code workspace_session}.
 *
 * <p>A transcript is read and replaced as a whole, by compare-and-set: a save names the revision it was made from, 0 for one
 * that must be new. Of two that name the same revision one is {@link io.holdfast.session.SessionSave.Saved}; the other hears
 * the revision that stands there. A transcript that is over is saved without messages; its row stays, so that nobody who read
 * it before can bring it back.
 */
@NullMarked
package io.holdfast.session;

import org.jspecify.annotations.NullMarked;
