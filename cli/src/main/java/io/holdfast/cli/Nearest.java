package io.holdfast.cli;

import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** What was meant by a name that there is not. */
final class Nearest {

    private Nearest() {}

    /** Empty if none is near: that half of its characters are others may be by chance. */
    static Optional<String> of(String given, Collection<String> names) {
        String wanted = given.toLowerCase(Locale.ROOT);
        return names.stream()
                .filter(name -> distance(name, wanted) * 2 <= letters(name))
                .min(Comparator.comparingInt((String name) -> distance(name, wanted))
                        .thenComparing(Comparator.naturalOrder()));
    }

    private static int letters(String name) {
        return name.replaceAll("^-+", "").length();
    }

    /** Characters to insert, remove or replace (Levenshtein). */
    private static int distance(String name, String given) {
        int[] row = new int[given.length() + 1];
        Arrays.setAll(row, i -> i);
        for (int i = 1; i <= name.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= given.length(); j++) {
                int replaced = diagonal + (name.charAt(i - 1) == given.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[given.length()];
    }
}
