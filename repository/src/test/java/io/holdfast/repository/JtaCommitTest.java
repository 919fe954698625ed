package io.holdfast.repository;

import static io.holdfast.repository.JtaScene.TRANSACTIONS;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.failure.OutcomeUnknownException;
import io.holdfast.failure.StoreUnavailableException;
import io.holdfast.failure.TransactionLostException;
import io.holdfast.testing.ServerProxy;
import io.holdfast.testing.TestDatabase;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the commit of a JTA transaction of ours can answer, and what the caller hears of it. */
class JtaCommitTest {

    private static JtaScene scene;
    private static Holdfast holdfast;
    private static ServerProxy proxy;

    @BeforeAll
    static void open() {
        scene = JtaScene.over(JtaUnit.Resource.LOCAL, 1);
        holdfast = scene.jta();
        proxy = ServerProxy.to(scene.database);
    }

    @AfterAll
    static void close() {
        scene.close();
        proxy.close();
    }

    @AfterEach
    void tidy() throws Exception {
        JtaScene.tidy();
    }

    /** Another resource in the same transaction, which does as it likes when asked to prepare, or told to commit. */
    private record Other(int atPrepare, int atCommit) implements XAResource {

        void enlist() {
            try {
                TRANSACTIONS.getTransaction().enlistResource(this);
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        }

        @Override
        public int prepare(Xid xid) throws XAException {
            if (atPrepare != 0) {
                throw new XAException(atPrepare);
            }
            return XA_OK;
        }

        @Override
        public void commit(Xid xid, boolean onePhase) throws XAException {
            if (atCommit != 0) {
                throw new XAException(atCommit);
            }
        }

        @Override
        public void rollback(Xid xid) {}

        @Override
        public void start(Xid xid, int flags) {}

        @Override
        public void end(Xid xid, int flags) {}

        @Override
        public void forget(Xid xid) {}

        @Override
        public boolean isSameRM(XAResource other) {
            return other == this;
        }

        @Override
        public Xid[] recover(int flag) {
            return new Xid[0];
        }

        @Override
        public int getTransactionTimeout() {
            return 0;
        }

        @Override
        public boolean setTransactionTimeout(int seconds) {
            return false;
        }
    }

    private static Thrown committedBeside(Other other, String id) {
        return Thrown.by(() -> holdfast.atomically(bound -> {
            scene.worker(bound, id).created();
            other.enlist();
            return "done";
        }));
    }

    /** At the vote, or after it: then this transaction manager has had time to take the rest back. */
    @ParameterizedTest
    @CsvSource({XAException.XA_RBROLLBACK + ",0", "0," + XAException.XA_HEURRB})
    void aCommitThatIsAnsweredRolledBackHasWrittenNothingAndIsRetryable(int atPrepare, int atCommit) {
        committedBeside(new Other(atPrepare, atCommit), "voted" + atCommit)
                .is(StoreUnavailableException.class, true)
                .with("operation", "transaction");
        assertThat(scene.workflows()).doesNotContain("voted");
        scene.worker(holdfast, "after-the-vote" + atCommit).created();
    }

    @ParameterizedTest
    @ValueSource(ints = {XAException.XA_HEURMIX, XAException.XA_HEURHAZ})
    void aHeuristicAnswerIsAnUnknownOutcome(int answer) {
        committedBeside(new Other(0, answer), "heuristic" + answer).is(OutcomeUnknownException.class, true);
        scene.worker(holdfast, "after" + answer).created();
    }

    static Stream<Arguments> kindsAndStates() {
        return Stream.of(JtaUnit.Resource.values())
                .flatMap(kind -> Stream.of(Arguments.of(kind, "23514", 1), Arguments.of(kind, "40001", 4)))
                .limit(3); // of the last, the driver's two phases tell only that they failed: an unknown outcome
    }

