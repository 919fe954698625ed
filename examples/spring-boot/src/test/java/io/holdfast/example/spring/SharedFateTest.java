package io.holdfast.example.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.HoldfastException;
import io.holdfast.failure.InvalidValueException;
import io.holdfast.failure.NoTransactionException;
import io.holdfast.failure.StoreUnavailableException;
import io.holdfast.repository.Holdfast;
import io.holdfast.workflow.Creation;
import io.holdfast.workflow.Update;
import io.holdfast.workflow.Workflow;
import io.holdfast.workflow.Workflows;
import java.util.Map;
import java.util.OptionalLong;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.transaction.NestedTransactionNotSupportedException;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.support.TransactionTemplate;

/** The application's row and the workflow, in Spring's transactions. */
class SharedFateTest extends OnDatabase {

    private static final OptionalLong ANY = OptionalLong.empty();

    @Autowired
    private OrderService service;

    @Autowired
    private Trials trials;

    @Autowired
    private Trials.Inner inner;

    @Autowired
    private PurchaseOrders orders;

    @Autowired
    private Holdfast joining;

    @Autowired
    private Holdfast own;

    @Autowired
    private PlatformTransactionManager manager;

    private final String id = "order-" + UUID.randomUUID();
    private Workflows joined;
    private Workflows alone;

    @BeforeEach
    void stores() {
        joined = joining.in(HoldfastBeans.ORDERS).workflows();
        alone = own.in(HoldfastBeans.ORDERS).workflows();
    }

    private TransactionTemplate transaction() {
        return new TransactionTemplate(manager);
    }

    private TransactionTemplate transaction(int propagation) {
        TransactionTemplate template = transaction();
        template.setPropagationBehavior(propagation);
        return template;
    }

    @Test
    void rowAndWorkflowAreCommittedTogether() {
        OrderView started = service.start(id, "labels", 2);
        assertThat(hasRow(id)).isTrue();
        assertThat(revision(id)).isEqualTo("1");
        OrderView moved = service.advance(id, ANY);
        assertThat(moved.stage()).isEqualTo(moved.workflow().stage()).isNotEqualTo(started.stage());
        assertThat(stored("select stage from purchase_order where id = %s", id)).isEqualTo(moved.stage());
        assertThat(revision(id)).isEqualTo("2");
    }

    @Test
    void anExceptionTakesBothBack() {
        assertThatThrownBy(() -> trials.breakAfter(() -> service.start(id, "labels", 2)))
                .isInstanceOf(Trials.Broken.class);
        assertThat(hasRow(id)).isFalse();
        assertThat(hasWorkflow(id)).isFalse();
    }

    @Test
    void aMarkToRollBackTakesBothBack() {
        service.start(id, "labels", 2);
        transaction().executeWithoutResult(status -> {
            service.advance(id, ANY);
            status.setRollbackOnly();
        });
        assertThat(revision(id)).isEqualTo("1");
        assertThat(service.find(id).stage()).isEqualTo("received");
    }

    @Test
    void aRowThatTheDatabaseRefusesAtTheCommitTakesTheWorkflowAlong() {
        assertThatThrownBy(() -> service.start(id, "labels", 0)).isInstanceOf(DataIntegrityViolationException.class);
        assertThat(hasWorkflow(id)).isFalse();
    }

    @Test
    void badInputIsRefusedAsItselfAndNothingIsWritten() {
        String tooLong = "x".repeat(129);
        assertThatThrownBy(() -> service.start(tooLong, "labels", 1)).isInstanceOf(InvalidValueException.class);
        assertThat(hasRow(tooLong)).isFalse();
    }

    @Test
    void withoutATransactionAJoiningFacadeRefuses() {
        assertThatThrownBy(() -> joined.find(id)).isInstanceOf(NoTransactionException.class);
        transaction(TransactionDefinition.PROPAGATION_SUPPORTS)
                .executeWithoutResult(
                        status -> assertThatThrownBy(() -> joined.find(id)).isInstanceOf(NoTransactionException.class));
        transaction()
                .executeWithoutResult(outer -> transaction(TransactionDefinition.PROPAGATION_NOT_SUPPORTED)
                        .executeWithoutResult(status ->
                                assertThatThrownBy(() -> joined.find(id)).isInstanceOf(NoTransactionException.class)));
    }

