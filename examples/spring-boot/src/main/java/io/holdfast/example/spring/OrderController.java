package io.holdfast.example.spring;

import io.holdfast.failure.InvalidValueException;
import io.holdfast.lease.Fence;
import io.holdfast.state.WorkflowStatus;
import jakarta.persistence.EntityManagerFactory;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

@RestController
@RequestMapping("/api/orders")
class OrderController {

    record NewOrder(String id, String item, int quantity) {}

    record Reason(String reason) {}

    private final OrderService orders;
    private final Trials trials;
    private final EntityManagerFactory factory;
    private final String instance;

    OrderController(
            OrderService orders, Trials trials, EntityManagerFactory factory, @Value("${instance}") String instance) {
        this.orders = orders;
        this.trials = trials;
        this.factory = factory;
        this.instance = instance;
    }

    @PostMapping
    @ResponseStatus(HttpStatus.CREATED)
    OrderView start(@RequestBody NewOrder order, @RequestParam(name = "break", defaultValue = "") String end) {
        return ending(end, () -> orders.start(order.id(), order.item(), order.quantity()));
    }

    @GetMapping
    List<OrderView> list(@RequestParam WorkflowStatus status) {
        return orders.list(status);
    }

    @GetMapping("/{id}")
    OrderView find(@PathVariable String id) {
        return orders.find(id);
    }

    @PostMapping("/{id}/advance")
    OrderView advance(
            @PathVariable String id,
            @RequestParam(required = false) @Nullable Long expect,
            @RequestParam(name = "break", defaultValue = "") String end) {
        OptionalLong expected = expect == null ? OptionalLong.empty() : OptionalLong.of(expect);
        return ending(end, () -> orders.advance(id, expected));
    }

    @PostMapping("/{id}/fail")
    OrderView fail(@PathVariable String id, @RequestBody Reason reason) {
        return orders.fail(id, reason.reason());
    }

    @PostMapping("/{id}/work")
    OrderView work(@PathVariable String id, @RequestParam String key, @RequestParam long token) {
        if (!key.equals(id)) {
            throw new InvalidValueException("key", "be the id of the order");
        }
        return orders.work(id, new Fence(instance, token));
    }

    @PostMapping("/{id}/nested")
    OrderView nested(@PathVariable String id) {
        trials.nested(id);
        return orders.find(id);
    }

    @PostMapping("/{id}/dirty")
    Trials.Dirty dirty(@PathVariable String id) {
        return trials.dirty(id);
    }

    @GetMapping("/{id}/cached")
    Map<String, Boolean> cached(@PathVariable String id) {
        return Map.of("cached", factory.getCache().contains(PurchaseOrder.class, id));
    }

    private OrderView ending(String end, Supplier<OrderView> work) {
        if (!end.equals("after")) {
            return work.get();
        }
        return trials.breakAfter(work);
    }
}
