package io.holdfast.repository;

import com.arjuna.ats.arjuna.common.CoreEnvironmentBeanException;
import com.arjuna.ats.arjuna.common.ObjectStoreEnvironmentBean;
import com.arjuna.ats.arjuna.common.arjPropertyManager;
import com.arjuna.ats.internal.arjuna.objectstore.VolatileStore;
import com.arjuna.ats.internal.jta.transaction.arjunacore.TransactionSynchronizationRegistryImple;
import com.arjuna.common.internal.util.propertyservice.BeanPopulator;
import io.agroal.api.AgroalDataSource;
import io.agroal.api.configuration.AgroalConnectionFactoryConfiguration.TransactionIsolation;
import io.agroal.api.configuration.supplier.AgroalDataSourceConfigurationSupplier;
import io.agroal.api.security.NamePrincipal;
import io.agroal.api.security.SimplePassword;
import io.agroal.narayana.NarayanaTransactionIntegration;
import io.holdfast.testing.TestDatabase;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.PersistenceConfiguration;
import jakarta.persistence.PersistenceUnitTransactionType;
import jakarta.transaction.TransactionManager;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;

/** JTA on plain Java: Narayana, whose log is in memory, and a pool that enlists its connections. */
public final class JtaUnit {

    /** How a pool takes part. */
    public enum Resource {
        /** As a resource of one phase, over a data source that knows nothing of it. */
        LOCAL(null),
        /** By the driver's two phases. */
        XA("org.postgresql.xa.PGXADataSource");

        private final String providerClass;

        Resource(String providerClass) {
            this.providerClass = providerClass;
        }
    }

    /** By name: the class has a newer one's name too, which the oldest supported Hibernate does not know. */
    private static final String PLATFORM =
            "org.hibernate.engine.transaction.jta.platform.internal.JBossStandAloneJtaPlatform";

    private JtaUnit() {}

    public static TransactionManager transactions() {
        return Narayana.MANAGER;
    }

    public static AgroalDataSource pool(Resource resource, String url, int size) {
        return pool(resource, url, size, TransactionIsolation.UNDEFINED);
    }

    static AgroalDataSource pool(Resource resource, String url, int size, TransactionIsolation isolation) {
        TestDatabase database = TestDatabase.get();
        var narayana =
                new NarayanaTransactionIntegration(transactions(), new TransactionSynchronizationRegistryImple());
        try {
            return AgroalDataSource.from(new AgroalDataSourceConfigurationSupplier()
                    .connectionPoolConfiguration(pool -> pool.maxSize(size)
                            .acquisitionTimeout(Duration.ofSeconds(1))
                            .transactionIntegration(narayana)
                            .connectionFactoryConfiguration(connection -> connection
                                    .connectionProviderClassName(resource.providerClass)
                                    .jdbcUrl(url)
                                    .jdbcTransactionIsolation(isolation)
                                    .principal(new NamePrincipal(database.user()))
                                    .credential(new SimplePassword(database.password())))));
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    /** A unit with nothing but our entities. */
    static EntityManagerFactory over(DataSource dataSource) {
        return jta(new PersistenceConfiguration("jta").mappingFile("META-INF/holdfast-orm.xml"), dataSource)
                .createEntityManagerFactory();
    }

    public static PersistenceConfiguration jta(PersistenceConfiguration unit, DataSource dataSource) {
        return unit.transactionType(PersistenceUnitTransactionType.JTA)
                .property("jakarta.persistence.jtaDataSource", dataSource)
                .property("jakarta.persistence.validation.mode", "none")
                .property("hibernate.dialect", "org.hibernate.dialect.PostgreSQLDialect")
                .property("hibernate.transaction.jta.platform", PLATFORM);
    }

    private static final class Narayana {

        static final TransactionManager MANAGER = start();

        private static TransactionManager start() {
            try {
                arjPropertyManager.getCoreEnvironmentBean().setNodeIdentifier("1");
            } catch (CoreEnvironmentBeanException e) {
                throw new AssertionError(e);
            }
            for (String store : new String[] {null, "communicationStore", "stateStore"}) {
                BeanPopulator.getNamedInstance(ObjectStoreEnvironmentBean.class, store)
                        .setObjectStoreType(VolatileStore.class.getName());
            }
            return com.arjuna.ats.jta.TransactionManager.transactionManager();
        }
    }
}
