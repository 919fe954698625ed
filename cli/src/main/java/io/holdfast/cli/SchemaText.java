package io.holdfast.cli;

import io.holdfast.migrations.SchemaStatus;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** How a schema stands, in words. */
final class SchemaText {

    private SchemaText() {}

    /** One stable word. */
    static String name(SchemaStatus status) {
        return status.getClass().getSimpleName().toLowerCase(Locale.ROOT);
    }

    static @Nullable Integer version(SchemaStatus status) {
        if (status instanceof SchemaStatus.Current current) {
            return current.version();
        }
        if (status instanceof SchemaStatus.Pending pending) {
            return pending.current();
        }
        if (status instanceof SchemaStatus.Ahead ahead) {
            return ahead.found();
        }
        return status instanceof SchemaStatus.Newer newer ? newer.found() : null;
    }

    static String says(SchemaStatus status) {
        if (status instanceof SchemaStatus.Current) {
            return "as this release needs it";
        }
        if (status instanceof SchemaStatus.Ahead) {
            return "made by a newer release, which says that this one works with it";
        }
        if (status instanceof SchemaStatus.Missing) {
            return "never migrated here: holdfast db migrate";
        }
        if (status instanceof SchemaStatus.Pending) {
            return "made by an older release: holdfast db migrate";
        }
        if (status instanceof SchemaStatus.Newer) {
            return "made by a newer release: use that one's command line and library";
        }
        if (status instanceof SchemaStatus.Damaged damaged) {
            String fault = damaged.fault().name().toLowerCase(Locale.ROOT).replace('_', ' ');
            return "not as any release left it, " + fault + " (" + Cell.safe(damaged.detail())
                    + "): restore it, or name another schema";
        }
        return "has a history here, but is none of this jar's: of a newer release, or of an application";
    }
}
