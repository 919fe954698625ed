package io.holdfast.checkpoint;

import java.util.Optional;

/**
 * Which definition a run follows, and which it began with.
 *
 * @param startedVersion the version in the first entry of its history; empty if it has none, or as long as there is no entry
 */
public record RunIdentity(Definition definition, Optional<String> startedVersion) {}
