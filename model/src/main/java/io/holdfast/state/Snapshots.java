package io.holdfast.state;

/**
 * A state as the text it is stored as, and back.
 */
public final class Snapshots {

    /** The longest snapshot, in bytes of UTF-8: 1 MiB. */
    public static final int MAX_BYTES = 1 << 20;

    private Snapshots() {}

    /**
     * The snapshot of {@code state}.
     *
     * @throws io.holdfast.failure.InvalidValueException naming {@code snapshot} if it is longer than {@link #MAX_BYTES}
     */
    public static String write(WorkflowState state) {
        throw new UnsupportedOperationException();
    }

    /**
     * The state that {@code snapshot} holds.
     *
     * @throws InvalidSnapshotException if it is not a snapshot, or one of an unknown version
     */
    public static WorkflowState read(String snapshot) {
        throw new UnsupportedOperationException();
    }
}