    @Test
    void aLostRaceLeavesTheTransactionUsable() {
        service.start(id, "labels", 2);
        service.advance(id, ANY);
        String other = id + "-other";
        transaction().executeWithoutResult(status -> {
            assertThat(joined.create(Moves.first(id), Map.of())).isInstanceOf(Creation.Taken.class);
            orders.save(new PurchaseOrder(other, "labels", 1, "received"));
        });
        assertThat(hasRow(other)).isTrue();
    }

    @Test
    void aCaughtRefusalOfBadInputLeavesTheTransactionUsable() {
        transaction().executeWithoutResult(status -> {
            assertThatThrownBy(() -> joined.list("", 0)).isInstanceOf(HoldfastException.class);
            orders.save(new PurchaseOrder(id, "labels", 1, "received"));
        });
        assertThat(hasRow(id)).isTrue();
    }

    @Test
    void anInnerTransactionOfItsOwnIsCommittedThoughTheOuterOneIsRolledBack() {
        service.start(id, "labels", 2);
        trials.nested(id);
        assertThat(revision(id)).isEqualTo("2");
        assertThat(item(id)).isEqualTo("labels");
    }

    @Test
    void anInnerTransactionOfItsOwnThatIsRolledBackLeavesTheOuterOneAlone() {
        service.start(id, "labels", 2);
        transaction().executeWithoutResult(outer -> {
            orders.findById(id).orElseThrow().changeItem("boxes");
            assertThatThrownBy(() -> transaction(TransactionDefinition.PROPAGATION_REQUIRES_NEW)
                            .executeWithoutResult(status -> {
                                inner.advanceAlone(id + "-unknown");
                            }))
                    .isInstanceOf(NoSuchOrder.class);
            Workflow read = joined.find(id).orElseThrow();
            assertThat(joined.update(read, Moves.next(read))).isInstanceOf(Update.Updated.class);
        });
        assertThat(item(id)).isEqualTo("boxes");
        assertThat(revision(id)).isEqualTo("2");
    }

    @Test
    void aNestedTransactionIsRefusedBySpringBeforeAnythingHappens() {
        service.start(id, "labels", 2);
        transaction().executeWithoutResult(outer -> {
            assertThatThrownBy(() -> inner.advanceNested(id))
                    .isInstanceOf(NestedTransactionNotSupportedException.class);
            orders.findById(id).orElseThrow().changeItem("boxes");
        });
        assertThat(item(id)).isEqualTo("boxes");
        assertThat(revision(id)).isEqualTo("1");
    }

    @Test
    void theOtherFacadeCommitsInTheMiddleOfATransactionThatIsRolledBack() {
        transaction().executeWithoutResult(status -> {
            orders.saveAndFlush(new PurchaseOrder(id, "labels", 1, "received"));
            assertThat(alone.create(Moves.first(id), Map.of())).isInstanceOf(Creation.Created.class);
            status.setRollbackOnly();
        });
        assertThat(hasRow(id)).isFalse();
        assertThat(hasWorkflow(id)).isTrue();
    }

    @Test
    void aReadOnlyTransactionReadsAndDoesNotWrite() {
        service.start(id, "labels", 2);
        TransactionTemplate readOnly = transaction();
        readOnly.setReadOnly(true);
        assertThat(readOnly.<Long>execute(
                        status -> joined.find(id).orElseThrow().revision()))
                .isEqualTo(1);
        assertThatThrownBy(() -> readOnly.executeWithoutResult(status -> joined.requestCancel(id, "")))
                .isInstanceOf(StoreUnavailableException.class);
        assertThat(service.find(id).workflow().revision()).isEqualTo(1);
        service.advance(id, ANY);
    }

    @Test
    void whoCatchesAnExceptionOfAMethodThatTookPartHearsOfItAtTheCommit() {
        service.start(id, "labels", 2);
        assertThatThrownBy(() -> transaction().executeWithoutResult(status -> {
                    orders.findById(id).orElseThrow().changeItem("boxes");
                    try {
                        service.advance(id, OptionalLong.of(7));
                    } catch (OrderConflict e) {
                        return;
                    }
                }))
                .isInstanceOf(UnexpectedRollbackException.class);
        assertThat(item(id)).isEqualTo("labels");
    }

    @Test
    void aChangedEntityIsNeitherFlushedNorDetached() {
        service.start(id, "labels", 2);
        assertThat(trials.dirty(id)).isEqualTo(new Trials.Dirty(false, true, "labels, changed"));
        assertThat(item(id)).isEqualTo("labels, changed");
        assertThat(revision(id)).isEqualTo("2");
    }
}
