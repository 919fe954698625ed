package io.holdfast.repository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.agroal.api.AgroalDataSource;
import io.holdfast.Scope;
import io.holdfast.failure.InvalidValueException;
import io.holdfast.failure.NoTransactionException;
import io.holdfast.migrations.SchemaName;
import io.holdfast.testing.TestDatabase;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.PersistenceConfiguration;
import org.hibernate.engine.transaction.jta.platform.internal.NoJtaPlatform;
import org.hibernate.engine.transaction.jta.platform.internal.WeblogicJtaPlatform;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which factory is for which unit. */
class JtaUnitTest {

    private final TestDatabase database = TestDatabase.get();

    @ParameterizedTest
    @EnumSource
    void aJtaFacadeWorksOverAPoolOfEitherKind(JtaUnit.Resource resource) {
        try (AgroalDataSource pool = JtaUnit.pool(resource, database.url(), 1);
                EntityManagerFactory unit = JtaUnit.over(pool);
                Holdfast holdfast = Holdfast.jta(unit)) {
            Worker worker = new Worker(holdfast.in(Scope.of("jta-" + resource)), "wf-1");
            worker.created();
            assertThat(worker.stores().workflows().find("wf-1")).isPresent();
        }
    }

    @Test
    void aFacadeThatBeginsItsOwnTransactionsRefusesAUnitWhoseTransactionsAreJtasAndNamesTheFactoryToUse() {
        try (AgroalDataSource pool = JtaUnit.pool(JtaUnit.Resource.LOCAL, database.url(), 1);
                EntityManagerFactory unit = JtaUnit.over(pool)) {
            assertThatThrownBy(() -> Holdfast.over(unit))
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessageContaining("factory")
                    .hasMessageContaining("Holdfast.jta")
                    .hasMessageContaining("Holdfast.joining");
        }
    }

    @Test
    void aJtaFacadeRefusesAUnitWhoseTransactionsAreItsOwnAndNamesTheFactoryToUse() {
        try (EntityManagerFactory unit = OwnUnit.over(database.dataSource(), SchemaName.DEFAULT)) {
            assertThatThrownBy(() -> Holdfast.jta(unit))
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessageContaining("factory")
                    .hasMessageContaining("Holdfast.over");
        }
    }

    /** None at all, and one that is not there: on plain Java there is no directory to look it up in. */
    @ParameterizedTest
    @ValueSource(classes = {NoJtaPlatform.class, WeblogicJtaPlatform.class})
    void aJtaFacadeWithoutATransactionManagerIsRefusedAndSaysWhatToSet(Class<?> platform) {
        try (AgroalDataSource pool = JtaUnit.pool(JtaUnit.Resource.LOCAL, database.url(), 1);
                EntityManagerFactory unit = JtaUnit.jta(
                                new PersistenceConfiguration("no manager").mappingFile("META-INF/holdfast-orm.xml"),
                                pool)
                        .property("hibernate.transaction.jta.platform", platform.getName())
                        .createEntityManagerFactory()) {
            assertThatThrownBy(() -> Holdfast.jta(unit))
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessageContaining("factory")
                    .hasMessageContaining("hibernate.transaction.jta.platform");
        }
    }

    /** Every statement of it commits by itself, whatever the transaction manager does. */
    @Test
    void aDataSourceThatTakesNoPartInTransactionsIsRefused() throws Exception {
        Scope scope = Scope.of("jta-no-part");
        try (EntityManagerFactory unit = JtaUnit.over(database.dataSource());
                var manager = unit.createEntityManager()) {
            assertThatThrownBy(() -> Holdfast.jta(unit))
                    .isInstanceOf(InvalidValueException.class)
                    .hasMessageContaining("factory must have a data source that takes part");
            JtaUnit.transactions().begin();
            manager.joinTransaction();
            Thrown.by(() -> new Worker(Holdfast.joining(manager).in(scope), "wf-1").created())
                    .is(NoTransactionException.class, false);
            JtaUnit.transactions().rollback();
        }
        assertThat(database.value("select count(*) from holdfast.workflow where scope = '" + scope.id() + "'"))
                .isEqualTo("0");
    }
}
