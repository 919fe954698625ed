package io.holdfast.cleanup;

import io.holdfast.codec.Given;

/** How many rows are removed, or would be. */
public record Removed(int workflows, int keys, int leases) {

    public static final Removed NOTHING = new Removed(0, 0, 0);

    public int total() {
        return workflows + keys + leases;
    }

    public Removed plus(Removed more) {
        Given.value("more", more);
        return new Removed(workflows + more.workflows, keys + more.keys, leases + more.leases);
    }
}
