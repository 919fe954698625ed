package io.holdfast.repository;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.failure.InvalidValueException;
import io.holdfast.failure.SchemaMismatchException;
import io.holdfast.failure.SqlStates;
import io.holdfast.failure.StoreUnavailableException;
import io.holdfast.migrations.Components;
import io.holdfast.migrations.Migrator;
import io.holdfast.migrations.SchemaCheck;
import io.holdfast.migrations.SchemaName;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.hibernate.SessionFactory;
import org.hibernate.StatelessSession;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.jdbc.ReturningWork;
import org.hibernate.tool.schema.spi.SchemaManagementException;

/** What is looked at, made and closed around a facade. Whatever fails on the way is closed again. */
final class Opening {

    private static final System.Logger LOG = System.getLogger(Holdfast.class.getName());

    private Opening() {}

    static Holdfast open(Settings settings) {
        Endpoint endpoint =
                settings.endpoint().orElseThrow(() -> new InvalidValueException("endpoint", "be given to open a pool"));
        var pool = pool(settings, endpoint);
        try {
            return open(pool, settings, observer -> OwnPool.tell(pool, observer), pool::close);
        } catch (RuntimeException | Error e) {
            pool.close();
            throw e;
        }
    }

    private static HikariDataSource pool(Settings settings, Endpoint endpoint) {
        try {
            return OwnPool.open(settings, endpoint);
        } catch (LinkageError | RuntimeException e) {
            // Its text may hold the URL.
            throw new StoreUnavailableException(
                    false,
                    "No pool could be made: HikariCP and the PostgreSQL driver must be on the class path,"
                            + " and the driver must take the URL",
                    Map.of("cause", e.getClass().getSimpleName()));
        }
    }

    static Holdfast open(DataSource dataSource, Settings settings) {
        return open(dataSource, settings, observer -> {}, () -> {});
    }

    private static Holdfast open(DataSource dataSource, Settings settings, Consumer<Observer> waits, Runnable closing) {
        if (settings.createTables()) {
            Migrator.of(dataSource, settings.schema()).migrate(Components.own());
        }
        boolean readCommitted;
        try (Connection connection = dataSource.getConnection()) {
            SchemaCheck.require(connection, settings.schema(), Components.own());
            readCommitted = Isolation.isReadCommitted(connection);
        } catch (SQLException e) {
            throw SqlStates.classify("open", e);
        }
        EntityManagerFactory factory = unit(dataSource, settings.schema());
        return own(factory, Tables.of(factory), settings, readCommitted, waits, () -> {
            factory.close();
            closing.run();
        });
    }

    private static EntityManagerFactory unit(DataSource dataSource, SchemaName schema) {
        try {
            return OwnUnit.over(dataSource, schema);
        } catch (LinkageError e) {
            throw new StoreUnavailableException(
                    false,
                    "Hibernate ORM 7.1 to 7.4, with what it brings, and Jackson 3 must be on the class path; missing: "
                            + e.getMessage(),
                    Map.of("cause", e.getClass().getSimpleName()));
        } catch (RuntimeException e) {
            for (Throwable cause = e; cause != null; cause = cause.getCause()) {
                if (cause instanceof SchemaManagementException) {
                    throw new SchemaMismatchException(
                            "The tables in schema " + schema.quoted() + " are not as this release made them; see"
                                    + " Migrator.status",
                            Map.of("schema", schema.value()));
                }
            }
            throw SqlStates.classify("open", e);
        }
    }

    static Holdfast over(EntityManagerFactory factory, Settings settings) {
        if (Jta.isOf(factory.unwrap(SessionFactoryImplementor.class))) {
            throw new InvalidValueException(
                    "factory",
                    "begin its own transactions; this unit's are JTA's: use Holdfast.jta, or Holdfast.joining in one");
        }
        Tables tables = Tables.of(factory);
        boolean readCommitted = looked(factory, connection -> inspect(connection, tables));
        return own(factory, tables, settings, readCommitted, observer -> {}, () -> {});
    }

    static Holdfast jta(EntityManagerFactory factory, Settings settings) {
        RequiresNew transaction = new RequiresNew(Jta.manager(factory.unwrap(SessionFactoryImplementor.class)));
        Tables tables = Tables.of(factory);
        // In a transaction, where the connection is as it will be.
        boolean readCommitted = transaction.run(
                "open",
                Transactions.Effect.READ,
                () -> looked(factory, connection -> {
                    if (!Isolation.isInTransaction(connection)) {
                        throw new InvalidValueException(
                                "factory",
                                "have a data source that takes part in JTA's transactions; what is done on this one's"
                                        + " connections commits by itself");
                    }
                    return inspect(connection, tables);
                }));
        warnUnless(readCommitted);
        JtaTransactions transactions = new JtaTransactions(
                factory.unwrap(SessionFactory.class), transaction, tables, settings.commandTimeout(), readCommitted);
        return Holdfast.of(transactions, transactions::close);
    }

    private static boolean looked(EntityManagerFactory factory, ReturningWork<Boolean> look) {
        try (StatelessSession session = factory.unwrap(SessionFactory.class).openStatelessSession()) {
            return session.doReturningWork(look);
        } catch (RuntimeException e) {
            throw SqlStates.classify("open", e);
        }
    }

    /** Whether a transaction has READ COMMITTED here unless told otherwise. */
    private static boolean inspect(Connection connection, Tables tables) throws SQLException {
        if (!tables.schema().isEmpty()) {
            SchemaCheck.require(connection, new SchemaName(tables.schema()), Components.own());
        }
        return Isolation.isReadCommitted(connection);
    }

    static Holdfast joining(EntityManager entityManager, Settings settings) {
        Tables tables = Tables.of(entityManager.getEntityManagerFactory());
        return Holdfast.of(new JoiningTransactions(entityManager, tables, settings.commandTimeout()), () -> {});
    }

    private static Holdfast own(
            EntityManagerFactory factory,
            Tables tables,
            Settings settings,
            boolean readCommitted,
            Consumer<Observer> waits,
            Runnable closing) {
        warnUnless(readCommitted);
        OwnTransactions transactions = new OwnTransactions(
                factory.unwrap(SessionFactory.class), tables, settings.commandTimeout(), readCommitted);
        return Holdfast.of(transactions, waits, () -> {
            transactions.close();
            closing.run();
        });
    }

    private static void warnUnless(boolean readCommitted) {
        if (!readCommitted) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "The database's default isolation is not READ COMMITTED: each operation pays a transaction that says so");
        }
    }
}
