package io.holdfast.example.blackbox;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/** Asks again and again, up to a deadline. */
final class Until {

    private static final long PAUSE_MILLIS = 100;

    private Until() {}

    /** @param missing what is said if the deadline passes: "the second did not get the lease" */
    static <T> T present(Duration deadline, Supplier<Optional<T>> question, Supplier<String> missing) {
        long end = System.nanoTime() + deadline.toNanos();
        while (true) {
            Optional<T> found = question.get();
            if (found.isPresent()) {
                return found.get();
            }
            if (System.nanoTime() - end >= 0) {
                throw new CaseFailure(missing.get() + " within " + deadline.toSeconds() + " s");
            }
            pause();
        }
    }

    static void holds(Duration deadline, Supplier<Boolean> question, Supplier<String> missing) {
        present(deadline, () -> question.get() ? Optional.of(true) : Optional.empty(), missing);
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CaseFailure("interrupted");
        }
    }
}
