package io.holdfast.example.spring;

import io.holdfast.repository.Holdfast;
import io.holdfast.workflow.Update;
import io.holdfast.workflow.Workflow;
import io.holdfast.workflow.Workflows;
import jakarta.persistence.EntityManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.util.function.Supplier;
import org.hibernate.Session;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.interceptor.TransactionInterceptor;

/** What an application would not do: transactions that end badly, or are looked into while they run. */
@Service
class Trials {

    /** Thrown after everything was written. */
    static final class Broken extends RuntimeException {

        private static final long serialVersionUID = 1L;

        Broken(Object lost) {
            super("broken on purpose, after " + lost.getClass().getSimpleName());
        }
    }

    record Dirty(boolean flushedEarly, boolean managed, String item) {}

    /** The inner transaction. A bean, since a call to a method of one's own passes no proxy. */
    @Service
    static class Inner {

        private final Workflows workflows;

        Inner(Holdfast joining) {
            this.workflows = joining.in(HoldfastBeans.ORDERS).workflows();
        }

        // snippet: requires-new
        @Transactional(propagation = Propagation.REQUIRES_NEW)
        public Update advanceAlone(String id) {
            Workflow read = workflows.find(id).orElseThrow(NoSuchOrder::new);
            return workflows.update(read, Moves.next(read));
        }
        // end

        @Transactional(propagation = Propagation.NESTED)
        public Update advanceNested(String id) {
            return advanceAlone(id);
        }
    }

    private final PurchaseOrders orders;
    private final Workflows workflows;
    private final EntityManager entityManager;
    private final Inner inner;

    Trials(PurchaseOrders orders, Holdfast joining, EntityManager entityManager, Inner inner) {
        this.orders = orders;
        this.workflows = joining.in(HoldfastBeans.ORDERS).workflows();
        this.entityManager = entityManager;
        this.inner = inner;
    }

    @Transactional
    public <R extends Object> R breakAfter(Supplier<R> work) {
        R lost = work.get();
        throw new Broken(lost);
    }

    /** The outer transaction changes the row and is rolled back; the inner one has committed by then. */
    @Transactional
    public void nested(String id) {
        PurchaseOrder order = orders.fresh(id).orElseThrow(NoSuchOrder::new);
        order.changeItem("never to be seen");
        order.moveTo("never");
        orders.flush();
        inner.advanceAlone(id);
        TransactionInterceptor.currentTransactionStatus().setRollbackOnly();
    }

    /** Looks, after a write of Holdfast's, whether an entity that had been changed still waits to be flushed. */
    @Transactional
    public Dirty dirty(String id) {
        PurchaseOrder order = orders.fresh(id).orElseThrow(NoSuchOrder::new);
        String before = order.getItem();
        order.changeItem(before + ", changed");
        Workflow read = workflows.find(id).orElseThrow(NoSuchOrder::new);
        if (!(workflows.update(read, Moves.next(read)) instanceof Update.Updated)) {
            throw new OrderConflict("the workflow did not move");
        }
        return new Dirty(!stored(id).equals(before), entityManager.contains(order), order.getItem());
    }

    /** On the transaction's connection, past Hibernate, which would flush before a query. */
    private String stored(String id) {
        return entityManager.unwrap(Session.class).doReturningWork(connection -> {
            try (PreparedStatement select =
                    connection.prepareStatement("select item from purchase_order where id = ?")) {
                select.setString(1, id);
                try (ResultSet row = select.executeQuery()) {
                    return row.next() ? row.getString(1) : "";
                }
            }
        });
    }
}
