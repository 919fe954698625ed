package io.holdfast.repository;

import io.holdfast.Scope;
import io.holdfast.journal.RecoverablePage;
import io.holdfast.journal.RunClaim;
import io.holdfast.journal.RunLeases;
import java.time.Duration;

/** {@link JpaRunLeases}, with each call told to whoever watches. */
record ObservedRunLeases(Observing observing, Scope scope) implements RunLeases {

    @Override
    public RunClaim claim(String runId, String owner, Duration ttl, String definitionDigest) {
        return observing.call(
                Operation.JOURNAL_CLAIM,
                on -> over(on).claim(runId, owner, ttl, definitionDigest),
                JournalOutcomes::of);
    }

    @Override
    public RecoverablePage recoverable(String after, int limit) {
        return observing.call(
                Operation.JOURNAL_RECOVERABLE, on -> over(on).recoverable(after, limit), page -> Outcome.DONE);
    }

    private JpaRunLeases over(Transactions transactions) {
        return new JpaRunLeases(transactions, scope);
    }
}
