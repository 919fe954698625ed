package io.holdfast.example.shared;

import java.io.Serializable;

/** Where to, kept as JSON, by the shop's own mapper. Serializable for the cache. */
public record Delivery(String streetName, String city, boolean leaveAtDoor) implements Serializable {}
