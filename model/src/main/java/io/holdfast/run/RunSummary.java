package io.holdfast.run;

import java.time.Instant;

/** A line of a list: a run without its payloads. */
public record RunSummary(String id, String status, long revision, long lastSeq, Instant createdAt, Instant updatedAt) {}
