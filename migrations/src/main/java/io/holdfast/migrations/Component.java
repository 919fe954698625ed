package io.holdfast.migrations;

import io.holdfast.failure.InvalidValueException;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A named set of numbered migrations with one history table. {@link Components#own} are Holdfast's own; an application or
 * another library makes one of its own tables by {@link #of}, and migrates it beside them, in the same schema or in
 * another.
 *
 * @param name       begins the history table's name; 1 to 30 of {@code a-z 0-9 _}, a letter first
 * @param migrations from version 1 upwards without gaps; never empty
 * @param after      names of the components whose tables these migrations rely on: they are migrated before
 */
public record Component(String name, List<Migration> migrations, Set<String> after) {

    private static final String HISTORY = "schema_history_";
    private static final Pattern WORKING = Pattern.compile("version ([0-9]{1,9}) works with version ([0-9]{1,9})");

    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_]{0,29}");

    /** @throws InvalidValueException if the name or the numbering is not as documented */
    public Component {
        if (!NAME.matcher(name).matches()) {
            throw new InvalidValueException("component", "be 1 to 30 of a-z, 0-9 and _, a letter first");
        }
        migrations = List.copyOf(migrations);
        if (migrations.isEmpty()) {
            throw new InvalidValueException("migrations", "not be empty");
        }
        for (int i = 0; i < migrations.size(); i++) {
            if (migrations.get(i).version() != i + 1) {
                throw new InvalidValueException("migrations", "be numbered from 1 without gaps, in order");
            }
        }
        after = Set.copyOf(after);
    }

    /** Workflow states, idempotency keys and leases. */
    public static Component core() {
        return OwnComponents.CORE;
    }

    /** Runs with their events, and the chat sessions of workspaces. */
    public static Component runs() {
        return OwnComponents.RUNS;
    }

    public static Component of(String name, Migration... migrations) {
        return new Component(name, List.of(migrations), Set.of());
    }

    /** The same, migrated after these. */
    public Component after(String... components) {
        return new Component(name, migrations, Set.copyOf(List.of(components)));
    }

    /** The schema version that this release needs, and the newest that it knows. */
    public int version() {
        return migrations.size();
    }

    /** Where the versions that a schema has are recorded; in the same schema as the tables. */
    public String historyTable() {
        return HISTORY + name;
    }

    /**
     * The oldest code that works with the tables as one version left them; that version itself if the comment on the history
     * table does not say, or says it of another.
     */
    static int worksWith(@Nullable String comment, int version) {
        Matcher working = WORKING.matcher(comment == null ? "" : comment);
        return working.matches() && Integer.parseInt(working.group(1)) == version
                ? Integer.parseInt(working.group(2))
                : version;
    }

    /** Names of all tables, in the order of their making. */
    public List<String> tables() {
        return migrations.stream()
                .flatMap(migration -> migration.tables().stream())
                .toList();
    }

    /** Names of all functions, in the order of their making. */
    public List<String> functions() {
        return migrations.stream()
                .flatMap(migration -> migration.functions().stream())
                .toList();
    }

    /** What the migrations after one version, up to another, make. */
    List<String> madeFrom(int after, int upTo) {
        return migrations.subList(after, upTo).stream()
                .flatMap(migration -> migration.made().stream())
                .toList();
    }

    /** The name and the version. */
    @Override
    public String toString() {
        return name + " " + version();
    }
}
