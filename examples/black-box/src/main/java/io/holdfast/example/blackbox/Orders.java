package io.holdfast.example.blackbox;

import java.util.List;
import java.util.Map;

/** The orders of one instance: requests that must succeed, as views. */
final class Orders {

    static final String ITEM = "shelf labels";
    static final long QUANTITY = 40;

    private final Instance instance;

    Orders(Instance instance) {
        this.instance = instance;
    }

    static String path(String id) {
        return "/api/orders/" + id;
    }

    static Map<String, Object> body(String id) {
        return Map.of("id", id, "item", ITEM, "quantity", QUANTITY);
    }

    View start(String id) {
        return View.of(instance.post("/api/orders", body(id)).expect(201));
    }

    View view(String id) {
        return View.of(instance.get(path(id)).expect(200));
    }

    View advance(String id) {
        return View.of(instance.post(path(id) + "/advance").expect(200));
    }

    List<View> list(String status) {
        return instance.get("/api/orders?status=" + status).expect(200).elements().stream()
                .map(View::of)
                .toList();
    }
}
