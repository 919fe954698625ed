package io.holdfast.example.quarkus;

import io.holdfast.testing.TestDatabase;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import java.util.Map;

/** The application on a database of its own, which it has migrated itself. */
public final class OwnDatabase implements QuarkusTestResourceLifecycleManager {

    @Override
    public Map<String, String> start() {
        TestDatabase database = TestDatabase.empty("quarkus");
        return Map.of(
                "quarkus.datasource.jdbc.url", database.url(),
                "quarkus.datasource.username", database.user(),
                "quarkus.datasource.password", database.password());
    }

    @Override
    public void stop() {
        // it ends with the JVM, after the application's pools
    }
}
