package io.holdfast.codec;

import static java.util.Objects.requireNonNull;

import io.holdfast.failure.CorruptRecordException;
import io.holdfast.failure.InvalidValueException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A JSON object in its canonical text ({@link Canonical}): what an application wants kept and nobody here looks into. It is
 * written once and read only when asked for, so that a page of many costs no parsing, and one that was damaged in the
 * database harms no other. Two are equal if their texts are: 1 and 1.0 differ, the order of keys does not matter.
 */
public final class Document {

    /** The object without any entry. */
    public static final Document EMPTY = new Document("{}", "document", "");

    private final String text;
    private final String record;
    private final String id;

    private Document(String text, String record, String id) {
        this.text = text;
        this.record = record;
        this.id = id;
    }

    /**
     * The document of a tree as {@link Canonical#write(String, Object, int)} takes it.
     *
     * @param field what it is called in errors
     * @param maxBytes the longest text that is accepted, in bytes of UTF-8
     * @throws InvalidValueException naming {@code field} and the place as a JSON pointer
     */
    public static Document of(String field, Map<String, ? extends @Nullable Object> tree, int maxBytes) {
        return new Document(Canonical.write(field, Given.value(field, tree), maxBytes), "document", "");
    }

    /** As {@link #of(String, Map, int)}, called {@code document} and of any length. */
    public static Document of(Map<String, ? extends @Nullable Object> tree) {
        return of("document", tree, Integer.MAX_VALUE);
    }

    /**
     * A text that {@link #text} gave, as it was stored. It is not looked into before {@link #tree} is asked for.
     *
     * @param record what kind of record it is a part of, for errors
     * @param id which one, for errors
     */
    public static Document ofStored(String record, String id, String text) {
        return new Document(Given.value("text", text), Given.value("record", record), Given.value("id", id));
    }

    /** The canonical text. */
    public String text() {
        return text;
    }

    /**
     * The object as immutable plain values, as {@link JsonText#read} gives them.
     *
     * @throws CorruptRecordException if the text was damaged in the database; nothing of it is shown
     */
    public Map<String, @Nullable Object> tree() {
        Map<String, @Nullable Object> entries = new LinkedHashMap<>();
        ((Map<?, ?>) requireNonNull(parsed()))
                .forEach((key, value) -> entries.put((String) requireNonNull(key), value));
        return Collections.unmodifiableMap(entries);
    }

    private @Nullable Object parsed() {
        try {
            Object tree = JsonText.read("it", text, Integer.MAX_VALUE);
            if (tree instanceof Map) {
                return tree;
            }
        } catch (InvalidValueException e) {
            throw new CorruptRecordException(record, id, String.valueOf(e.getMessage()));
        }
        throw new CorruptRecordException(record, id, "it must be a JSON object");
    }

    /** SHA-256 of the text's UTF-8: 64 lower-case hex digits. */
    public String digest() {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Document document && document.text.equals(text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    /** Its length: what it holds is the application's, and not for a log. */
    @Override
    public String toString() {
        return "Document[" + text.length() + " characters]";
    }
}
