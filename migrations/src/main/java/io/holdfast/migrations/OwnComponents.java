package io.holdfast.migrations;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;

/** The components of Holdfast's own stores, from the library's jar. */
final class OwnComponents {

    static final Component CORE = of("core", "V1__workflows_keys_leases.sql");

    static final Component EXECUTION = of(
                    "execution",
                    "V1__execution_journal.sql",
                    "V2__approvals.sql",
                    "V3__agent_checkpoints.sql",
                    "V4__checkpoints.sql")
            .after("core");

    static final Component RUNS = of("runs", "V1__runs_sessions.sql");

    /** What opening a facade needs, all of it: the entities are one persistence unit. */
    static final List<Component> ALL = List.of(CORE, EXECUTION, RUNS);

    private OwnComponents() {}

    private static Component of(String name, String... files) {
        return Component.of(name, Stream.of(files).map(file -> read(name, file)).toArray(Migration[]::new));
    }

    /** By listed names from the library's own class loader: scanning the class path fails on some servers. */
    private static Migration read(String component, String file) {
        try (InputStream text = OwnComponents.class.getResourceAsStream(component + "/" + file)) {
            if (text == null) {
                throw new IllegalStateException("not in the library's jar: " + file);
            }
            return Migration.of(file, new String(text.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
