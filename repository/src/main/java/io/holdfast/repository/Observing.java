package io.holdfast.repository;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The seam to the environment, with whoever watches what goes through it. Costs two looks where nobody does. */
final class Observing {

    private final Transactions transactions;
    private final @Nullable Observer host;

    Observing(Transactions transactions) {
        this(transactions, null);
    }

    private Observing(Transactions transactions, @Nullable Observer host) {
        this.transactions = transactions;
        this.host = host;
    }

    Transactions transactions() {
        return transactions;
    }

    /** The same, with one more who watches. */
    Observing with(Observer observer) {
        return new Observing(transactions, host == null ? observer : new BothObservers(host, observer));
    }

    /** The same who watch, over another seam. */
    Observing over(Transactions other) {
        return new Observing(other, host);
    }

    <R> R call(Operation operation, Function<Transactions, R> work, Function<R, Outcome> outcome) {
        Observer observer = FlightRecording.with(host);
        if (observer == null) {
            return work.apply(transactions);
        }
        Attempts attempts = new Attempts(transactions);
        Observer.Call call = observer.begins(operation);
        Outcome ended = Outcome.ERROR;
        try {
            R answer = work.apply(attempts);
            ended = outcome.apply(answer);
            return answer;
        } catch (Throwable e) {
            ended = Outcomes.thrown(operation, e);
            throw e;
        } finally {
            call.ended(ended, attempts.made(operation));
        }
    }

    void keeps(LeaseKeeper keeper) {
        if (host != null) {
            host.keeps(keeper);
        }
    }

    void lost(KeptLease.End end) {
        FlightRecording.record(end);
        if (host != null) {
            host.lost(end);
        }
    }
}
