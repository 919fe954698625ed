package io.holdfast.cleanup;

/** How many rows a pass has removed. */
public record Removed(int workflows, int keys, int leases) {

    public int total() {
        return workflows + keys + leases;
    }
}
