package io.holdfast.example.spring;

import java.util.List;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.Query;

interface PurchaseOrders extends JpaRepository<PurchaseOrder, String> {

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
