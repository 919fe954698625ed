package io.holdfast.bench;

import io.holdfast.Scope;
import io.holdfast.lease.Acquisition;
import io.holdfast.lease.Fence;
import io.holdfast.lease.Lease;
import io.holdfast.lease.LeaseKey;
import io.holdfast.lease.Leases;
import io.holdfast.lease.Renewal;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/** The operations on leases. */
final class LeaseOperations {

    private static final String KIND = "bench";
    static final Duration TTL = Duration.ofMinutes(1);

    private LeaseOperations() {}

    /** A lease that nobody has held before. */
    record Acquire() implements Operation {

        @Override
        public String name() {
            return "acquire";
        }

        @Override
        public void prepare(Rows rows, Scope scope, int threads, int each) {
            rows.floor(scope);
        }

        @Override
        public Call calls(Rows rows, Scope scope, int thread, Contender contender) {
            Leases leases = contender.leases();
            String owner = Rows.owner(thread);
            return number -> Answers.is(
                    Acquisition.Granted.class, leases.acquire(new LeaseKey(KIND, Rows.id(thread, number)), owner, TTL));
        }

        @Override
        public long effects(Rows rows, Scope scope, long[] done) {
            return rows.count("sum(token)", "lease", scope);
        }
    }

    record Renew() implements Operation {

        @Override
        public String name() {
            return "renew";
        }

        @Override
        public void prepare(Rows rows, Scope scope, int threads, int each) {
            rows.leases(scope, KIND, threads, HELD);
        }

        @Override
        public Call calls(Rows rows, Scope scope, int thread, Contender contender) {
            Leases leases = contender.leases();
            Fence fence = new Fence(Rows.owner(thread), 1);
            return number -> Answers.is(
                    Renewal.Renewed.class, leases.renew(new LeaseKey(KIND, Rows.id(thread, number % HELD)), fence));
        }

        /** How often one was renewed cannot be seen, only whether: made for an hour, it then has two. */
        @Override
        public long effects(Rows rows, Scope scope, long[] done) {
            long renewed = rows.count(
                    "count(*) filter (where expires_at > granted_at + interval '90 minutes')", "lease", scope);
            return Answers.sum(done) - Answers.reached(done, HELD) + renewed;
        }
    }

    record Release() implements Operation {

        @Override
        public String name() {
            return "release";
        }

        @Override
        public void prepare(Rows rows, Scope scope, int threads, int each) {
            rows.leases(scope, KIND, threads, each);
        }

        @Override
        public Call calls(Rows rows, Scope scope, int thread, Contender contender) {
            Leases leases = contender.leases();
            Fence fence = new Fence(Rows.owner(thread), 1);
            return number -> Answers.yes(leases.release(new LeaseKey(KIND, Rows.id(thread, number)), fence));
        }

        @Override
        public long effects(Rows rows, Scope scope, long[] done) {
            return rows.count("count(*) filter (where owner is null)", "lease", scope);
        }
    }

    /** A grant of a lease of one's own and its release. */
    record Cycle() implements Operation {

        @Override
        public String name() {
            return "cycle";
        }

        @Override
        public void prepare(Rows rows, Scope scope, int threads, int each) {
            rows.floor(scope);
        }

        @Override
        public Call calls(Rows rows, Scope scope, int thread, Contender contender) {
            Leases leases = contender.leases();
            String owner = Rows.owner(thread);
            return number -> {
                LeaseKey key = new LeaseKey(KIND, Rows.id(thread, number % HELD));
                Acquisition acquired = leases.acquire(key, owner, TTL);
                Fence fence =
                        Answers.is(Acquisition.Granted.class, acquired).lease().fence();
                Answers.yes(leases.release(key, fence));
            };
        }

        @Override
        public long effects(Rows rows, Scope scope, long[] done) {
            return rows.count("sum(token)", "lease", scope);
        }
    }

    record Inspect() implements Operation {

        @Override
        public String name() {
            return "inspect";
        }

        @Override
        public void prepare(Rows rows, Scope scope, int threads, int each) {
            rows.leases(scope, KIND, threads, HELD);
        }

        @Override
        public Call calls(Rows rows, Scope scope, int thread, Contender contender) {
            Leases leases = contender.leases();
            return number -> {
                Lease lease = leases.find(new LeaseKey(KIND, Rows.id(thread, number % HELD)))
                        .orElseThrow();
                Answers.yes(lease.isLive());
            };
        }

        @Override
        public long effects(Rows rows, Scope scope, long[] done) {
            return rows.count("sum(token - 1)", "lease", scope) + Answers.sum(done);
        }
    }

    /** All threads after one lease: each call is a grant and its release. */
    record Contended() implements Operation {

        /** Grows to about the time of a few grants. */
        static final long SHORTEST_NANOS = 500_000;

        static final long LONGEST_NANOS = 16_000_000;

        @Override
        public String name() {
            return "contended-lease";
        }

        @Override
        public void prepare(Rows rows, Scope scope, int threads, int each) {
            rows.floor(scope);
        }

        @Override
        public Call calls(Rows rows, Scope scope, int thread, Contender contender) {
            Leases leases = contender.leases();
            String owner = Rows.owner(thread);
            LeaseKey key = new LeaseKey(KIND, "the-one");
            return number ->
                    Answers.yes(leases.release(key, granted(leases, key, owner).fence()));
        }

        /**
         * What a caller does who wants a busy lease: asks again after a random time, on average longer with each refusal,
         * but never later than the lease can expire.
         */
        static Lease granted(Leases leases, LeaseKey key, String owner) {
            for (long wait = SHORTEST_NANOS; ; wait = Math.min(2 * wait, LONGEST_NANOS)) {
                Acquisition acquisition = leases.acquire(key, owner, TTL);
                if (acquisition instanceof Acquisition.Granted granted) {
                    return granted.lease();
                }
                long expiry = Answers.is(Acquisition.Busy.class, acquisition)
                        .retryAfter()
                        .toNanos();
                LockSupport.parkNanos(
                        Math.min(expiry, ThreadLocalRandom.current().nextLong(wait)));
            }
        }

        @Override
        public long effects(Rows rows, Scope scope, long[] done) {
            return rows.count("sum(token)", "lease", scope);
        }
    }
}
