package io.holdfast.repository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.HoldfastException;
import io.holdfast.Scope;
import io.holdfast.migrations.Components;
import io.holdfast.migrations.Migrator;
import io.holdfast.testing.NextSchema;
import io.holdfast.testing.TestDatabase;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The tables of the next release appear under a process of this one, whose connection has every statement prepared by name. */
class NextReleaseTest {

    private static final AtomicInteger NUMBER = new AtomicInteger();

    private final TestDatabase database = TestDatabase.empty("next_release");
    private final Migrator migrator = Migrator.of(database.directDataSource(), TestDatabase.SCHEMA);
    private final HikariDataSource one = new HikariDataSource();
    private Holdfast holdfast;

    @BeforeEach
    void everyStatementIsPrepared() {
        migrator.migrate(Components.own());
        one.setJdbcUrl(database.url() + "&prepareThreshold=1");
        one.setUsername(database.user());
        one.setPassword(database.password());
        one.setMaximumPoolSize(1);
        holdfast = Holdfast.open(one);
        everyOperationAnswersAsEver();
        assertThat(prepared()).isGreaterThan(20);
    }

    @AfterEach
    void close() {
        holdfast.close();
        one.close();
        database.close();
    }

    private void everyOperationAnswersAsEver() {
        Operations.all().forEach(operation -> answers(holdfast, operation));
    }

    private static void answers(Holdfast on, Operations.Case operation) {
        Worker worker = new Worker(on.in(Scope.of("release-" + NUMBER.incrementAndGet())), "wf");
        assertThat(operation.prepare().apply(worker).get()).as(operation.name()).isInstanceOf(operation.answer());
    }

    private int prepared() {
        try (var connection = one.getConnection();
                var statement = connection.createStatement();
                var rows = statement.executeQuery("select count(*) from pg_prepared_statements")) {
            return rows.next() ? rows.getInt(1) : 0;
        } catch (java.sql.SQLException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void whatIsPreparedGoesOnOnTheNextTablesAloneAndInTransactions() {
        migrator.migrate(NextSchema.after(Components.own()));
        everyOperationAnswersAsEver();
        Operations.all()
                .forEach(operation -> holdfast.atomically(bound -> {
                    answers(bound, operation);
                    return true;
                }));
    }

    /** What no migration may do, and that it would be seen here. */
    @Test
    void aColumnThatIsReadAndChangesItsTypeWouldBeSeen() {
        database.execute("alter table holdfast.workflow alter column cancel_reason type varchar(256)");
        assertThatThrownBy(() -> Operations.all()
                        .forEach(operation -> holdfast.atomically(bound -> {
                            answers(bound, operation);
                            return true;
                        })))
                .isInstanceOf(HoldfastException.class)
                .hasMessageContaining("0A000");
    }
}
