package io.holdfast.cli;

import io.holdfast.migrations.Component;
import io.holdfast.migrations.ComponentProvider;
import io.holdfast.migrations.Migration;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Component {@code operations}: what operators did, in table {@code operator_action}. */
public final class OperationsComponent implements ComponentProvider {

    private static final String FILE = "V1__operator_actions.sql";

    static final Component COMPONENT =
            Component.of("operations", read()).after(Component.core().name());

    /** For {@link java.util.ServiceLoader}. */
    public OperationsComponent() {}

    @Override
    public Component component() {
        return COMPONENT;
    }

    private static Migration read() {
        try (InputStream text = OperationsComponent.class.getResourceAsStream(FILE)) {
            if (text == null) {
                throw new IllegalStateException("not in the jar: " + FILE);
            }
            return Migration.of(FILE, new String(text.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
