package io.holdfast.example.spring;

import io.holdfast.lease.Lease;
import io.holdfast.lease.LeaseKey;
import io.holdfast.repository.Holdfast;
import io.holdfast.repository.Keeping;
import io.holdfast.repository.KeptLease;
import io.holdfast.repository.LeaseKeeper;
import io.holdfast.repository.Stores;
import jakarta.annotation.PreDestroy;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;

/** The leases that this instance holds, kept by its keeper. Over the facade that commits by itself. */
@Component
class LeaseDesk {

    private static final class Held {
        private final KeptLease lease;
        private Optional<Instant> end = Optional.empty();
        private int renewed;

        private Held(KeptLease lease) {
            this.lease = lease;
        }

        private synchronized int renewed(Lease stored) {
            if (end.isPresent() && stored.expiresAt().isAfter(end.get())) {
                renewed++;
            }
            end = Optional.of(stored.expiresAt());
            return renewed;
        }
    }

    /** @param renewed how often its end was seen to have moved */
    record Standing(boolean held, Optional<String> holder, Optional<Long> token, int renewed) {}

    private final Map<String, Held> held = new ConcurrentHashMap<>();
    private final LeaseKeeper keeper;
    private final Stores stores;
    private final String instance;

    LeaseDesk(LeaseKeeper keeper, Holdfast own, @Value("${instance}") String instance) {
        this.keeper = keeper;
        this.stores = own.in(HoldfastBeans.ORDERS);
        this.instance = instance;
    }

    // snippet: acquire
    Standing take(String workflowId, Duration ttl) {
        LeaseKey key = LeaseKey.ofWorkflow(workflowId);
        Keeping answer = keeper.acquire(stores, key, instance, ttl, lost -> forget(workflowId, lost));
        if (answer instanceof Keeping.Kept kept) {
            held.put(workflowId, new Held(kept.lease()));
        }
        return standing(workflowId);
    }
    // end

    private void forget(String workflowId, KeptLease lost) {
        Held here = held.get(workflowId);
        if (here != null && here.lease == lost) {
            held.remove(workflowId, here);
        }
    }

    Standing standing(String workflowId) {
        Optional<Lease> stored = stores.leases().find(LeaseKey.ofWorkflow(workflowId));
        Held here = held.get(workflowId);
        boolean ours = here != null && here.lease.isHeld();
        int renewed = here != null && stored.isPresent() ? here.renewed(stored.get()) : 0;
        return new Standing(
                ours,
                stored.map(lease -> lease.fence().owner()),
                stored.map(lease -> lease.fence().token()),
                renewed);
    }

    void release(String workflowId) {
        Held here = held.remove(workflowId);
        if (here != null) {
            here.lease.release();
        }
    }

    /** Before the keeper closes, so that others need not wait for the leases to expire. */
    @PreDestroy
    void releaseAll() {
        held.values().forEach(here -> here.lease.close());
    }
}
