package io.holdfast.bench;

import io.holdfast.Scope;
import io.holdfast.idempotency.Completion;
import io.holdfast.idempotency.IdempotencyKeys;
import io.holdfast.idempotency.KeepFor;
import io.holdfast.idempotency.KeyClaim;
import io.holdfast.idempotency.Reservation;

/** The operations on idempotency keys. */
final class KeyOperations {

    static final String OUTCOME = "sha256:" + "0123456789abcdef".repeat(4);

    private KeyOperations() {}

    /** A key that nobody has reserved before. */
    record Reserve() implements Operation {

        @Override
        public String name() {
            return "reserve";
        }

        @Override
        public void prepare(Rows rows, Scope scope, int threads, int each) {}

        @Override
        public Call calls(Rows rows, Scope scope, int thread, Contender contender) {
            IdempotencyKeys keys = contender.keys();
            return number -> {
                String id = Rows.id(thread, number);
                Answers.is(Reservation.New.class, keys.reserve(id, States.REQUEST, id, KeepFor.DEFAULT));
            };
        }

        @Override
        public long effects(Rows rows, Scope scope, long[] done) {
            return rows.count("count(*)", "idempotency_key", scope);
        }
    }

    record Complete() implements Operation {

        @Override
        public String name() {
            return "complete";
        }

        @Override
        public void prepare(Rows rows, Scope scope, int threads, int each) {
            rows.keys(scope, threads, each, each);
        }

        @Override
        public Call calls(Rows rows, Scope scope, int thread, Contender contender) {
            IdempotencyKeys keys = contender.keys();
            return number -> {
                String id = Rows.id(thread, number);
                Answers.is(Completion.Done.class, keys.complete(new KeyClaim(id, id, 1), OUTCOME));
            };
        }

        @Override
        public long effects(Rows rows, Scope scope, long[] done) {
            return rows.count("count(*) filter (where status = 'completed')", "idempotency_key", scope);
        }
    }

    record FindKey() implements Operation {

        @Override
        public String name() {
            return "find-key";
        }

        @Override
        public void prepare(Rows rows, Scope scope, int threads, int each) {
            rows.keys(scope, threads, HELD, HELD);
        }

        @Override
        public Call calls(Rows rows, Scope scope, int thread, Contender contender) {
            IdempotencyKeys keys = contender.keys();
            return number ->
                    Answers.yes(keys.find(Rows.id(thread, number % HELD)).isPresent());
        }

        @Override
        public long effects(Rows rows, Scope scope, long[] done) {
            return rows.count("sum(reservation - 1)", "idempotency_key", scope) + Answers.sum(done);
        }
    }
}
