package io.holdfast.example.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.failure.NoTransactionException;
import io.holdfast.failure.TransactionLostException;
import io.holdfast.repository.Holdfast;
import io.holdfast.workflow.Update;
import io.holdfast.workflow.Workflow;
import io.holdfast.workflow.Workflows;
import java.util.OptionalLong;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.Import;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Isolation;
import org.springframework.transaction.annotation.Transactional;

/** Holdfast's exceptions come through Spring's proxies as they are, and say what is worth a repeat. */
@Import({RetryTest.Strict.class, RetryTest.Translated.class})
class RetryTest extends OnDatabase {

    /** Reads from a snapshot, and so loses to whoever writes meanwhile. */
    static class Strict {

        private final Workflows joined;
        private final Workflows rival;
        private int attempts;

        Strict(Holdfast joining, Holdfast own) {
            this.joined = joining.in(HoldfastBeans.ORDERS).workflows();
            this.rival = own.in(HoldfastBeans.ORDERS).workflows();
        }

        @Transactional(isolation = Isolation.REPEATABLE_READ)
        public Update once(String id) {
            return moved(id, true);
        }

        @RetryWhenRetryable
        @Transactional(isolation = Isolation.REPEATABLE_READ)
        public Update repeated(String id) {
            return moved(id, attempts++ < 2);
        }

        /** Asked of the bean: a field of its proxy says nothing. */
        public int attempts() {
            return attempts;
        }

        private Update moved(String id, boolean raced) {
            Workflow read = joined.find(id).orElseThrow();
            if (raced) {
                rival.update(read, Moves.next(read));
            }
            return joined.update(read, Moves.next(read));
        }
    }

    /** Spring translates what a repository throws, if it is of JPA or Hibernate. */
    @Repository
    static class Translated {

        private final Workflows joined;
        private final Workflows rival;

        Translated(Holdfast joining, Holdfast own) {
            this.joined = joining.in(HoldfastBeans.ORDERS).workflows();
            this.rival = own.in(HoldfastBeans.ORDERS).workflows();
        }

        public void outsideATransaction(String id) {
            joined.requestCancel(id, "");
        }

        @Transactional(isolation = Isolation.REPEATABLE_READ)
        public void losing(String id) {
            Workflow read = joined.find(id).orElseThrow();
            rival.update(read, Moves.next(read));
            joined.update(read, Moves.next(read));
        }
    }

    @Autowired
    private OrderService service;

    @Autowired
    private Strict strict;

    @Autowired
    private Translated translated;

    private final String id = "order-" + UUID.randomUUID();

    @Test
    void aLostTransactionIsThrownAsItIsAndRolledBack() {
        service.start(id, "labels", 1);
        assertThatThrownBy(() -> strict.once(id))
                .isInstanceOfSatisfying(
                        TransactionLostException.class,
                        e -> assertThat(e.retryable()).isTrue());
        assertThat(revision(id)).isEqualTo("2"); // the rival's
    }

    @Test
    void aRetryRepeatsTheWholeTransaction() {
        service.start(id, "labels", 1);
        assertThat(strict.repeated(id)).isInstanceOf(Update.Updated.class);
        assertThat(strict.attempts()).isEqualTo(3);
        assertThat(revision(id)).isEqualTo("4"); // two of the rival's, then its own
    }

    @Test
    void whatIsNotWorthARepeatIsNotRepeated() {
        service.start(id, "labels", 1);
        assertThatThrownBy(() -> service.advance(id, OptionalLong.of(9))).isInstanceOf(OrderConflict.class);
        assertThat(new RetryWhenRetryable.Judge()
                        .shouldRetry(getClass().getDeclaredMethods()[0], new OrderConflict("no")))
                .isFalse();
    }

    @Test
    void theTranslationForRepositoriesHidesNothing() {
        assertThatThrownBy(() -> translated.outsideATransaction(id)).isInstanceOf(NoTransactionException.class);
        service.start(id, "labels", 1);
        assertThatThrownBy(() -> translated.losing(id)).isInstanceOf(TransactionLostException.class);
    }
}
