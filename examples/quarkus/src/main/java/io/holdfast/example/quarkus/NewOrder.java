package io.holdfast.example.quarkus;

/** An order as a client sends it. */
public record NewOrder(String id, String item, int quantity) {}
