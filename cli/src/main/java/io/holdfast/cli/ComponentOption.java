package io.holdfast.cli;

import io.holdfast.migrations.Component;
import io.holdfast.migrations.Components;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Option;

/** Which components. */
final class ComponentOption {

    @Option(
            names = "--component",
            paramLabel = "NAME",
            description =
                    "Only this one, as core or operations; may be given several times. Without it: all of this jar.")
    private List<String> names = List.of();

    boolean isGiven() {
        return !names.isEmpty();
    }

    boolean isOne() {
        return names.size() == 1;
    }

    boolean includes(String name) {
        return names.isEmpty() || names.contains(name);
    }

    /** In the order in which they are migrated. */
    List<Component> of(Components components) {
        List<String> known = components.inOrder().stream().map(Component::name).toList();
        if (!known.containsAll(names)) {
            throw Refusal.usage("--component is one of " + String.join(", ", known));
        }
        return components.inOrder().stream()
                .filter(component -> includes(component.name()))
                .toList();
    }

    /** With those that they rely on. */
    Components withThoseReliedOn(Components components) {
        Set<String> wanted = new LinkedHashSet<>();
        of(components).forEach(component -> wanted.add(component.name()));
        for (boolean more = true; more; ) {
            more = false;
            for (Component component : components) {
                more |= wanted.contains(component.name()) && wanted.addAll(component.after());
            }
        }
        return Components.of(components.inOrder().stream()
                .filter(component -> wanted.contains(component.name()))
                .toArray(Component[]::new));
    }
}
