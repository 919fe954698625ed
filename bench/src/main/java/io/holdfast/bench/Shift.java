package io.holdfast.bench;

import io.holdfast.Scope;
import java.util.Arrays;
import java.util.stream.IntStream;

/** The calls of one contender in one cell: they go on from slice to slice, one array element per thread. */
final class Shift {

    private static final int MANY = 1 << 14; // so that few cells have to make room while they are measured

    final Scope scope;
    final Operation.Call[] calls;
    final long[] done;
    final long[][] latencies;
    final long[] cpuNanos;
    final long[] allocated;
    long serverNanos;
    long nanos;

    /** Of what was done in a time by others than a crew. */
    static Shift untimed(long done, long nanos) {
        Shift shift = new Shift(Scope.of(""), new Operation.Call[1], 0);
        shift.done[0] = done;
        shift.nanos = nanos;
        return shift;
    }

    Shift(Scope scope, Operation.Call[] calls) {
        this(scope, calls, MANY);
    }

    private Shift(Scope scope, Operation.Call[] calls, int expected) {
        this.scope = scope;
        this.calls = calls;
        this.done = new long[calls.length];
        this.latencies = new long[calls.length][expected];
        this.cpuNanos = new long[calls.length];
        this.allocated = new long[calls.length];
    }

    /** Only by the thread of that number. */
    void record(int thread, long latencyNanos) {
        int number = (int) done[thread]++;
        if (number == latencies[thread].length) {
            latencies[thread] = Arrays.copyOf(latencies[thread], 2 * number);
        }
        latencies[thread][number] = latencyNanos;
    }

    double perSecond() {
        return Answers.sum(done) / (nanos / 1e9);
    }

    /** The processor time of a call in the server's process. */
    double serverMicros() {
        return serverNanos / 1e3 / Math.max(1, Answers.sum(done));
    }

    /** The processor time of a call in its thread. */
    double clientMicros() {
        return Answers.sum(cpuNanos) / 1e3 / Math.max(1, Answers.sum(done));
    }

    /** What a call allocates in its thread, in bytes; what is measured adds some ten. */
    double allocatedBytes() {
        return Answers.sum(allocated) / (double) Math.max(1, Answers.sum(done));
    }

    long[] allLatencies() {
        return IntStream.range(0, done.length)
                .boxed()
                .flatMapToLong(t -> Arrays.stream(latencies[t], 0, (int) Math.min(done[t], latencies[t].length)))
                .toArray();
    }
}
