package io.holdfast.example.quarkus;

import io.holdfast.lease.Lease;
import io.holdfast.lease.LeaseKey;
import io.holdfast.repository.Holdfast;
import io.holdfast.repository.Keeping;
import io.holdfast.repository.KeptLease;
import io.holdfast.repository.LeaseKeeper;
import io.quarkus.runtime.ShutdownEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The leases of this instance. They are kept until they are released, or the process ends. */
@ApplicationScoped
public class HeldLeases {

    /** What this instance is called: the owner of its leases. */
    static final String INSTANCE = System.getProperty("instance", "only");

    private final Map<String, KeptLease> held = new ConcurrentHashMap<>();

    @Inject
    LeaseKeeper keeper;

    @Inject
    @CommitsAlone
    Holdfast alone;

    /** Tries once. */
    public Optional<KeptLease> take(String id, Duration ttl) {
        Keeping answer = keeper.acquire(
                alone.in(Steps.SCOPE), LeaseKey.ofWorkflow(id), INSTANCE, ttl, lost -> held.remove(id, lost));
        if (!(answer instanceof Keeping.Kept kept)) {
            return Optional.empty();
        }
        held.put(id, kept.lease());
        return Optional.of(kept.lease());
    }

    public boolean holds(String id) {
        KeptLease lease = held.get(id);
        return lease != null && lease.isHeld();
    }

    /** Whoever holds it, as the database has it. */
    public Optional<Lease> stored(String id) {
        return alone.in(Steps.SCOPE).leases().find(LeaseKey.ofWorkflow(id));
    }

    public void release(String id) {
        KeptLease lease = held.remove(id);
        if (lease != null) {
            lease.close();
        }
    }

    // snippet: stop
    /** So that others need not wait for them to expire. The keeper closes after this, with the beans. */
    void releaseAll(@Observes ShutdownEvent event) {
        held.values().forEach(KeptLease::close);
    }
    // end
}
