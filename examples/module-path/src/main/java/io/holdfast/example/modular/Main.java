package io.holdfast.example.modular;

import io.holdfast.Scope;
import io.holdfast.entity.WorkflowEntity;
import io.holdfast.migrations.Component;
import io.holdfast.migrations.Migrator;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import jakarta.persistence.PersistenceConfiguration;
import java.io.IOException;
import java.util.List;
import javax.sql.DataSource;

/** Makes the tables, lets Hibernate validate its mapping against them, and asks for a row. */
public final class Main {

    private Main() {}

    public static void main(String[] arguments) throws IOException {
        for (Class<?> type : List.of(Main.class, Scope.class, Migrator.class)) {
            if (!type.getModule().isNamed()) {
                throw new IllegalStateException(type + " is not in a module");
            }
        }
        try (EmbeddedPostgres postgres = EmbeddedPostgres.start()) {
            DataSource database = postgres.getPostgresDatabase();
            Migrator.of(database, "holdfast").migrate(Component.core());
            try (var entities = new PersistenceConfiguration("modular")
                    .mappingFile("META-INF/holdfast-orm.xml")
                    .property("hibernate.connection.datasource", database)
                    .property("hibernate.hbm2ddl.auto", "validate")
                    .createEntityManagerFactory()) {
                var key = new WorkflowEntity.Key("", "unknown");
                boolean found = entities.callInTransaction(em -> em.find(WorkflowEntity.class, key) != null);
                System.out.println("On the module path, and the workflow was " + (found ? "found" : "not found"));
            }
        }
    }
}
