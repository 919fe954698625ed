package io.holdfast.migrations;

import io.holdfast.migrations.SchemaStatus.Damaged;
import io.holdfast.migrations.SchemaStatus.Fault;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Decides from what is recorded how a schema stands to a component. */
final class Judgement {

    private static final Pattern VERSION = Pattern.compile("[1-9][0-9]{0,8}");

    private final Component component;
    private final RecordedSchema recorded;

    private Judgement(Component component, RecordedSchema recorded) {
        this.component = component;
        this.recorded = recorded;
    }

    static SchemaStatus of(Component component, RecordedSchema recorded) {
        return new Judgement(component, recorded).status();
    }

    private SchemaStatus status() {
        if (recorded.history() && !recorded.known()) {
            return new Damaged(Fault.HISTORY_UNREADABLE, component.historyTable() + " has other columns");
        }
        List<RecordedSchema.Entry> applied =
                recorded.entries().stream().filter(Judgement::isMigration).toList();
        SchemaStatus unreadable = firstUnreadable(applied);
        if (unreadable != null) {
            return unreadable;
        }
        // Newer before anything else is looked at: this release cannot know what a newer one changed.
        int newest = applied.stream().mapToInt(Judgement::version).max().orElse(0);
        if (newest > component.version()) {
            return Component.worksWith(recorded.comment(), newest) <= component.version()
                    ? new SchemaStatus.Ahead(newest, component.version())
                    : new SchemaStatus.Newer(newest, component.version());
        }
        SchemaStatus changed = firstChanged(applied);
        return changed != null ? changed : byWhatIsThere(newest);
    }

    private SchemaStatus byWhatIsThere(int newest) {
        String gone = join(component.madeFrom(0, newest), recorded.made(), false);
        if (!gone.isEmpty()) {
            return new Damaged(Fault.TABLES_MISSING, gone);
        }
        String taken = join(component.madeFrom(newest, component.version()), recorded.taken(), true);
        if (!taken.isEmpty()) {
            return new Damaged(Fault.NAMES_TAKEN, taken);
        }
        if (newest == 0) {
            return new SchemaStatus.Missing();
        }
        return newest == component.version()
                ? new SchemaStatus.Current(newest)
                : new SchemaStatus.Pending(newest, component.version());
    }

    private @Nullable SchemaStatus firstUnreadable(List<RecordedSchema.Entry> applied) {
        for (RecordedSchema.Entry entry : applied) {
            if (entry.version() == null || !VERSION.matcher(entry.version()).matches()) {
                // What stands there is somebody's text: it is not repeated.
                return new Damaged(
                        Fault.HISTORY_UNREADABLE, component.historyTable() + " has a version that is no number");
            }
            if (!entry.success()) {
                return new Damaged(Fault.MIGRATION_FAILED, "version " + entry.version());
            }
        }
        return null;
    }

    private @Nullable SchemaStatus firstChanged(List<RecordedSchema.Entry> applied) {
        for (int i = 0; i < applied.size(); i++) {
            RecordedSchema.Entry entry = applied.get(i);
            if (version(entry) != i + 1) {
                return new Damaged(Fault.HISTORY_UNREADABLE, component.historyTable() + " lacks version " + (i + 1));
            }
            Migration migration = component.migrations().get(i);
            if (entry.checksum() == null || entry.checksum() != migration.checksum()) {
                return new Damaged(Fault.FILE_CHANGED, migration.file());
            }
        }
        return null;
    }

    /** Flyway also records that it made the schema (no version) and that it met a schema in use (version 0). */
    private static boolean isMigration(RecordedSchema.Entry entry) {
        boolean madeSchema = entry.type().equals("SCHEMA") && entry.version() == null;
        boolean metSchema = entry.type().equals("BASELINE") && "0".equals(entry.version());
        return !madeSchema && !metSchema;
    }

    private static int version(RecordedSchema.Entry entry) {
        return Integer.parseInt(java.util.Objects.requireNonNull(entry.version()));
    }

    private static String join(List<String> names, Set<String> there, boolean wanted) {
        return names.stream().filter(name -> there.contains(name) == wanted).collect(Collectors.joining(", "));
    }
}
