package io.holdfast.example.quarkus;

import io.holdfast.failure.InvalidValueException;
import io.holdfast.lease.Fence;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.persistence.CacheRetrieveMode;
import jakarta.persistence.EntityManager;
import jakarta.persistence.FlushModeType;
import jakarta.transaction.TransactionSynchronizationRegistry;
import jakarta.transaction.Transactional;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** The business transactions: each writes the order's row and the workflow's, or neither. */
@ApplicationScoped
@Transactional
public class Orders {

    private static final int MAX_QUANTITY = 1_000;

    /** This instance's cache does not hear of what the other instance writes. */
    private static final Map<String, Object> PAST_THE_CACHE =
            Map.of("jakarta.persistence.cache.retrieveMode", CacheRetrieveMode.BYPASS);

    @Inject
    EntityManager entityManager;

    @Inject
    Steps steps;

    @Inject
    TransactionSynchronizationRegistry transaction;

    /** What is written when the client wants to see both rows rolled back. */
    static final class Broken extends RuntimeException {

        private static final long serialVersionUID = 1L;

        Broken() {
            super("broken after both writes, as was asked for");
        }
    }

    /** How an order stood after a write through Holdfast, before its own change was flushed. */
    public record Dirty(boolean flushedEarly, boolean managed, String item) {}

    public void start(NewOrder order, boolean breaks) {
        if (order.quantity() < 1 || order.quantity() > MAX_QUANTITY) {
            throw new InvalidValueException("quantity", "be 1 to " + MAX_QUANTITY);
        }
        String stage = steps.start(order.id());
        entityManager.persist(new PurchaseOrder(order.id(), order.item(), order.quantity(), stage));
        breakIf(breaks);
    }

    // snippet: business-transaction
    public void advance(String id, OptionalLong expected, boolean breaks) {
        String stage = steps.advance(id, expected); // waits for a rival's commit; so the order is read after it
        order(id).moveTo(stage);
        breakIf(breaks);
    }
    // end

    public void work(String id, Fence fence) {
        order(id).moveTo(steps.advance(id, fence));
    }

    public void fail(String id, String reason) {
        steps.fail(id, reason);
    }

    /** The order's change is rolled back, the workflow's is not. */
    public void nested(String id) {
        order(id).change("never seen");
        entityManager.flush();
        steps.advanceAlone(id);
        transaction.setRollbackOnly();
    }

    /** Changes an order, and before that is flushed, its workflow. */
    public Dirty dirty(String id) {
        PurchaseOrder order = order(id);
        String before = order.getItem();
        order.change(before + ", wrapped");
        steps.advance(id, OptionalLong.empty());
        Object stored = entityManager
                .createNativeQuery("select item from purchase_order where id = :id", String.class)
                .setParameter("id", id)
                .setFlushMode(FlushModeType.COMMIT)
                .getSingleResult();
        return new Dirty(!before.equals(stored), entityManager.contains(order), order.getItem());
    }

    private PurchaseOrder order(String id) {
        return Optional.ofNullable(entityManager.find(PurchaseOrder.class, id, PAST_THE_CACHE))
                .orElseThrow(() -> Refused.notFound(id));
    }

    private static void breakIf(boolean breaks) {
        if (breaks) {
            throw new Broken();
        }
    }
}
