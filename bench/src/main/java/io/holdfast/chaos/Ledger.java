package io.holdfast.chaos;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The outside: a file that is only appended to, which no fault of the database reaches. Of a sender that says it may come
 * again it recognises the key. Of others it does what it is told, as often as it is told; but who asks for a key that it has not
 * seen bars it, so that what is said not to have happened does not happen afterwards.
 */
final class Ledger implements AutoCloseable {

    /** What it has done, or answered. */
    enum Word {
        /** The effect took place. */
        DONE,
        /** It was recognised, and did not take place again. */
        AGAIN,
        /** Somebody asked, and it had not taken place. */
        BARRED,
        /** It came after somebody had asked, and did not take place. */
        LATE
    }

    record Line(Word word, String key, String who) {

        String text() {
            return word + "\t" + key + "\t" + who + "\n";
        }

        static Optional<Line> parse(String line) {
            String[] part = line.split("\t", -1);
            return part.length == 3 ? Optional.of(new Line(Word.valueOf(part[0]), part[1], part[2])) : Optional.empty();
        }
    }

    private final FileChannel file;
    private final Map<String, Word> known = new HashMap<>();
    private long read;

    Ledger(Path path) {
        try {
            file = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Does something.
     *
     * @param recognised whether it is known by its key when it comes again
     * @return false if it came too late, and was not done
     */
    synchronized boolean send(String key, String who, boolean recognised) {
        return noted(
                        key,
                        who,
                        before -> before == Word.BARRED
                                ? Word.LATE
                                : before == Word.DONE && recognised ? Word.AGAIN : Word.DONE)
                != Word.LATE;
    }

    /** Whether it has been done; if not, it never will be. */
    synchronized boolean ask(String key, String who) {
        return noted(key, who, before -> before == Word.DONE ? null : Word.BARRED) == Word.DONE;
    }

    private interface Verdict {
        /** Null: it stands, and nothing is written. */
        @Nullable
        Word after(@Nullable Word before);
    }

    private Word noted(String key, String who, Verdict verdict) {
        try (FileLock lock = file.lock()) {
            readOn();
            Word before = known.get(key);
            Word word = verdict.after(before);
            if (word == null) {
                return Word.DONE;
            }
            ByteBuffer line = ByteBuffer.wrap(new Line(word, key, who).text().getBytes(StandardCharsets.UTF_8));
            read += file.write(line, read);
            note(key, word);
            return word;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What others have written since. */
    private void readOn() throws IOException {
        ByteBuffer more = ByteBuffer.allocate((int) (file.size() - read));
        while (more.hasRemaining() && file.read(more, read + more.position()) >= 0) {}
        String text = new String(more.array(), StandardCharsets.UTF_8);
        text.lines().forEach(line -> Line.parse(line).ifPresent(each -> note(each.key(), each.word())));
        read += more.position();
    }

    private void note(String key, Word word) {
        if (word == Word.DONE || word == Word.BARRED) {
            known.put(key, word);
        }
    }

    static List<Line> lines(Path path) throws IOException {
        return Files.exists(path)
                ? Files.readAllLines(path).stream()
                        .flatMap(line -> Line.parse(line).stream())
                        .toList()
                : List.of();
    }

    @Override
    public void close() {
        try {
            file.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
