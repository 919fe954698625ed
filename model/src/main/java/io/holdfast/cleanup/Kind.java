package io.holdfast.cleanup;

import java.util.Locale;

/** What a clean-up goes through, kind by kind and in this order. */
public enum Kind {
    /** Workflows with their labels. */
    WORKFLOWS,
    /** Idempotency keys. */
    KEYS,
    /** Rows of leases; the scope's token floor is raised first. */
    LEASES,
    /** Runs of {@link io.holdfast.run.Runs} with their events. */
    RUNS,
    /** Transcripts, which are emptied: the row stays, so that nobody who read it before can bring it back. */
    SESSIONS,
    /** Runs of {@link io.holdfast.journal.ExecutionJournal} with steps, effects and events. */
    JOURNALS,
    /** The older entries of histories of runs; before the runs themselves, so that each is counted as in a plan. */
    ENTRIES,
    /** Runs of {@link io.holdfast.checkpoint.Checkpoints} with their histories. */
    CHECKPOINTS,
    /** Approvals that are settled. */
    APPROVALS,
    /** What says of agents' runs that they are over. */
    AGENTS;

    // Locale.ROOT: in a Turkish locale, ENTRIES would become "entrıes".
    private final String text = name().toLowerCase(Locale.ROOT);

    /** In lower case, for reports. */
    public String text() {
        return text;
    }
}
