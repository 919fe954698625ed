package io.holdfast.bench;

import java.util.Arrays;

/** What comes back from a call. */
final class Answers {

    private Answers() {}

    static <T> T is(Class<T> type, Object answer) {
        if (!type.isInstance(answer)) {
            throw new IllegalStateException("Expected " + type.getSimpleName() + ", but was "
                    + answer.getClass().getSimpleName());
        }
        return type.cast(answer);
    }

    static void yes(boolean answer) {
        if (!answer) {
            throw new IllegalStateException("Expected yes");
        }
    }

    static long sum(long[] done) {
        return Arrays.stream(done).sum();
    }

    /** How many of its {@code held} rows each thread has come to, going round. */
    static long reached(long[] done, int held) {
        return Arrays.stream(done).map(n -> Math.min(n, held)).sum();
    }
}
