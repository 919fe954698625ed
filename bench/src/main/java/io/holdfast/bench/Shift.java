package io.holdfast.bench;

import io.holdfast.Scope;
import java.util.Arrays;
import java.util.stream.IntStream;

/** The calls of one contender in one cell: they go on from slice to slice, one array element per thread. */
final class Shift {

    final Scope scope;
    final Operation.Call[] calls;
    final long[] done;
    final long[][] latencies;
    final long[] cpuNanos;
    long serverNanos;
    long nanos;

    Shift(Scope scope, Operation.Call[] calls) {
        this.scope = scope;
        this.calls = calls;
        this.done = new long[calls.length];
        this.latencies = new long[calls.length][1024];
        this.cpuNanos = new long[calls.length];
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

    long[] allLatencies() {
        return IntStream.range(0, done.length)
                .boxed()
                .flatMapToLong(t -> Arrays.stream(latencies[t], 0, (int) done[t]))
                .toArray();
    }
}
