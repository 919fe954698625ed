package io.holdfast.cli;

import io.holdfast.migrations.Migrator;
import io.holdfast.migrations.SchemaStatus;
import java.time.InstantSource;
import java.util.Map;

/**
 * What checks know beside their transaction.
 *
 * @param clock this machine's
 * @param schemas how the components stand; empty if this role may not see that
 */
record Examination(InstantSource clock, Migrator migrator, Map<String, SchemaStatus> schemas) {

    boolean hasTables() {
        SchemaStatus core = schemas.get("core");
        return core != null && core.works();
    }
}
