package io.holdfast.repository;

import static io.holdfast.repository.JtaScene.TRANSACTIONS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.failure.OutcomeUnknownException;
import io.holdfast.failure.StoreUnavailableException;
import io.holdfast.failure.TransactionLostException;
import io.holdfast.repository.Transactions.Effect;
import jakarta.transaction.HeuristicMixedException;
import jakarta.transaction.HeuristicRollbackException;
import jakarta.transaction.InvalidTransactionException;
import jakarta.transaction.NotSupportedException;
import jakarta.transaction.RollbackException;
import jakarta.transaction.Status;
import jakarta.transaction.SystemException;
import jakarta.transaction.Transaction;
import jakarta.transaction.TransactionManager;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.SQLException;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a transaction manager can throw, and the caller's transaction meanwhile: it is there again afterwards, always. */
class RequiresNewTest {

    private static final Supplier<String> WORK = () -> "done";

    @AfterEach
    void tidy() throws Exception {
        JtaScene.tidy();
    }

    /** The real one, which fails in the named methods: after it has done what they ask for. */
    private static RequiresNew failing(Map<String, Throwable> failures) {
        return new RequiresNew((TransactionManager) Proxy.newProxyInstance(
                TransactionManager.class.getClassLoader(),
                new Class<?>[] {TransactionManager.class},
                (proxy, method, arguments) -> {
                    Object answer;
                    try {
                        answer = method.invoke(TRANSACTIONS, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                    if (failures.containsKey(method.getName())) {
                        throw failures.get(method.getName());
                    }
                    return answer;
                }));
    }

    private static RequiresNew failing(String method, Throwable failure) {
        return failing(Map.of(method, failure));
    }

    static Stream<Throwable> noAnswers() {
        return Stream.of(
                new HeuristicMixedException(),
                new HeuristicRollbackException(),
                new SystemException(),
                new SecurityException(),
                new IllegalStateException(),
                lostConnection());
    }

    /** As pools do: "rolled back", because the only resource did not answer. */
    private static RollbackException lostConnection() {
        RollbackException answer = new RollbackException();
        Exception resource = new Exception(new SQLException("lost", "08006"));
        answer.addSuppressed(resource);
        return answer;
    }

    @ParameterizedTest
    @MethodSource("noAnswers")
    void aCommitWithoutAClearAnswerIsAnUnknownOutcomeOfAWriteAndNothingOfARead(Throwable answer) throws Exception {
        TRANSACTIONS.begin();
        Transaction callers = TRANSACTIONS.getTransaction();
        RequiresNew transaction = failing("commit", answer);
        Thrown.by(() -> transaction.run("operation", Effect.WRITE, WORK))
                .is(OutcomeUnknownException.class, true)
                .with("operation", "operation");
        Thrown.by(() -> transaction.run("operation", Effect.READ, WORK)).is(StoreUnavailableException.class, true);
        assertThat(TRANSACTIONS.getTransaction()).isSameAs(callers);
    }

    @Test
    void aCommitThatAnswersRolledBackIsBelievedIfNothingSpeaksAgainstIt() throws Exception {
        TRANSACTIONS.begin();
        Transaction callers = TRANSACTIONS.getTransaction();
        Thrown.by(() -> failing("commit", new RollbackException()).run("operation", Effect.WRITE, WORK))
                .is(StoreUnavailableException.class, true);
        assertThat(TRANSACTIONS.getTransaction()).isSameAs(callers);
    }

    @Test
    void aTransactionManagerThatBeginsNothingLeavesTheCallersTransactionInPlace() throws Exception {
        TRANSACTIONS.begin();
        Transaction callers = TRANSACTIONS.getTransaction();
        for (Throwable failure : new Throwable[] {new NotSupportedException(), new SystemException()}) {
            Thrown.by(() -> failing("begin", failure).run("operation", Effect.WRITE, WORK))
                    .is(StoreUnavailableException.class, true);
            assertThat(TRANSACTIONS.getTransaction()).isSameAs(callers);
        }
    }

    @Test
    void aTransactionThatCannotBeSuspendedIsLeftAloneAndNothingIsDone() {
        Thrown.by(() -> failing("suspend", new SystemException()).run("operation", Effect.WRITE, () -> {
                    throw new AssertionError("ran");
                }))
                .is(StoreUnavailableException.class, true);
    }

    /** The thread has no transaction then: who went on as if it had would have each statement commit by itself. */
    @Test
    void aCallersTransactionThatCannotBeResumedIsToldAlsoWhenTheCallWasDone() throws Exception {
        RequiresNew transaction = failing("resume", new InvalidTransactionException());
        TRANSACTIONS.begin();
        Thrown.by(() -> transaction.run("operation", Effect.WRITE, WORK)).is(TransactionLostException.class, true);
        IllegalStateException broken = new IllegalStateException("the application's own");
        assertThatThrownBy(() -> transaction.run("operation", Effect.WRITE, () -> {
                    throw broken;
                }))
                .isSameAs(broken);
    }

    @Test
    void aCallersTransactionThatTimesOutWhileItIsSuspendedIsResumedAsItIs() throws Exception {
        TRANSACTIONS.setTransactionTimeout(1);
        TRANSACTIONS.begin();
        TRANSACTIONS.setTransactionTimeout(0);
        Transaction callers = TRANSACTIONS.getTransaction();
        String answer = new RequiresNew(TRANSACTIONS).run("operation", Effect.WRITE, () -> {
            org.awaitility.Awaitility.await().until(() -> callers.getStatus() != Status.STATUS_ACTIVE);
            return "done";
        });
        assertThat(answer).isEqualTo("done");
        assertThat(TRANSACTIONS.getTransaction()).isSameAs(callers);
        assertThat(callers.getStatus()).isNotEqualTo(Status.STATUS_ACTIVE);
    }

    /** It may have been committed, and there is nothing left to be committed here. */
    @Test
    void codeThatEndsTheTransactionItselfLeavesAnUnknownOutcome() throws Exception {
        TRANSACTIONS.begin();
        Transaction callers = TRANSACTIONS.getTransaction();
        Thrown.by(() -> new RequiresNew(TRANSACTIONS).run("operation", Effect.WRITE, () -> ended(false)))
                .is(OutcomeUnknownException.class, true);
        assertThat(TRANSACTIONS.getTransaction()).isSameAs(callers);
        Thrown.by(() -> new RequiresNew(TRANSACTIONS).run("operation", Effect.WRITE, () -> ended(true)))
                .is(OutcomeUnknownException.class, true);
        assertThat(TRANSACTIONS.getTransaction())
                .as("not the one that was left behind")
                .isSameAs(callers);
    }

    private static String ended(boolean leaveAnother) {
        try {
            TRANSACTIONS.commit();
            if (leaveAnother) {
                TRANSACTIONS.begin();
            }
            return "done";
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
