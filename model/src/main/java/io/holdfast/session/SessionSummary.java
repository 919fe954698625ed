package io.holdfast.session;

import java.time.Instant;

/** A line of a list: a session without its messages. */
public record SessionSummary(String id, long revision, long messageCount, Instant createdAt, Instant updatedAt) {}
