package io.holdfast.example.quarkus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.agroal.api.AgroalDataSource;
import io.holdfast.failure.InvalidValueException;
import io.holdfast.failure.NoTransactionException;
import io.holdfast.failure.StoreUnavailableException;
import io.holdfast.failure.TransactionLostException;
import io.holdfast.repository.Holdfast;
import io.holdfast.state.WorkflowState;
import io.holdfast.workflow.Creation;
import io.holdfast.workflow.Workflows;
import io.quarkus.narayana.jta.QuarkusTransaction;
import io.quarkus.narayana.jta.QuarkusTransactionException;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import java.util.Map;
import java.util.OptionalLong;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The application's row and the workflow, in Quarkus's transactions. */
@QuarkusTest
@QuarkusTestResource(OwnDatabase.class)
class SharedFateTest {

    private static final OptionalLong ANY = OptionalLong.empty();

    @Inject
    Orders orders;

    @Inject
    OrderViews views;

    @Inject
    Steps steps;

    @Inject
    Holdfast joining;

    @Inject
    @CommitsAlone
    Holdfast alone;

    @Inject
    EntityManager entityManager;

    @Inject
    AgroalDataSource dataSource;

    @Inject
    Stored stored;

    private final String id = "order-" + UUID.randomUUID();
    private Workflows joined;
    private Workflows separate;

    @BeforeEach
    void stores() {
        joined = joining.in(Steps.SCOPE).workflows();
        separate = alone.in(Steps.SCOPE).workflows();
    }

    @Test
    void rowAndWorkflowAreCommittedTogether() {
        start();
        assertThat(stored.hasRow(id)).isTrue();
        assertThat(stored.revision(id)).isEqualTo("1");
        String before = stored.stage(id);
        orders.advance(id, ANY, false);
        assertThat(stored.revision(id)).isEqualTo("2");
        assertThat(stored.stage(id))
                .isNotEqualTo(before)
                .isEqualTo(views.of(id).workflow().stage());
    }

    @Test
    void anExceptionTakesBothBack() {
        assertThatThrownBy(() -> orders.start(new NewOrder(id, "labels", 2), true))
                .isInstanceOf(Orders.Broken.class);
        assertThat(stored.hasRow(id)).isFalse();
        assertThat(stored.hasWorkflow(id)).isFalse();
    }

    @Test
    void aTransactionThatItsCallerMarksTakesBothBack() {
        start();
        String before = stored.stage(id);
        rolledBack(() -> orders.advance(id, ANY, false));
        assertThat(stored.revision(id)).isEqualTo("1");
        assertThat(stored.stage(id)).isEqualTo(before);
    }

    @Test
    void aRowThatTheDatabaseRefusesAtTheCommitTakesTheWorkflowAlong() {
        QuarkusTransaction.requiringNew().run(() -> entityManager.persist(new PurchaseOrder(id, "labels", 1, "none")));
        assertThatThrownBy(this::start).isNotNull();
        assertThat(stored.hasWorkflow(id)).isFalse();
    }

    @Test
    void badInputIsRefusedAsItselfAndNothingIsWritten() {
        String tooLong = "x".repeat(129);
        assertThatThrownBy(() -> orders.start(new NewOrder(tooLong, "labels", 1), false))
                .isInstanceOf(InvalidValueException.class);
        assertThat(stored.hasRow(tooLong)).isFalse();
    }

    @Test
    void withoutATransactionAJoiningFacadeRefuses() {
        assertThatThrownBy(() -> joined.find(id)).isInstanceOf(NoTransactionException.class);
        QuarkusTransaction.requiringNew()
                .run(() -> QuarkusTransaction.suspendingExisting()
                        .run(() ->
                                assertThatThrownBy(() -> joined.find(id)).isInstanceOf(NoTransactionException.class)));
    }

    @Test
    void inATransactionThatWillBeRolledBackAJoiningFacadeRefuses() {
        rolledBack(() -> {
            QuarkusTransaction.setRollbackOnly();
            assertThatThrownBy(() -> joined.find(id)).isInstanceOf(TransactionLostException.class);
        });
    }

    @Test
    void aLostRaceLeavesTheTransactionUsable() {
        start();
        String other = id + "-other";
        QuarkusTransaction.requiringNew().run(() -> {
            WorkflowState rival = WorkflowState.create(id, "another-request");
            assertThat(joined.create(rival, Map.of())).isInstanceOf(Creation.Taken.class);
            entityManager.persist(new PurchaseOrder(other, "labels", 1, "none"));
        });
        assertThat(stored.hasRow(other)).isTrue();
    }

    @Test
    void anInnerTransactionOfItsOwnIsCommittedThoughTheOuterOneIsRolledBack() {
        start();
        orders.nested(id);
        assertThat(stored.revision(id)).isEqualTo("2");
        assertThat(stored.item(id)).isEqualTo("labels");
    }

    @Test
    void anInnerTransactionOfItsOwnThatIsRolledBackLeavesTheOuterOneAlone() {
        start();
        QuarkusTransaction.requiringNew().run(() -> {
            entityManager.find(PurchaseOrder.class, id).change("boxes");
            assertThatThrownBy(() -> steps.advanceAlone(id + "-unknown")).isInstanceOf(Refused.class);
            steps.advance(id, ANY);
        });
        assertThat(stored.item(id)).isEqualTo("boxes");
        assertThat(stored.revision(id)).isEqualTo("2");
    }

    @Test
    void theOtherFacadeCommitsInTheMiddleOfATransactionThatIsRolledBack() {
        rolledBack(() -> {
            entityManager.persist(new PurchaseOrder(id, "labels", 1, "none"));
            entityManager.flush();
            assertThat(separate.create(WorkflowState.create(id, id), Map.of())).isInstanceOf(Creation.Created.class);
        });
        assertThat(stored.hasRow(id)).isFalse();
        assertThat(stored.hasWorkflow(id)).isTrue();
    }

    @Test
    void aChangedEntityIsNeitherFlushedNorDetached() {
        start();
        assertThat(orders.dirty(id)).isEqualTo(new Orders.Dirty(false, true, "labels, wrapped"));
        assertThat(stored.item(id)).isEqualTo("labels, wrapped");
        assertThat(stored.revision(id)).isEqualTo("2");
    }

    // The guide says so.
    @Test
    void aFacadeThatMakesAPersistenceUnitIsRefusedByQuarkus() {
        assertThatThrownBy(() -> Holdfast.open(dataSource)).isInstanceOf(StoreUnavailableException.class);
    }

    private void start() {
        orders.start(new NewOrder(id, "labels", 2), false);
    }

    /** Marked for rollback, it says so when it ends. */
    private static void rolledBack(Runnable work) {
        assertThatThrownBy(() -> QuarkusTransaction.requiringNew().run(() -> {
                    work.run();
                    QuarkusTransaction.setRollbackOnly();
                }))
                .isInstanceOf(QuarkusTransactionException.class)
                .hasRootCauseMessage("setRollbackOnly called from:");
    }
}
