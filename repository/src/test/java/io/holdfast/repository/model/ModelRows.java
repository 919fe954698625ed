package io.holdfast.repository.model;

import io.holdfast.lease.LeaseKey;
import io.holdfast.state.WorkflowState;
import java.util.Comparator;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What the tables hold of one scope. Rows are immutable, so a copy is cheap: a rollback is the copy from before. */
final class ModelRows {

    /** Times are microseconds since the beginning of the run. */
    record Flow(
            WorkflowState state,
            long revision,
            UUID incarnation,
            Map<String, String> labels,
            @Nullable String cancelReason,
            long created,
            long updated) {

        boolean isFinished() {
            return state.status().isTerminal();
        }
    }

    record Key(
            long reservation,
            String request,
            String workflow,
            @Nullable String outcome,
            @Nullable Long keep,
            long created,
            long updated,
            @Nullable Long expires) {

        boolean isOver(long now) {
            return expires != null && expires <= now;
        }
    }

    record Held(@Nullable String owner, long token, long ttl, long granted, long expires) {

        boolean isLive(long now) {
            return owner != null && expires > now;
        }

        Held renewed(long now) {
            return new Held(owner, token, ttl, granted, Math.max(expires, now + ttl));
        }

        Held released(long now) {
            return new Held(null, token, ttl, granted, Math.min(expires, now));
        }
    }

    private static final long NUMBERS_OF_A_ROW = 1_000_000;

    static final Comparator<LeaseKey> BY_KEY =
            Comparator.comparing(LeaseKey::kind).thenComparing(LeaseKey::id);

    final SortedMap<String, Flow> flows = new TreeMap<>();
    final SortedMap<String, Key> keys = new TreeMap<>();
    final SortedMap<LeaseKey, Held> leases = new TreeMap<>(BY_KEY);

    @Nullable
    Long floor;

    ModelRows copy() {
        ModelRows copy = new ModelRows();
        copy.flows.putAll(flows);
        copy.keys.putAll(keys);
        copy.leases.putAll(leases);
        copy.floor = floor;
        return copy;
    }

    /** Of the n-th key row that was ever made. */
    static long firstReservation(long row) {
        return row * NUMBERS_OF_A_ROW;
    }

    static boolean ofOneRow(long reservation, long other) {
        return reservation / NUMBERS_OF_A_ROW == other / NUMBERS_OF_A_ROW;
    }

    /** A reserved key does not lapse while its workflow is at work since before it expired. */
    boolean isKept(Key key, long now) {
        Held lease = leases.get(LeaseKey.ofWorkflow(key.workflow()));
        return key.outcome() == null
                && key.expires() != null
                && lease != null
                && lease.isLive(now)
                && lease.granted() < key.expires();
    }
}
