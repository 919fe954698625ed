package io.holdfast.repository;

import java.util.Collection;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Texts as PostgreSQL writes an array of them: how a Java array is sent is a setting of the host's persistence unit. */
final class TextArray {

    private TextArray() {}

    static String of(Collection<? extends @Nullable String> texts) {
        return texts.stream().map(TextArray::element).collect(Collectors.joining(",", "{", "}"));
    }

    private static String element(@Nullable String text) {
        return text == null ? "NULL" : '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
}
