package io.holdfast.example.shared;

import io.holdfast.Scope;
import io.holdfast.codec.Fingerprint;
import io.holdfast.lease.LeaseKey;
import io.holdfast.repository.Holdfast;
import io.holdfast.repository.Keeping;
import io.holdfast.repository.KeptLease;
import io.holdfast.repository.LeaseKeeper;
import io.holdfast.repository.Settings;
import io.holdfast.repository.Stores;
import io.holdfast.state.WorkflowRules;
import io.holdfast.state.WorkflowState;
import io.holdfast.state.WorkflowStatus;
import io.holdfast.step.Finished;
import io.holdfast.step.Step;
import io.holdfast.step.StepResult;
import io.holdfast.step.StepResult.LeaseAfter;
import io.holdfast.workflow.Creation;
import io.holdfast.workflow.Workflow;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import javax.sql.DataSource;

/**
 * What the shop does for a tenant, each time an order's row and its workflow together: in one transaction, under the tenant's
 * scope.
 */
final class Shop implements AutoCloseable {

    private static final Duration TTL = Duration.ofSeconds(60);

    private final EntityManagerFactory unit;
    private final Tenants tenants;
    private final InstantSource clock;
    private final Holdfast heartbeats;
    private final LeaseKeeper keeper;

    /** @param heartbeats commits by itself, over connections that business transactions cannot take */
    Shop(EntityManagerFactory unit, Tenants tenants, InstantSource clock, Holdfast heartbeats) {
        this.unit = unit;
        this.tenants = tenants;
        this.clock = clock;
        this.heartbeats = heartbeats;
        this.keeper = LeaseKeeper.over(heartbeats);
    }

    // snippet: heartbeats
    /**
     * What the shop is given to lease and renew with.
     *
     * @param pool small, and for this alone
     * @param schema of Holdfast's tables: over a pool it does not see the unit's mapping
     */
    static Holdfast heartbeats(DataSource pool, String schema) {
        return Holdfast.open(pool, Settings.DEFAULT.withSchema(schema));
    }
    // end

    // snippet: business-transaction
    /** In a transaction of the shop's own: what {@code work} writes through either argument happens, or nothing. */
    <R> R business(String tenant, BiFunction<EntityManager, Stores, R> work) {
        return tenants.as(
                tenant,
                () -> unit.callInTransaction(
                        em -> work.apply(em, Holdfast.joining(em).in(Scope.of(tenant)))));
    }

    void place(String tenant, String order, String sku, Delivery delivery) {
        business(tenant, (em, stores) -> placeIn(em, stores, order, sku, delivery));
    }

    Creation placeIn(EntityManager em, Stores stores, String order, String sku, Delivery delivery) {
        em.persist(new PurchaseOrder(order, em.find(Product.class, sku), clock.instant(), delivery));
        return require(Creation.Created.class, stores.workflows().create(running(order), Map.of("sku", sku)));
    }
    // end

    // snippet: step
    /** @return whether it was for this worker to ship: not if another is at it */
    boolean ship(String tenant, String order, String worker) {
        Stores own = heartbeats.in(Scope.of(tenant));
        Keeping answer = keeper.acquire(own, LeaseKey.ofWorkflow(order), worker, TTL, lost -> {});
        if (!(answer instanceof Keeping.Kept kept)) {
            return false;
        }
        try (KeptLease lease = kept.lease()) {
            return business(tenant, (em, stores) -> {
                Workflow read = stores.workflows().find(order).orElseThrow();
                em.find(PurchaseOrder.class, order).ship(clock.instant());
                WorkflowState shipped =
                        WorkflowRules.transition(read.state(), WorkflowStatus.SUCCEEDED, "shipped", clock.instant());
                StepResult result = new StepResult(read, shipped, Fingerprint.ofText("shipped"), LeaseAfter.KEEP);
                Step step = new Step(order, order + ":ship", order);
                require(Finished.Done.class, stores.steps().step(step, result, lease.fence()));
                return true;
            });
        }
    }
    // end

    // snippet: query
    /** The tenant's orders and how far their workflows are: one query over both. */
    List<OrderStatus> orders(String tenant) {
        return business(
                tenant,
                (em, stores) -> em.createQuery("""
                        select new io.holdfast.example.shared.OrderStatus(o.id, w.status, w.revision)
                          from PurchaseOrder o join HoldfastWorkflow w on w.key.scope = :tenant and w.key.id = o.id
                         order by o.id
                        """, OrderStatus.class)
                        .setParameter("tenant", tenant)
                        .getResultList());
    }
    // end

    private static WorkflowState running(String order) {
        return WorkflowState.builder(order, order)
                .status(WorkflowStatus.RUNNING)
                .attempts(1)
                .currentStage("ship")
                .build();
    }

    /** Every other answer ends the transaction: the caller hears which it was. */
    private static <A> A require(Class<A> wanted, Object answer) {
        if (!wanted.isInstance(answer)) {
            throw new Refused(answer);
        }
        return wanted.cast(answer);
    }

    /** A race that was lost, or an order that is there already. */
    static final class Refused extends RuntimeException {

        private static final long serialVersionUID = 1L;

        Refused(Object answer) {
            super(answer.getClass().getSimpleName());
        }
    }

    /** Closes the keeper; unit and facade are for whoever made them to close. */
    @Override
    public void close() {
        keeper.close();
    }
}
