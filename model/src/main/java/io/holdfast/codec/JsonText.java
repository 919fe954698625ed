package io.holdfast.codec;

import io.holdfast.failure.InvalidValueException;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.json.JsonFactory;

/**
 * Reads JSON text strictly (RFC 8259, nothing beyond it): one document, no byte order mark, no duplicate keys, no lone
 * surrogates, no number that a double would turn into an infinity. The limits are those of {@link Canonical}, so that what
 * is written can be read. Uses a parser of its own, never the application's.
 */
public final class JsonText {

    /** The deepest nesting of objects and arrays: what Jackson reads by default, so that any reader can follow. */
    public static final int MAX_DEPTH = 500;

    /** The longest integer, in decimal digits; also Jackson's default. */
    public static final int MAX_INTEGER_DIGITS = 1_000;

    static final String INTEGER_RULE = "hold no integer of more than " + MAX_INTEGER_DIGITS + " digits";

    private static final BigInteger TOO_LONG = BigInteger.TEN.pow(MAX_INTEGER_DIGITS);

    // Sizes are limited before the parser sees the text. Property names are not pooled: they are the application's, and
    // a pool that outlives the document is filled by whoever sends many different ones.
    private static final JsonFactory JSON = JsonFactory.builder()
            .disable(TokenStreamFactory.Feature.CANONICALIZE_PROPERTY_NAMES)
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(MAX_DEPTH)
                    .maxNumberLength(MAX_INTEGER_DIGITS)
                    .maxStringLength(Integer.MAX_VALUE)
                    .maxNameLength(Integer.MAX_VALUE)
                    .build())
            .build();

    private final String field;
    private final JsonParser parser;

    private JsonText(String field, JsonParser parser) {
        this.field = field;
        this.parser = parser;
    }

    /**
     * The document as immutable plain values: {@code Map<String, Object>} in the order of the text, {@code List<Object>},
     * {@code String}, {@code Boolean}, {@code null}; a number without point and exponent is a {@code Long}, or a
     * {@code BigInteger} if it does not fit; every other number is a {@code Double}.
     *
     * @param field what the text is called in errors
     * @param maxBytes the longest text that is accepted, in bytes of UTF-8
     * @throws InvalidValueException naming {@code field}, the rule and the position in the text, and nothing of its content
     */
    public static @Nullable Object read(String field, String text, int maxBytes) {
        Given.value(field, text);
        if (text.length() > maxBytes || Unicode.utf8Length(text) > maxBytes) {
            throw new InvalidValueException(field, "be at most " + maxBytes + " bytes of UTF-8");
        }
        if (text.startsWith("\uFEFF")) {
            throw new InvalidValueException(field, "be JSON without a byte order mark");
        }
        try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), text)) {
            return new JsonText(field, parser).document();
        } catch (JacksonException e) {
            // Neither message nor cause: Jackson quotes what it does not understand.
            long at = e.getLocation() == null ? -1 : e.getLocation().getCharOffset();
            throw new InvalidValueException(
                    field, "be one JSON document" + (at < 0 ? "" : " (at character " + at + ")"));
        }
    }

    private @Nullable Object document() {
        if (parser.nextToken() == null) {
            throw refused("be one JSON document; it is empty");
        }
        Object tree = value();
        if (parser.nextToken() != null) {
            throw refused("be one JSON document; there is more after it");
        }
        return tree;
    }

    private @Nullable Object value() {
        return switch (parser.currentToken()) {
            case START_OBJECT -> object();
            case START_ARRAY -> array();
            case VALUE_STRING -> text(parser.getString());
            case VALUE_NUMBER_INT -> integer();
            case VALUE_NUMBER_FLOAT -> fraction();
            case VALUE_TRUE -> Boolean.TRUE;
            case VALUE_FALSE -> Boolean.FALSE;
            case VALUE_NULL -> null;
            default -> throw refused("be one JSON document");
        };
    }

    private Map<String, @Nullable Object> object() {
        Map<String, @Nullable Object> object = new LinkedHashMap<>();
        for (String key = parser.nextName(); key != null; key = parser.nextName()) {
            text(key);
            if (object.containsKey(key)) {
                throw refused("have no key twice in an object");
            }
            parser.nextToken();
            object.put(key, value());
        }
        return Collections.unmodifiableMap(object);
    }

    private List<@Nullable Object> array() {
        List<@Nullable Object> array = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            array.add(value());
        }
        return Collections.unmodifiableList(array);
    }

    private String text(String text) {
        if (Unicode.loneSurrogate(text) >= 0) {
            throw refused("hold no lone surrogate");
        }
        return text;
    }

    private Number integer() {
        return switch (parser.getNumberType()) {
            case INT, LONG -> parser.getLongValue();
            default -> {
                BigInteger integer = parser.getBigIntegerValue();
                if (isTooLong(integer)) {
                    throw refused(INTEGER_RULE);
                }
                yield integer;
            }
        };
    }

    static boolean isTooLong(BigInteger integer) {
        return integer.abs().compareTo(TOO_LONG) >= 0;
    }

    private Double fraction() {
        double value = parser.getDoubleValue();
        if (Double.isInfinite(value)) {
            throw refused("hold no number beyond the range of a double");
        }
        return value;
    }

    private InvalidValueException refused(String rule) {
        long at = parser.currentTokenLocation().getCharOffset();
        return new InvalidValueException(field, rule + " (at character " + at + ")");
    }
}
