package io.holdfast.checkpoint;

/**
 * What a purge has removed.
 *
 * @param runs how many runs, each with all that belongs to it; the histories of as many were cut if entries were to be kept
 * @param entries how many entries of histories, those of the runs among them
 */
public record Purged(int runs, int entries) {}
