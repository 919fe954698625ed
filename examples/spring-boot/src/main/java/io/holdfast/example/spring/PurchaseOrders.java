package io.holdfast.example.spring;

import java.util.List;
import java.util.Optional;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.Query;

interface PurchaseOrders extends JpaRepository<PurchaseOrder, String> {

    /** From the database: this instance's cache does not know what another instance has written. */
    @Query("select o from PurchaseOrder o where o.id = :id")
    Optional<PurchaseOrder> fresh(String id);

    // snippet: list
    @Query("""
            select new io.holdfast.example.spring.ListedOrder(o, w.status, w.revision, w.snapshot)
              from PurchaseOrder o
              join HoldfastWorkflow w on w.key.scope = :scope and w.key.id = o.id
             where w.status = :status
             order by o.id
            """)
    List<ListedOrder> withWorkflowIn(String scope, String status);
    // end
}
