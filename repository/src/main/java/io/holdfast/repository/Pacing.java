package io.holdfast.repository;

import io.holdfast.cleanup.RetentionPace;
import java.time.Duration;

/**
 * How many rows the next batch has and how long it waits, by how long the one before took. What others do to the database, and
 * what clean-up does to them, both make a batch slow.
 */
final class Pacing {

    private final RetentionPace pace;
    private final int fewest;
    private int rows;

    Pacing(RetentionPace pace) {
        this.pace = pace;
        this.fewest = Math.max(1, pace.batch() / 4);
        this.rows = pace.batch();
    }

    /** Of the next batch. */
    int rows() {
        return rows;
    }

    /** Learns that a batch cannot be removed as a whole. */
    void halve() {
        rows = Math.max(1, rows / 2);
    }

    /** Before the same is tried again. */
    Duration pause() {
        return pace.pause();
    }

    /**
     * Learns how long a batch took.
     *
     * @param removed whether it removed anything; if not, only the time it took counts
     * @return how long to do nothing
     */
    Duration after(Duration took, boolean removed) {
        if (took.compareTo(pace.swift()) > 0) {
            rows = Math.max(Math.min(fewest, rows), rows / 2);
        } else if (took.multipliedBy(2).compareTo(pace.swift()) < 0) {
            rows = Math.min(pace.batch(), rows * 2);
        }
        Duration rest = took.multipliedBy(pace.rest());
        return removed && rest.compareTo(pace.pause()) < 0 ? pace.pause() : rest;
    }
}
