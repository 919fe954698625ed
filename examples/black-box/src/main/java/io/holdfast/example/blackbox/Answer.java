package io.holdfast.example.blackbox;

import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.MissingNode;

/** What came back, and how to complain about it. */
final class Answer {

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final int SHOWN = 300;

    private final String request;
    private final int status;
    private final String body;

    /** @param request as a report names it: method, path and instance */
    Answer(String request, int status, String body) {
        this.request = request;
        this.status = status;
        this.body = body;
    }

    int status() {
        return status;
    }

    Answer expect(int wanted) {
        if (status != wanted) {
            throw wrong("expected status " + wanted + ", was " + status);
        }
        return this;
    }

    boolean bool(String field) {
        JsonNode value = value(field);
        if (!value.isBoolean()) {
            throw wrong("expected " + field + " to be true or false, was " + shown(value));
        }
        return value.booleanValue();
    }

    long number(String field) {
        JsonNode value = value(field);
        if (!value.isIntegralNumber()) {
            throw wrong("expected " + field + " to be a whole number, was " + shown(value));
        }
        return value.longValue();
    }

    String text(String field) {
        JsonNode value = value(field);
        if (!value.isString()) {
            throw wrong("expected " + field + " to be text, was " + shown(value));
        }
        return value.stringValue();
    }

    <T> Answer expect(String field, T wanted, T was) {
        if (!wanted.equals(was)) {
            throw wrong("expected " + field + " to be " + wanted + ", was " + was);
        }
        return this;
    }

    /** The names and texts of an object. */
    java.util.Map<String, String> texts(String field) {
        JsonNode value = value(field);
        if (!value.isObject()) {
            throw wrong("expected " + field + " to be an object, was " + shown(value));
        }
        java.util.Map<String, String> texts = new java.util.TreeMap<>();
        value.properties()
                .forEach(entry -> texts.put(entry.getKey(), entry.getValue().asString("")));
        return texts;
    }

    boolean has(String field) {
        return !value(field).isMissingNode();
    }

    /** Of the objects of a list, the texts of that name. */
    List<String> values(String field, String name) {
        return value(field).values().stream()
                .map(node -> node.path(name).asString(""))
                .toList();
    }

    List<Answer> elements() {
        JsonNode json = json();
        if (!json.isArray()) {
            throw wrong("expected a list");
        }
        return json.values().stream()
                .map(node -> new Answer(request, status, node.toString()))
                .toList();
    }

    CaseFailure wrong(String what) {
        String shown = body.length() > SHOWN ? body.substring(0, SHOWN) + "..." : body;
        return new CaseFailure(request + ": " + what + "; the answer: "
                + (shown.isBlank() ? "(empty)" : shown.replaceAll("\\s+", " ")));
    }

    /** @param field a name, or several with dots between them */
    private JsonNode value(String field) {
        JsonNode node = json();
        for (String name : field.split("\\.")) {
            node = node.path(name);
        }
        return node;
    }

    private JsonNode json() {
        try {
            return body.isBlank() ? MissingNode.getInstance() : JSON.readTree(body);
        } catch (JacksonException e) {
            throw wrong("expected JSON");
        }
    }

    private static String shown(JsonNode value) {
        return value.isMissingNode() ? "missing" : value.toString();
    }
}
