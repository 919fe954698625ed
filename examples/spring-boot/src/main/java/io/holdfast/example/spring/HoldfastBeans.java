package io.holdfast.example.spring;

import io.holdfast.Scope;
import io.holdfast.migrations.Components;
import io.holdfast.migrations.Migrator;
import io.holdfast.repository.Holdfast;
import io.holdfast.repository.LeaseKeeper;
import io.holdfast.repository.LeaseKeeperSettings;
import io.holdfast.repository.Settings;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import java.util.Objects;
import javax.sql.DataSource;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.boot.jpa.autoconfigure.EntityManagerFactoryDependsOnPostProcessor;
import org.springframework.boot.task.SimpleAsyncTaskExecutorBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.DependsOn;

@Configuration(proxyBeanMethods = false)
class HoldfastBeans {

    static final Scope ORDERS = Scope.of("orders");

    // snippet: facades
    /** Takes part in the transaction that Spring has begun, and refuses to work where it has not. Spring's shared proxy. */
    @Bean
    Holdfast joining(EntityManager entityManager) {
        return Holdfast.joining(entityManager);
    }

    /** Commits each call by itself, also in the middle of a business transaction. */
    @Bean
    Holdfast own(EntityManagerFactory factory) {
        return Holdfast.over(factory);
    }
    // end

    // snippet: keeper
    /** Renews leases on a connection that no request can take from it, on threads of Spring's. */
    @Bean
    @DependsOn("holdfastTables")
    LeaseKeeper leaseKeeper(JdbcConnectionDetails database, SimpleAsyncTaskExecutorBuilder threads) {
        Settings settings = Settings.of(
                database.getJdbcUrl(),
                Objects.requireNonNull(database.getUsername(), "spring.datasource.username"),
                Objects.requireNonNull(database.getPassword(), "spring.datasource.password"));
        return LeaseKeeper.open(
                settings,
                LeaseKeeperSettings.DEFAULT.withExecutor(
                        threads.threadNamePrefix("lease-keeper-").build()));
    }
    // end

    // snippet: tables
    /** Holdfast's tables, with a history of their own beside the application's Flyway. */
    @Bean
    InitializingBean holdfastTables(DataSource dataSource) {
        return () -> Migrator.of(dataSource, "holdfast").migrate(Components.own());
    }

    /** Before Hibernate validates them. */
    @Bean
    static EntityManagerFactoryDependsOnPostProcessor holdfastTablesFirst() {
        return new EntityManagerFactoryDependsOnPostProcessor("holdfastTables");
    }
    // end
}
