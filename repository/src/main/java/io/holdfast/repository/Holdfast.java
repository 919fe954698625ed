package io.holdfast.repository;

import io.holdfast.Scope;
import io.holdfast.cleanup.Cleanup;
import io.holdfast.codec.Given;
import io.holdfast.failure.InvalidValueException;
import io.holdfast.failure.StoreUnavailableException;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import javax.sql.DataSource;

/**
 * The way in. Whose transaction a call is part of is decided here, once, by how the facade is opened:
 *
 * <ul>
 *   <li>{@link #open(Settings)}, {@link #open(DataSource)} and {@link #over}: each call is a transaction of its own, and
 *       {@link #atomically} makes one of many. For plain Java, tools, and heartbeats beside a business transaction.
 *   <li>{@link #jta}: the same where transactions are JTA's: each call suspends the caller's transaction, begins and commits
 *       one of its own, and resumes.
 *   <li>{@link #joining}: each call takes part in the caller's transaction, and is refused when there is none. For writes that
 *       belong to a business transaction.
 * </ul>
 *
 * An application may hold one of each. A facade is thread-safe and meant to be kept; closing it closes what it opened, never
 * a host's pool or persistence unit.
 */
public final class Holdfast implements AutoCloseable {

    private final Observing observing;
    private final ReadinessCheck readiness;
    private final Consumer<Observer> pool;
    private final Runnable closing;
    private final AtomicBoolean closed;

    private Holdfast(
            Observing observing,
            ReadinessCheck readiness,
            Consumer<Observer> pool,
            Runnable closing,
            AtomicBoolean closed) {
        this.observing = observing;
        this.readiness = readiness;
        this.pool = pool;
        this.closing = closing;
        this.closed = closed;
    }

    /**
     * Opens a pool of Holdfast's own. Needs HikariCP and the PostgreSQL driver on the class path.
     *
     * @throws io.holdfast.failure.InvalidValueException if the settings have no endpoint
     * @throws io.holdfast.failure.SchemaMismatchException if the tables are missing, older or newer; the message says what to
     *     call
     * @throws io.holdfast.failure.StoreDeniedException if the login, the database or a privilege is refused
     * @throws io.holdfast.failure.StoreUnavailableException if the database cannot be reached, or there is no pool or driver
     */
    public static Holdfast open(Settings settings) {
        return Opening.open(Given.value("settings", settings));
    }

    /** As {@link #open(DataSource, Settings)}, with {@link Settings#DEFAULT}. */
    public static Holdfast open(DataSource dataSource) {
        return open(dataSource, Settings.DEFAULT);
    }

    /**
     * Opens over the host's data source. Closing does not close it.
     *
     * @throws io.holdfast.failure.SchemaMismatchException as {@link #open(Settings)}
     */
    public static Holdfast open(DataSource dataSource, Settings settings) {
        return Opening.open(Given.value("dataSource", dataSource), Given.value("settings", settings));
    }

    /** As {@link #over(EntityManagerFactory, Settings)}, with {@link Settings#DEFAULT}. */
    public static Holdfast over(EntityManagerFactory factory) {
        return over(factory, Settings.DEFAULT);
    }

    /**
     * Opens over the host's persistence unit, which has the entities; each call commits by itself.
     *
     * @throws io.holdfast.failure.InvalidValueException if the unit's transactions are JTA's: see {@link #jta}
     * @throws io.holdfast.failure.SchemaMismatchException as {@link #open(Settings)}
     */
    public static Holdfast over(EntityManagerFactory factory, Settings settings) {
        return Opening.over(Given.value("factory", factory), Given.value("settings", settings));
    }

    /** As {@link #jta(EntityManagerFactory, Settings)}, with {@link Settings#DEFAULT}. */
    public static Holdfast jta(EntityManagerFactory factory) {
        return jta(factory, Settings.DEFAULT);
    }

    /**
     * Opens over the host's JTA persistence unit, which has the entities. Each call is a JTA transaction of its own, begun and
     * committed by the transaction manager that Hibernate knows for the unit; the caller's is suspended meanwhile and resumed
     * afterwards, also when the call fails. With {@link #atomically} it is one transaction, which whatever else the code does
     * on its thread takes part in.
     *
     * <p>While the caller has a transaction with a connection, a call needs a second one: a pool of one is not enough. The
     * transaction manager's timeout is as the caller's thread has it; the command timeout bounds each statement within it. A
     * transaction that is rolled back by the transaction manager, at its timeout say, is retryable and has written nothing; a
     * commit whose answer is lost, or is heuristic, is {@link io.holdfast.failure.OutcomeUnknownException}. If the caller's
     * transaction cannot be resumed after a call that was done, the call throws
     * {@link io.holdfast.failure.TransactionLostException}.
     *
     * @throws io.holdfast.failure.InvalidValueException if the unit's transactions are not JTA's, if Hibernate knows no
     *     transaction manager, or if the unit's data source takes no part in JTA's transactions
     * @throws io.holdfast.failure.SchemaMismatchException as {@link #open(Settings)}
     */
    public static Holdfast jta(EntityManagerFactory factory, Settings settings) {
        return Opening.jta(Given.value("factory", factory), Given.value("settings", settings));
    }

