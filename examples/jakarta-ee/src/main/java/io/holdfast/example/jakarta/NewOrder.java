package io.holdfast.example.jakarta;

/** An order as a client sends it. */
public record NewOrder(String id, String item, int quantity) {}
