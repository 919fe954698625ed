package io.holdfast.chaos;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What a worker asked for and was told, in a file. Each line is one write of the system's before and one after the call, so
 * that a worker that is killed has left word of all that it knew. Many threads, and many lives of a worker, append to one.
 */
final class Told implements AutoCloseable {

    private final FileChannel file;
    private final AtomicLong calls = new AtomicLong();

    Told(Path path) {
        try {
            file = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Writes down that the call is about to be made. */
    Call call(String who, String operation, String key, long token, String write) {
        Call call = new Call(this, who, calls.incrementAndGet(), operation, key, token, write);
        call.told(Entry.CALL, token, 0);
        return call;
    }

    private void append(Entry entry) {
        try {
            ByteBuffer line = ByteBuffer.wrap(entry.line().getBytes(StandardCharsets.UTF_8));
            synchronized (file) {
                file.write(line);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        try {
            file.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A call that was written down, and waits for its answer. */
    record Call(Told history, String who, long number, String operation, String key, long token, String write) {

        void told(String answer) {
            told(answer, token, 0);
        }

        void told(String answer, long grantedToken, long fact) {
            history.append(
                    new Entry(System.nanoTime(), who, number, answer, operation, key, grantedToken, write, fact));
        }

        void saw(Desk.Seen seen) {
            history.append(new Entry(
                    System.nanoTime(),
                    who,
                    number,
                    Desk.Answer.FOUND,
                    operation,
                    key,
                    token,
                    seen.write(),
                    seen.number()));
        }
    }
}
