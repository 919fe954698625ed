package io.holdfast.example.blackbox;

/**
 * One thing that must hold.
 *
 * @param name as reports and {@code cannot} have it
 */
record Case(String name, Runnable body) {}
