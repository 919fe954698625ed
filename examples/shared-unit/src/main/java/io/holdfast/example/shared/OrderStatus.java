package io.holdfast.example.shared;

/** An order beside what its workflow says. */
public record OrderStatus(String order, String status, long revision) {}
