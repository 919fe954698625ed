package io.holdfast.repository.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.repository.Holdfast;
import io.holdfast.repository.JtaUnit;
import io.holdfast.testing.TestDatabase;
import jakarta.persistence.PersistenceConfiguration;
import jakarta.transaction.Status;
import jakarta.transaction.Transaction;
import java.util.function.Supplier;

/** JTA transactions of Holdfast's own, while the caller has one: it is there again after each call, and as it was. */
final class JtaEnvironment extends Environment {

    private final Holdfast holdfast;

    private JtaEnvironment(Holdfast holdfast) {
        super(TestDatabase.SCHEMA);
        this.holdfast = holdfast;
    }

    static Environment get() {
        return once("JTA", () -> {
            var pool = JtaUnit.pool(JtaUnit.Resource.XA, TestDatabase.get().url(), 2);
            var unit = new PersistenceConfiguration("JTA").mappingFile("META-INF/holdfast-orm.xml");
            return new JtaEnvironment(Holdfast.jta(JtaUnit.jta(unit, pool).createEntityManagerFactory()));
        });
    }

    @Override
    Holdfast holdfast() {
        return holdfast;
    }

    @Override
    <R> R perform(Supplier<R> call) {
        try {
            JtaUnit.transactions().begin();
            Transaction callers = JtaUnit.transactions().getTransaction();
            try {
                return call.get();
            } finally {
                assertThat(JtaUnit.transactions().getTransaction()).isSameAs(callers);
                assertThat(callers.getStatus()).isEqualTo(Status.STATUS_ACTIVE);
                JtaUnit.transactions().rollback();
            }
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
