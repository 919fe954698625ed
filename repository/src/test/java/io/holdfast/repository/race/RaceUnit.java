package io.holdfast.repository.race;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.repository.Holdfast;
import io.holdfast.testing.TestDatabase;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.PersistenceConfiguration;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.hibernate.resource.jdbc.spi.StatementInspector;

/**
 * The persistence unit of all races of this JVM, as a host would have one. Hibernate's own hook lets a test change a statement
 * on its way to the server, so that a guard can be taken out.
 */
final class RaceUnit {

    static final TestDatabase DATABASE = TestDatabase.get();
    static final AtomicReference<UnaryOperator<String>> REWRITING = new AtomicReference<>(UnaryOperator.identity());
    static final EntityManagerFactory FACTORY = factory();
    static final Holdfast HOLDFAST = Holdfast.over(FACTORY);

    /** Looks on, and takes part in no race. */
    static final Connection WATCHER = watcher();

    private RaceUnit() {}

    private static Connection watcher() {
        try {
            return DATABASE.connect();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static EntityManagerFactory factory() {
        return new PersistenceConfiguration("races")
                .mappingFile("META-INF/holdfast-orm.xml")
                .property("jakarta.persistence.nonJtaDataSource", pool())
                .property("hibernate.session_factory.statement_inspector", (StatementInspector)
                        sql -> REWRITING.get().apply(sql))
                .createEntityManagerFactory();
    }

    /** For the life of the JVM. */
    private static HikariDataSource pool() {
        HikariDataSource pool = new NotingPool();
        pool.setDataSource(DATABASE.dataSource());
        pool.setMaximumPoolSize(40);
        pool.setMinimumIdle(2);
        return pool;
    }

    /** Tells a call in the background which backend it was given, so that the backend can be asked whether it waits. */
    private static final class NotingPool extends HikariDataSource {
        @Override
        public Connection getConnection() throws SQLException {
            Connection connection = super.getConnection();
            Background.connected(connection);
            return connection;
        }
    }
}
