package io.holdfast.codec;

import io.holdfast.failure.InvalidValueException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes a tree of maps, lists, texts, numbers, booleans and nulls without any space. The two canonical forms share it;
 * they differ in the order of keys and in their numbers. One instance writes one tree.
 */
final class JsonWriter {

    /** How a canonical form writes its numbers. Both refuse by a rule, the writer says where. */
    interface Numbers {
        void integer(StringBuilder out, BigInteger value) throws Refused;

        void fraction(StringBuilder out, double finite);
    }

    /** A number that a form cannot hold. Carries a rule and no content. */
    static final class Refused extends Exception {
        private static final long serialVersionUID = 1L;

        Refused(String rule) {
            super(rule, null, false, false);
        }
    }

    private static final int PLACE_LIMIT = 256;
    private static final int PLACE_PART_LIMIT = 64;

    private final String field;
    private final Comparator<String> keyOrder;
    private final Numbers numbers;
    private final long maxBytes;
    private final StringBuilder out = new StringBuilder(256);
    private final List<Object> path = new ArrayList<>();

    JsonWriter(String field, Comparator<String> keyOrder, Numbers numbers, long maxBytes) {
        this.field = field;
        this.keyOrder = keyOrder;
        this.numbers = numbers;
        this.maxBytes = maxBytes;
    }

    String write(@Nullable Object tree) {
        value(tree);
        if (Unicode.utf8Length(out) > maxBytes) {
            throw tooLong();
        }
        return out.toString();
    }

    private void value(@Nullable Object value) {
        if (out.length() > maxBytes) {
            throw tooLong(); // early, so that what is far too big is not written to the end
        }
        if (value == null || value instanceof Boolean) {
            out.append(value);
        } else if (value instanceof String text) {
            text(text);
        } else if (value instanceof Map<?, ?> map) {
            object(map);
        } else if (value instanceof List<?> list) {
            array(list);
        } else if (value instanceof Number number) {
            number(number);
        } else {
            throw refused("be made of maps, lists, texts, numbers, booleans and nulls");
        }
    }

    private void object(Map<?, ?> map) {
        String[] keys = keys(map);
        out.append('{');
        enter();
        for (String key : keys) {
            if (out.charAt(out.length() - 1) != '{') {
                out.append(',');
            }
            path.set(path.size() - 1, key);
            text(key);
            out.append(':');
            value(map.get(key));
        }
        path.remove(path.size() - 1);
        out.append('}');
    }

    private String[] keys(Map<?, ?> map) {
        String[] keys = new String[map.size()];
        int count = 0;
        for (Object key : map.keySet()) {
            if (!(key instanceof String name)) {
                throw refused("have texts for keys");
            }
            keys[count++] = name;
        }
        Arrays.sort(keys, keyOrder);
        return keys;
    }

    private void array(List<?> list) {
        out.append('[');
        enter();
        int index = 0;
        for (Object element : list) {
            if (index > 0) {
                out.append(',');
            }
            path.set(path.size() - 1, index++);
            value(element);
        }
        path.remove(path.size() - 1);
        out.append(']');
    }

    private void enter() {
        if (path.size() == JsonText.MAX_DEPTH) {
            throw refused("be nested at most " + JsonText.MAX_DEPTH + " deep");
        }
        path.add("");
    }

    private void text(String text) {
        if (Unicode.loneSurrogate(text) >= 0) {
            throw refused("hold no lone surrogate");
        }
        quote(out, text);
    }

    private void number(Number number) {
        try {
            if (number instanceof Long
                    || number instanceof Integer
                    || number instanceof Short
                    || number instanceof Byte) {
                numbers.integer(out, BigInteger.valueOf(number.longValue()));
            } else if (number instanceof BigInteger integer) {
                numbers.integer(out, integer);
            } else if (number instanceof Double || number instanceof Float) {
                fraction(number.doubleValue());
            } else if (number instanceof BigDecimal decimal) {
                decimal(decimal);
            } else {
                throw refused("hold no number of another type than Java's own");
            }
        } catch (Refused e) {
            throw refused(String.valueOf(e.getMessage()));
        }
    }

    private void fraction(double value) {
        if (Double.isNaN(value) || Double.isInfinite(value)) {
            throw refused("hold no NaN and no infinity");
        }
        numbers.fraction(out, value);
    }

    private void decimal(BigDecimal decimal) {
        double nearest = decimal.doubleValue();
        if (Double.isInfinite(nearest) || ShortestDouble.decimal(nearest).compareTo(decimal) != 0) {
            throw refused("hold no decimal with more digits than a double keeps; write it as text");
        }
        numbers.fraction(out, nearest);
    }

    private InvalidValueException tooLong() {
        return new InvalidValueException(field, "be at most " + maxBytes + " bytes of UTF-8");
    }

    private InvalidValueException refused(String rule) {
        return new InvalidValueException(field, rule + " (at " + place() + ")");
    }

    /** Where the writer is, as a JSON pointer (RFC 6901), cut: a key can be long, and can be what is refused. */
    private String place() {
        StringBuilder place = new StringBuilder();
        for (Object part : path) {
            String name = Prose.cut(part.toString(), PLACE_PART_LIMIT);
            place.append('/').append(name.replace("~", "~0").replace("/", "~1"));
        }
        return place.isEmpty() ? "the top" : Prose.cut(place.toString(), PLACE_LIMIT);
    }

    /** Escapes what RFC 8259 requires to be escaped and nothing else, in the short form where there is one. */
    static void quote(StringBuilder out, String text) {
        out.append('"');
        int clean = 0; // from here on nothing needed an escape
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < ' ' || c == '"' || c == '\\') {
                out.append(text, clean, i);
                escape(out, c);
                clean = i + 1;
            }
        }
        out.append(text, clean, text.length()).append('"');
    }

    private static void escape(StringBuilder out, char c) {
        switch (c) {
            case '"' -> out.append("\\\"");
            case '\\' -> out.append("\\\\");
            case '\b' -> out.append("\\b");
            case '\t' -> out.append("\\t");
            case '\n' -> out.append("\\n");
            case '\f' -> out.append("\\f");
            case '\r' -> out.append("\\r");
            default ->
                out.append("\\u00").append(Character.forDigit(c >> 4, 16)).append(Character.forDigit(c & 15, 16));
        }
    }
}
