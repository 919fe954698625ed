package io.holdfast.bench;

import java.util.Arrays;

/** The times of calls since it was last looked at. Thread-safe. */
final class Window {

    private long[] nanos = new long[1024];
    private int count;

    synchronized void add(long time) {
        if (count == nanos.length) {
            nanos = Arrays.copyOf(nanos, 2 * count);
        }
        nanos[count++] = time;
    }

    /** Ascending; the next look begins with none. */
    synchronized long[] taken() {
        long[] taken = Arrays.copyOf(nanos, count);
        count = 0;
        Arrays.sort(taken);
        return taken;
    }
}
