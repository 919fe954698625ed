package io.holdfast.migrations;

import io.holdfast.failure.InvalidValueException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.TreeMap;

/** Components that are migrated together, each after those that it relies on, and by name where that leaves a choice. */
public final class Components implements Iterable<Component> {

    private final List<Component> inOrder;

    private Components(List<Component> inOrder) {
        this.inOrder = inOrder;
    }

    /**
     * @throws InvalidValueException if two have one name, if one relies on a component that is not here, or if they rely on
     *     each other in a circle
     */
    public static Components of(Component... components) {
        return of(List.of(components));
    }

    /** Those of Holdfast's own stores: what opening a facade needs. */
    public static Components own() {
        return of(OwnComponents.ALL);
    }

    /** {@link #own} and every component that a {@link ComponentProvider} brings; from the thread's class loader. */
    public static Components installed() {
        return installed(Thread.currentThread().getContextClassLoader());
    }

    public static Components installed(ClassLoader loader) {
        List<Component> found = new ArrayList<>(OwnComponents.ALL);
        ServiceLoader.load(ComponentProvider.class, loader).forEach(provider -> found.add(provider.component()));
        return of(found);
    }

    private static Components of(Collection<Component> components) {
        Map<String, Component> left = new TreeMap<>();
        for (Component component : components) {
            if (left.put(component.name(), component) != null) {
                throw new InvalidValueException(
                        "components", "have each name once, not " + component.name() + " twice");
            }
        }
        requireThoseReliedOn(left);
        Map<String, Component> done = new LinkedHashMap<>();
        while (!left.isEmpty()) {
            Component next = left.values().stream()
                    .filter(component -> done.keySet().containsAll(component.after()))
                    .findFirst()
                    .orElseThrow(() -> new InvalidValueException(
                            "components", "not rely on each other in a circle: " + String.join(", ", left.keySet())));
            done.put(next.name(), next);
            left.remove(next.name());
        }
        return new Components(List.copyOf(done.values()));
    }

    private static void requireThoseReliedOn(Map<String, Component> all) {
        for (Component component : all.values()) {
            for (String other : component.after()) {
                if (!all.containsKey(other)) {
                    throw new InvalidValueException(
                            "components", "include " + other + ", which " + component.name() + " relies on");
                }
            }
        }
    }

    @Override
    public Iterator<Component> iterator() {
        return inOrder.iterator();
    }

    /** In the order in which they are migrated. */
    public List<Component> inOrder() {
        return inOrder;
    }

    /** The names. */
    @Override
    public String toString() {
        return inOrder.toString();
    }
}