    /**
     * Takes part in the transaction of this {@code EntityManager}, or of the one that a container's proxy stands for. Its
     * pending changes are neither flushed nor cleared. Looks at nothing before the first call.
     *
     * <p>In a JTA unit the transaction is that of the calling thread, and the {@code EntityManager} joins it unless it was made
     * unsynchronized. A call in a transaction that is marked for rollback, or was rolled back at its timeout, is refused with
     * {@link io.holdfast.failure.TransactionLostException}.
     *
     * <p>An operation that throws because the database refused it has ended that transaction. Let the exception out: whoever
     * catches it and commits commits nothing, and Hibernate says so only with {@code hibernate.jpa.compliance.transaction}.
     */
    public static Holdfast joining(EntityManager entityManager) {
        return joining(entityManager, Settings.DEFAULT);
    }

    /** As {@link #joining(EntityManager)}; of the settings only the command timeout is used. */
    public static Holdfast joining(EntityManager entityManager, Settings settings) {
        return Opening.joining(Given.value("entityManager", entityManager), Given.value("settings", settings));
    }

    static Holdfast of(Transactions transactions, Runnable closing) {
        return of(transactions, observer -> {}, closing);
    }

    /** @param pool told of those who want to hear of waits for its connections */
    static Holdfast of(Transactions transactions, Consumer<Observer> pool, Runnable closing) {
        return of(new Observing(transactions), pool, closing);
    }

    private static Holdfast of(Observing observing, Consumer<Observer> pool, Runnable closing) {
        return new Holdfast(
                observing, new ReadinessCheck(observing.transactions()), pool, closing, new AtomicBoolean());
    }

    /**
     * The same facade with somebody who watches what goes through what is returned: for metrics and traces. A keeper over it is
     * watched as well. Of two the second begins inside the first.
     *
     * <p>It stands for the same connections: closing either closes both. The wait for a connection of Holdfast's own pool is
     * told from the first call of this on, whoever waits.
     */
    public Holdfast observed(Observer observer) {
        Observer guarded = new GuardedObserver(Given.value("observer", observer));
        pool.accept(guarded);
        return new Holdfast(observing.with(guarded), readiness, pool, closing, closed);
    }

    /** The stores of a scope. */
    public Stores in(Scope scope) {
        return new Stores(observing(), Given.value("scope", scope));
    }

    /** Clean-up of all scopes. */
    public Cleanup cleanup() {
        return new ObservedCleanup(observing(), Optional.empty());
    }

    /**
     * Runs code with a facade that is bound to one transaction: all that it does through that facade happens, or nothing. An
     * exception rolls back and comes out as it is. Isolation is READ COMMITTED where the transaction is Holdfast's own; it is
     * not repeated when it loses a race, since only the caller knows whether its code may run twice. An operation that throws
     * because the database refused it has ended the transaction: code that catches this and returns gets it thrown again.
     *
     * <p>Inside another, it is part of that one, which its exception ends as well. A joining facade runs the code in the
     * caller's transaction, which after an exception is the caller's to roll back.
     *
     * <p>What was answered in a transaction that was rolled back was never so: forget it and read anew. A later state may
     * have the revision of one that was never stored, and a later grant or reservation its number.
     *
     * <p>The bound facade is for the thread that runs the code, and ends with it.
     */
    public <R> R atomically(Function<Holdfast, R> code) {
        Given.value("code", code);
        return observing()
                .call(
                        Operation.TRANSACTION,
                        on -> on.atomically(bound -> code.apply(of(observing.over(bound), observer -> {}, () -> {}))),
                        answer -> Outcome.DONE);
    }

    /**
     * Whether there is a database that takes writes and has the right tables. Answers within 3 seconds whatever happens, and
     * throws nothing but for what is named here; who asks while it is being looked at shares that answer.
     *
     * @throws io.holdfast.failure.InvalidValueException if this facade takes part in a caller's transaction: ask one that
     *     commits by itself
     */
    public Readiness readiness() {
        Transactions transactions = observing.transactions();
        if (transactions.isCallers()) {
            throw new InvalidValueException(
                    "readiness", "be asked of a facade that commits by itself, not of one in a caller's transaction");
        }
        return closed.get() ? Readiness.no("this Holdfast has been closed", "CLOSED", Map.of()) : readiness.ask();
    }

    Transactions open() {
        return observing().transactions();
    }

    /** Also of a facade that has been closed. */
    Observing watched() {
        return observing;
    }

    Observing observing() {
        if (closed.get()) {
            throw isClosed();
        }
        return observing;
    }

    static StoreUnavailableException isClosed() {
        return new StoreUnavailableException(false, "This Holdfast has been closed", Map.of("cause", "closed"));
    }

    /**
     * Closes what this facade opened; a second time does nothing. Calls after that are refused, also of stores that were had
     * before, unless they take part in a caller's transaction.
     */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            closing.run();
        }
    }
}
