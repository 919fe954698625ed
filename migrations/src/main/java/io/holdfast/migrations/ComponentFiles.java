package io.holdfast.migrations;

import java.io.Reader;
import java.io.StringReader;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import org.flywaydb.core.api.ResourceProvider;
import org.flywaydb.core.api.resource.LoadableResource;
import org.jspecify.annotations.Nullable;

/** Shows Flyway a component's migrations and nothing else: no scanning of the class path, none of the host's files. */
final class ComponentFiles implements ResourceProvider {

    private final List<LoadableResource> files;

    ComponentFiles(Component component) {
        this.files = component.migrations().stream().map(ComponentFiles::file).toList();
    }

    @Override
    public @Nullable LoadableResource getResource(String name) {
        return files.stream()
                .filter(file -> file.getFilename().equals(name))
                .findFirst()
                .orElse(null);
    }

    @Override
    public Collection<LoadableResource> getResources(String prefix, String[] suffixes) {
        return files.stream()
                .filter(file -> file.getFilename().startsWith(prefix)
                        && Arrays.stream(suffixes).anyMatch(file.getFilename()::endsWith))
                .toList();
    }

    private static LoadableResource file(Migration migration) {
        return new LoadableResource() {
            @Override
            public Reader read() {
                return new StringReader(migration.sql());
            }

            @Override
            public String getAbsolutePath() {
                return migration.file();
            }

            @Override
            public String getAbsolutePathOnDisk() {
                return migration.file();
            }

            @Override
            public String getFilename() {
                return migration.file();
            }

            @Override
            public String getRelativePath() {
                return migration.file();
            }
        };
    }
}
