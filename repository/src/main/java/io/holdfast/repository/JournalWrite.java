package io.holdfast.repository;

import io.holdfast.Scope;
import io.holdfast.journal.Committed;
import io.holdfast.journal.JournalCommit;
import io.holdfast.lease.Fence;

/** A commit to a run's journal: state, steps, effects, events and lease together, or nothing of it. */
final class JournalWrite {

    private JournalWrite() {}

    private static final Statement<CommitRow> COMMIT = Statement.returning(CommitRow.class, """
            select verdict, status, revision, events, updated_at, state_version, journal_version, step, approval, effect, taken_key
              from {journal_commit}(:lock_timeout, :scope, :id, :known_version, :expected, :digest, :owner, :token,
                     :state, :state_version, :cursor_given, :cursor, :status, :ends,
                     cast(:s_keys as text[]), cast(:s_digests as text[]), cast(:s_idempotency_keys as text[]),
                     cast(:s_classes as text[]), cast(:s_approvals as text[]), cast(:s_reservations as text[]),
                     cast(:s_outcomes as text[]), cast(:s_outputs as text[]),
                     cast(:e_keys as text[]), cast(:e_indexes as integer[]), cast(:e_ids as text[]), cast(:e_statuses as text[]),
                     cast(:e_idempotency_keys as text[]), cast(:e_results as text[]),
                     cast(:v_types as text[]), cast(:v_payloads as text[]))
            """);

    static Committed run(Transactions transactions, Scope scope, JournalCommit commit, Fence fence) {
        String digest = CommitDigest.of(commit, fence);
        CommitRow row = Again.row(
                transactions,
                "journal.commit",
                CommitRow::verdict,
                s -> JournalEntries.given(s.call(COMMIT), scope, commit)
                        .set("digest", digest)
                        .set("owner", fence.owner())
                        .set("token", fence.token())
                        .row());
        return row.answer(commit);
    }
}
