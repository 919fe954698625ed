package io.holdfast.example.spring;

import io.holdfast.lease.Fence;
import io.holdfast.repository.Holdfast;
import io.holdfast.state.WorkflowStatus;
import io.holdfast.workflow.Creation;
import io.holdfast.workflow.Update;
import io.holdfast.workflow.Workflow;
import io.holdfast.workflow.Workflows;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Orders: each method is one transaction, of the application's row and Holdfast's. */
@Service
class OrderService {

    // snippet: stores
    private final PurchaseOrders orders;
    private final Workflows workflows;

    OrderService(PurchaseOrders orders, Holdfast joining) {
        this.orders = orders;
        this.workflows = joining.in(HoldfastBeans.ORDERS).workflows();
    }
    // end

    // snippet: start
    @Transactional
    public OrderView start(String id, String item, int quantity) {
        if (!(workflows.create(Moves.first(id), Map.of()) instanceof Creation.Created created)) {
            throw new OrderConflict("the order is there already");
        }
        PurchaseOrder order = new PurchaseOrder(id, item, quantity, Moves.stage(created.workflow()));
        return OrderView.of(orders.save(order), created.workflow());
    }
    // end

    @Transactional(readOnly = true)
    public OrderView find(String id) {
        return OrderView.of(order(id), workflow(id));
    }

    @Transactional(readOnly = true)
    public List<OrderView> list(WorkflowStatus status) {
        return orders.withWorkflowIn(HoldfastBeans.ORDERS.id(), status.wire()).stream()
                .map(OrderView::of)
                .toList();
    }

    // snippet: advance
    /** @param expected the revision that the client has seen, if it cares */
    @RetryWhenRetryable
    @Transactional
    public OrderView advance(String id, OptionalLong expected) {
        Workflow read = workflow(id);
        if (expected.isPresent() && expected.getAsLong() != read.revision()) {
            throw new OrderConflict("the workflow is at revision " + read.revision());
        }
        return moved(workflows.update(read, Moves.next(read)));
    }

    private OrderView moved(Update answer) {
        if (!(answer instanceof Update.Updated updated)) { // lost a race: nothing is written, the transaction is usable
            throw new OrderConflict(
                    "the workflow did not move: " + answer.getClass().getSimpleName());
        }
        PurchaseOrder order = order(updated.workflow().id());
        order.moveTo(Moves.stage(updated.workflow()));
        return OrderView.of(order, updated.workflow());
    }
    // end

    /** For who has the workflow's lease. */
    @Transactional
    public OrderView work(String id, Fence fence) {
        Workflow read = workflow(id);
        return moved(workflows.updateFenced(read, Moves.next(read), fence));
    }

    @Transactional
    public OrderView fail(String id, String reason) {
        Workflow read = workflow(id);
        Update answer = workflows.update(read, Moves.failed(read, reason));
        if (!(answer instanceof Update.Updated updated)) {
            throw new OrderConflict(
                    "the workflow did not fail: " + answer.getClass().getSimpleName());
        }
        return OrderView.of(order(id), updated.workflow());
    }

    private PurchaseOrder order(String id) {
        return orders.fresh(id).orElseThrow(NoSuchOrder::new);
    }

    private Workflow workflow(String id) {
        return workflows.find(id).orElseThrow(NoSuchOrder::new);
    }
}
