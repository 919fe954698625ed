package io.holdfast.chaos;

import java.io.IOException;
import java.io.UncheckedIOException;

/** Signals to processes, which Java cannot send. */
final class Signals {

    private Signals() {}

    /** Whether there was such a process. */
    static boolean send(String signal, long pid) {
        try {
            return new ProcessBuilder("kill", "-" + signal, Long.toString(pid))
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
