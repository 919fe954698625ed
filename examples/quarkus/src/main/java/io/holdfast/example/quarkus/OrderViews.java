package io.holdfast.example.quarkus;

import io.holdfast.state.Snapshots;
import io.holdfast.state.WorkflowStatus;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.transaction.Transactional;
import java.util.List;

/** Reads orders and workflows together, as any two entities of a unit. */
@ApplicationScoped
@Transactional
public class OrderViews {

    // snippet: query
    // Columns, not the workflow's entity: a managed one would not see what Holdfast writes later in the transaction.
    private static final String VIEWS = """
            select o, w.status, w.revision, w.snapshot
              from PurchaseOrder o, HoldfastWorkflow w
             where w.key.scope = :scope and w.key.id = o.id and\
            """;
    // end

    @Inject
    EntityManager entityManager;

    @Inject
    EntityManagerFactory factory;

    public OrderView of(String id) {
        return entityManager
                .createQuery(VIEWS + " o.id = :id", Object[].class)
                .setParameter("scope", Steps.SCOPE.id())
                .setParameter("id", id)
                .getResultStream()
                .findFirst()
                .map(OrderViews::view)
                .orElseThrow(() -> Refused.notFound(id));
    }

    public List<OrderView> in(WorkflowStatus status) {
        return entityManager
                .createQuery(VIEWS + " w.status = :status order by o.id", Object[].class)
                .setParameter("scope", Steps.SCOPE.id())
                .setParameter("status", status.wire())
                .getResultList()
                .stream()
                .map(OrderViews::view)
                .toList();
    }

    public boolean isCached(String id) {
        return factory.getCache().contains(PurchaseOrder.class, id);
    }

    private static OrderView view(Object[] row) {
        PurchaseOrder order = (PurchaseOrder) row[0];
        String stage = Snapshots.read((String) row[3]).currentStage().orElse("");
        return new OrderView(
                order.getId(),
                order.getItem(),
                order.getQuantity(),
                order.getStage(),
                new OrderView.WorkflowView(WorkflowStatus.of((String) row[1]).name(), (long) row[2], stage));
    }
}
