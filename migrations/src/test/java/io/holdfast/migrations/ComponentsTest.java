package io.holdfast.migrations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.failure.InvalidValueException;
import io.holdfast.failure.SchemaMismatchException;
import io.holdfast.migrations.SchemaStatus.Ahead;
import io.holdfast.migrations.SchemaStatus.Current;
import io.holdfast.migrations.SchemaStatus.Missing;
import io.holdfast.migrations.SchemaStatus.Newer;
import io.holdfast.migrations.SchemaStatus.Unknown;
import io.holdfast.testing.TestDatabase;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Several components in one schema: in which order, what refuses them all, and how a rolling upgrade gets by. */
class ComponentsTest {

    private static final Component A = Component.of("a", table("a", 1));
    private static final Component B = Component.of("b", table("b", 1)).after("c");
    private static final Component C = Component.of("c", table("c", 1)).after("core");

    private TestDatabase database;
    private Migrator migrator;

    private static Migration table(String name, int version) {
        return Migration.of(
                "V" + version + "__" + name + ".sql", "create table ${schema}." + name + version + " (n int);\n");
    }

    @BeforeEach
    void open() {
        database = TestDatabase.empty("components");
        migrator = Migrator.of(database.dataSource(), "holdfast");
    }

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void eachIsMigratedAfterThoseItReliesOn() {
        Components components = Components.of(B, C, Component.core(), A);
        assertThat(components.inOrder()).containsExactly(A, Component.core(), C, B);
        assertThat(migrator.migrate(components)).containsOnlyKeys("a", "core", "c", "b");
        assertThat(migrator.status(components).values()).containsOnly(new Current(1));
        assertThat(migrator.migrate(components).values()).containsOnly(List.of());
    }

    @Test
    void componentsThatCannotBeOrderedAreRefused() {
        assertThatThrownBy(() -> Components.of(A, B))
                .isInstanceOf(InvalidValueException.class)
                .hasMessage("components must include c, which b relies on");
        assertThatThrownBy(() -> Components.of(A, A)).hasMessage("components must have each name once, not a twice");
        assertThatThrownBy(() -> Components.of(
                        Component.of("d", table("d", 1)).after("e"),
                        Component.of("e", table("e", 1)).after("d")))
                .hasMessage("components must not rely on each other in a circle: d, e");
    }

    public static final class Provider implements ComponentProvider {
        @Override
        public Component component() {
            return C;
        }
    }

    @Test
    void aComponentOfAnotherJarJoinsByItsName(@TempDir Path jar) throws IOException {
        Path services = Files.createDirectories(jar.resolve("META-INF/services"));
        Files.writeString(services.resolve(ComponentProvider.class.getName()), Provider.class.getName());
        try (var loader =
                new URLClassLoader(new URL[] {jar.toUri().toURL()}, getClass().getClassLoader())) {
            assertThat(Components.installed(loader).inOrder())
                    .containsAll(Components.own())
                    .contains(C)
                    .hasSize(Components.own().inOrder().size() + 1);
        }
        assertThat(Components.installed().inOrder())
                .isEqualTo(Components.own().inOrder())
                .contains(Component.core());
    }

    @Test
    void oneThatIsNewerOrChangedKeepsAllFromBeingTouchedAndEachIsNamed() {
        Component changed = Component.of("c", Migration.of("V1__c.sql", "create table ${schema}.c1 (n text);\n"));
        migrator.migrate(Components.of(Component.of("a", table("a", 1), table("a", 2)), changed));
        String before = CatalogueDump.of(database);
        Components components = Components.of(A, Component.core(), C, B);
        assertThat(migrator.status(components))
                .containsEntry("core", new Missing())
                .containsEntry("a", new Newer(2, 1));
        assertThatThrownBy(() -> migrator.migrate(components))
                .isInstanceOf(SchemaMismatchException.class)
                .hasMessageContaining("component a in schema")
                .hasMessageContaining("component c in schema")
                .hasMessageContaining("FILE_CHANGED");
        assertThat(CatalogueDump.of(database)).isEqualTo(before);
    }

    @Test
    void aComponentOfTheDatabaseThatNobodyHereKnowsIsReportedAndLeftAlone() {
        migrator.migrate(A);
        Components components = Components.of(Component.core());
        assertThat(migrator.migrate(components)).containsOnlyKeys("core");
        assertThat(migrator.status(components)).isEqualTo(Map.of("core", new Current(1), "a", new Unknown()));
    }

    // A rolling upgrade: the new release has migrated, and a process of the old one starts.
    @Test
    void aReleaseStartsOnTheNextSchemaIfThatSaysItWorksWithIt() throws Exception {
        Migration next = Migration.of(
                "V2__a.sql",
                "alter table ${schema}.a1 add m int;\n"
                        + "comment on table ${schema}.schema_history_a is 'version 2 works with version 1';\n");
        migrator.migrate(Component.of("a", table("a", 1), next));
        assertThat(migrator.status(A)).isEqualTo(new Ahead(2, 1));
        try (var connection = database.connect()) {
            SchemaCheck.require(connection, SchemaName.DEFAULT, A);
        }
        String before = CatalogueDump.of(database);
        assertThat(migrator.migrate(A)).isEmpty();
        assertThat(CatalogueDump.of(database)).isEqualTo(before);
    }

    @Test
    void whatAnEarlierVersionSaidOfItselfDoesNotCountForALaterOne() {
        Migration saying = Migration.of(
                "V2__a.sql", "comment on table ${schema}.schema_history_a is 'version 2 works with version 1';\n");
        migrator.migrate(Component.of("a", table("a", 1), saying, table("a", 3)));
        assertThat(migrator.status(A)).isEqualTo(new Newer(3, 1));
    }
}
