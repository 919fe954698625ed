package io.holdfast.example.plain;

import io.holdfast.failure.InvalidValueException;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Orders in lines of JSON. A line that is not one is refused with its number, the others stand.
 *
 * @param orders by request, in the order of the file
 * @param repeats numbers of the lines that are a former line again
 * @param refused lines that are no orders
 */
record OrderFile(Map<String, Order> orders, List<Integer> repeats, List<RefusedLine> refused) {

    /** The most orders of one run, so that it stays a demonstration. */
    static final int MAX_ORDERS = 500;

    static final int MAX_LINE_BYTES = 8_192;

    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    record RefusedLine(int number, String reason) {}

    static OrderFile read(InputStream stream) throws IOException {
        var file = new OrderFile(new LinkedHashMap<>(), new ArrayList<>(), new ArrayList<>());
        var in = new BufferedInputStream(stream);
        var line = new ByteArrayOutputStream();
        int number = 1;
        for (int next = in.read(); ; next = in.read()) {
            if (next != '\n' && next != -1) {
                if (line.size() <= MAX_LINE_BYTES) { // what comes after is not kept: the line is refused anyway
                    line.write(next);
                }
                continue;
            }
            file.take(number++, line.toByteArray());
            line.reset();
            if (next == -1) {
                return file;
            }
        }
    }

    private void take(int number, byte[] bytes) {
        try {
            String text = text(bytes);
            if (text.isBlank()) {
                return;
            }
            Order order = order(text);
            Order former = orders.get(order.request());
            if (order.equals(former)) {
                repeats.add(number);
            } else if (former != null) {
                refused.add(new RefusedLine(number, "request is that of another line with other content"));
            } else if (orders.size() == MAX_ORDERS) {
                refused.add(new RefusedLine(number, "this run has " + MAX_ORDERS + " orders already"));
            } else {
                orders.put(order.request(), order);
            }
        } catch (InvalidValueException e) {
            refused.add(new RefusedLine(number, String.valueOf(e.getMessage())));
        }
    }

    private static String text(byte[] bytes) {
        if (bytes.length > MAX_LINE_BYTES) {
            throw new InvalidValueException("line", "be at most " + MAX_LINE_BYTES + " bytes");
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new InvalidValueException("line", "be UTF-8");
        }
    }

    private static Order order(String text) {
        JsonNode line;
        try {
            line = JSON.readTree(text);
        } catch (JacksonException e) {
            throw new InvalidValueException("line", "be one JSON object (" + where(e) + ")");
        }
        if (!line.isObject()) {
            throw new InvalidValueException("line", "be a JSON object");
        }
        for (String name : line.propertyNames()) {
            if (!List.of("request", "customer", "item", "amount").contains(name)) {
                throw new InvalidValueException("line", "have request, customer, item and amount, and nothing else");
            }
        }
        return new Order(string(line, "request"), string(line, "customer"), string(line, "item"), amount(line));
    }

    private static String where(JacksonException e) {
        return e.getLocation() == null
                ? "unreadable"
                : "unreadable at column " + e.getLocation().getColumnNr();
    }

    private static String string(JsonNode line, String field) {
        JsonNode value = line.path(field);
        if (!value.isString()) {
            throw new InvalidValueException(field, "be given, as a string");
        }
        return value.asString();
    }

    private static BigDecimal amount(JsonNode line) {
        String text = string(line, "amount");
        if (!text.matches("[0-9]{1,7}(\\.[0-9]{1,2})?")) {
            throw new InvalidValueException("amount", "be a decimal number in a string, such as \"19.90\"");
        }
        return new BigDecimal(text);
    }
}
