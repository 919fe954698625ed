package io.holdfast.chaos;

import java.io.IOException;
import java.io.UncheckedIOException;

/** Signals to processes, which Java cannot send. */
final class Signals {

    private Signals() {}

    static void send(String signal, long pid) {
        try {
            new ProcessBuilder("kill", "-" + signal, Long.toString(pid)).start().waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
