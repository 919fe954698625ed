package io.holdfast.cli;

import io.holdfast.repository.Setting;
import io.holdfast.repository.Settings;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Settings from the environment, or from a file in its place. */
final class GivenSettings {

    private static final Set<PosixFilePermission> OTHERS =
            Set.of(PosixFilePermission.GROUP_READ, PosixFilePermission.OTHERS_READ);

    private GivenSettings() {}

    static Settings of(Map<String, String> environment, @Nullable Path file) {
        return file == null ? Settings.ofEnvironment(environment) : Settings.ofProperties(read(file));
    }

    private static Map<String, String> read(Path file) {
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            properties.load(reader);
            if (properties.containsKey(Setting.PASSWORD.property())) {
                requirePrivate(file);
            }
        } catch (IOException | IllegalArgumentException e) {
            throw Refusal.usage("the file of --config cannot be read as properties");
        }
        Map<String, String> read = new HashMap<>();
        properties.stringPropertyNames().forEach(name -> read.put(name, properties.getProperty(name)));
        return read;
    }

    /** As libpq does with its password file. */
    private static void requirePrivate(Path file) throws IOException {
        if (!file.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            return;
        }
        if (Files.getPosixFilePermissions(file).stream().anyMatch(OTHERS::contains)) {
            throw Refusal.usage(
                    "the file of --config holds a password and others can read it: chmod 600 it, and consider"
                            + " whether the password is known by now");
        }
    }
}
