package io.holdfast.migrations;

/**
 * How another jar's component joins: {@link Components#installed} finds the provider as a service, by
 * {@code META-INF/services/io.holdfast.migrations.ComponentProvider} or by {@code provides} of a module.
 */
public interface ComponentProvider {

    /** The same each time. */
    Component component();
}