    /** What the database refuses at the commit itself, as a deferred constraint; a lost race is repeated three times. */
    @ParameterizedTest
    @MethodSource("kindsAndStates")
    void aCommitThatTheDatabaseRefusesIsToldByItsReason(JtaUnit.Resource kind, String state, int attempts) {
        try (TestDatabase database = TestDatabase.migrated("refuses")) {
            database.execute(
                    "create sequence public.attempt",
                    "create function public.refuse() returns trigger language plpgsql as $$ begin perform"
                            + " nextval('public.attempt'); raise sqlstate '" + state + "'; end $$",
                    "create constraint trigger refuse after insert on holdfast.workflow deferrable initially deferred"
                            + " for each row execute function public.refuse()");
            try (JtaScene refusing = JtaScene.over(kind, database, 1);
                    Holdfast jta = refusing.jta()) {
                Thrown thrown =
                        Thrown.by(() -> refusing.worker(jta, "wf").created()).with("sqlstate", state);
                assertThat(thrown.exception())
                        .isExactlyInstanceOf(
                                state.equals("40001")
                                        ? TransactionLostException.class
                                        : StoreUnavailableException.class);
                assertThat(thrown.exception().retryable()).isEqualTo(state.equals("40001"));
                assertThat(refusing.workflows()).isEmpty();
                assertThat(database.value("select last_value from public.attempt"))
                        .isEqualTo(String.valueOf(attempts));
                assertThat(refusing.worker(jta, "wf").stores().workflows().find("wf"))
                        .isEmpty();
            }
        }
    }

    static Stream<Arguments> kindsAndWrites() {
        return Stream.of(JtaUnit.Resource.values())
                .flatMap(kind -> UnknownOutcomeTest.writes().map(write -> Arguments.of(kind, write)));
    }

    static Stream<UnknownOutcomeTest.Write> writes() {
        return UnknownOutcomeTest.writes();
    }

    private static Proxied throughTheProxy(JtaUnit.Resource kind) {
        return kind == JtaUnit.Resource.LOCAL ? Proxied.LOCAL : Proxied.XA;
    }

    /** A facade over a pool of one connection, which can be cut. */
    private record Proxied(JtaScene scene, Holdfast holdfast) {

        static final Proxied LOCAL = over(JtaUnit.Resource.LOCAL);
        static final Proxied XA = over(JtaUnit.Resource.XA);

        private static Proxied over(JtaUnit.Resource kind) {
            JtaScene lossy = JtaScene.over(JtaUnit.pool(kind, proxy.url(), 1));
            Proxied proxied = new Proxied(lossy, lossy.jta());
            proxied.worker("floor").acquired("a");
            return proxied;
        }

        Worker worker(String id) {
            return scene.worker(holdfast, id.replace(' ', '-'));
        }
    }

    // G-13: the pools answer "rolled back", or a heuristic; neither is known.
    @ParameterizedTest
    @MethodSource("kindsAndWrites")
    void aCommitWhoseAnswerIsLostIsAnUnknownOutcomeAndRecognisedByItsRepetition(
            JtaUnit.Resource kind, UnknownOutcomeTest.Write write) {
        Supplier<?> call = write.prepare().apply(throughTheProxy(kind).worker("done " + write.name()));
        UnknownOutcomeTest.unknown(call, proxy.cutAtCommit(true));
        UnknownOutcomeTest.answers(call, write.ifDone());
    }

    @ParameterizedTest
    @MethodSource("writes")
    void aCommitThatNeverArrivedIsAnUnknownOutcomeAndNotTakenForDone(UnknownOutcomeTest.Write write) {
        Supplier<?> call = write.prepare().apply(Proxied.LOCAL.worker("lost " + write.name()));
        UnknownOutcomeTest.unknown(call, proxy.cutAtCommit(false));
        UnknownOutcomeTest.answers(call, write.ifNot());
    }

    @ParameterizedTest
    @EnumSource
    void aConnectionThatBreaksBeforeTheCommitHasWrittenNothing(JtaUnit.Resource kind) {
        Worker worker = throughTheProxy(kind).worker("broken");
        ServerProxy.Strike strike = proxy.cutAfter("lock_timeout");
        Thrown.by(worker::created).is(StoreUnavailableException.class, true);
        assertThat(strike.happened()).isTrue();
        worker.created();
    }

    @ParameterizedTest
    @EnumSource
    void aReadIsNeverInDoubt(JtaUnit.Resource kind) {
        Worker worker = throughTheProxy(kind).worker("read");
        ServerProxy.Strike strike = proxy.cutAtCommit(true);
        Thrown.by(() -> worker.stores().workflows().find("read")).is(StoreUnavailableException.class, true);
        assertThat(strike.happened()).isTrue();
    }
}
