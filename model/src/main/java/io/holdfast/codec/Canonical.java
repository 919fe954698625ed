package io.holdfast.codec;

import java.util.Comparator;

public final class Canonical {

    /** The order of keys: by code point. {@link String#compareTo} is by UTF-16 unit, which puts U+1F600 before U+FFEE. */
    public static final Comparator<String> KEY_ORDER = Canonical::compare;

    private Canonical() {}

    private static int compare(String a, String b) {
        int length = Math.min(a.length(), b.length());
        for (int i = 0; i < length; i++) {
            char x = a.charAt(i);
            char y = b.charAt(i);
            if (x != y) {
                // Surrogates stand for what lies above U+FFFF, so they sort after every other unit.
                boolean high = Character.isSurrogate(x);
                return high == Character.isSurrogate(y) ? x - y : high ? 1 : -1;
            }
        }
        return a.length() - b.length();
    }
}
