package io.holdfast.failure;

import io.holdfast.HoldfastException;
import java.io.IOException;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransientConnectionException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Makes one of Holdfast's exceptions of whatever the driver, the pool or Hibernate threw, by the table of this package.
 * Nothing of the original's text is carried over: it may hold a connection string, SQL or a payload. What is kept are
 * the facts {@code operation} and {@code sqlstate}, or for want of a state {@code cause}: the class of what it came from. Of a
 * foreign key that was violated, also its name as {@code constraint}, where the server speaks English.
 */
public final class SqlStates {

    private static final Set<String> SCHEMA = Set.of("42P01", "42703", "42883", "3F000");
    private static final String LOGIN = "the database refused the login: check user and password";
    private static final Map<String, String> DENIED = Map.of(
            "42501",
            "this role lacks a privilege: it needs usage on the schema, on its tables select, insert, update, delete,"
                    + " and on its functions execute",
            "3D000",
            "there is no such database",
            "0LP01",
            "this role may not grant that privilege");
    // 25P03 and 25P04: the server's limits on idling in a transaction and on its whole length; both end the connection.
    private static final Set<String> CONNECTION_ENDED =
            Set.of("57P01", "57P02", "57P03", "57P04", "57P05", "25P03", "25P04");

    /** What a program throws that is wrong; neither the driver nor the network does. */
    private static final Set<Class<? extends RuntimeException>> MISTAKES = Set.of(
            NullPointerException.class,
            ClassCastException.class,
            IllegalStateException.class,
            IllegalArgumentException.class,
            IndexOutOfBoundsException.class,
            ArithmeticException.class,
            UnsupportedOperationException.class);

    /** What the server says of it, before the first thing that could be anybody's: names stand in quotes. */
    private static final Pattern FOREIGN_KEY =
            Pattern.compile("foreign key constraint \"([^\"\\p{Cntrl}]{1,63})\" on table");

    private static final Set<String> NOT_CONNECTED = Set.of("08001", "08004", "57P03");

    private SqlStates() {}

    /** For reads, and for everything that fails before a write's answer is due. */
    public static HoldfastException classify(String operation, Throwable error) {
        return classify(operation, error, false);
    }

    /**
     * The exception to throw. One of Holdfast's own in the chain of causes is returned as it is.
     *
     * @param operation what was attempted, a constant of the library
     * @param answerDue whether a commit, or a write that commits by itself, had been sent and its answer was due. Then a
     *     connection that ended is {@link OutcomeUnknownException}: nobody knows whether it was written
     */
    public static HoldfastException classify(String operation, Throwable error, boolean answerDue) {
        List<Throwable> chain = chain(error);
        for (Throwable link : chain) {
            if (link instanceof HoldfastException ours) {
                return ours;
            }
        }
        String state = state(chain);
        Map<String, String> details = new TreeMap<>(Map.of("operation", operation));
        if (state != null) {
            details.put("sqlstate", state);
        } else {
            details.put("cause", simpleName(root(chain)));
        }
        if (answerDue && connectionEnded(state, chain)) {
            return new OutcomeUnknownException(
                    operation + ": the connection was lost when the answer was due; it may have been written or not"
                            + inBrackets(state),
                    details);
        }
        if (state == null) {
            return withoutState(operation, chain, details);
        }
        return state.equals("23503") || state.equals("23001")
                ? referredTo(operation, state, chain, details)
                : byState(operation, state, details);
    }

    private static HoldfastException referredTo(
            String operation, String state, List<Throwable> chain, Map<String, String> details) {
        Optional<String> key = chain.stream()
                .filter(SQLException.class::isInstance)
                .map(link -> FOREIGN_KEY.matcher(String.valueOf(link.getMessage())))
                .filter(Matcher::find)
                .map(found -> found.group(1))
                .findFirst();
        key.ifPresent(name -> details.put("constraint", name));
        return new StateConflictException(
                operation + ": a foreign key of the application's"
                        + key.map(name -> ", " + name + ",").orElse("") + " refers to what was to go"
                        + inBrackets(state),
                details);
    }

    private static HoldfastException byState(String operation, String state, Map<String, String> details) {
        String told = inBrackets(state);
        if (state.equals("57014") || state.equals("55P03")) {
            return new StoreTimeoutException(operation + ": took longer than allowed and was given up" + told, details);
        }
        if (state.startsWith("08")
                || state.startsWith("53")
                || state.equals("25006")
                || CONNECTION_ENDED.contains(state)) {
            String what =
                    state.equals("08001") ? "could not connect: check host and port" : "the database is not available";
            return new StoreUnavailableException(true, operation + ": " + what + told, details);
        }
        if (state.equals("40001") || state.equals("40P01")) {
            return new TransactionLostException(
                    operation + ": lost a race that its transaction does not survive; repeat all of it" + told,
                    details);
        }
        if (state.equals("23505")) {
            return new StateConflictException(operation + ": a unique key was violated" + told, details);
        }
        if (SCHEMA.contains(state)) {
            return new SchemaMismatchException(
                    operation + ": a table, column or function is missing; see Migrator.status and Migrator.migrate"
                            + told,
                    details);
        }
        if (DENIED.containsKey(state) || state.startsWith("28")) {
            return new StoreDeniedException(operation + ": " + DENIED.getOrDefault(state, LOGIN) + told, details);
        }
        if (state.startsWith("22")) {
            return new InvalidValueException(operation, "carry only values that the database takes" + told);
        }
        return new StoreUnavailableException(false, operation + ": the database failed" + told, details);
    }

    private static String inBrackets(@Nullable String state) {
        return state == null ? "" : " (SQLState " + state + ")";
    }

    private static HoldfastException withoutState(
            String operation, List<Throwable> chain, Map<String, String> details) {
        if (any(chain, SQLTransientConnectionException.class)) {
            return new StoreUnavailableException(true, operation + ": the pool gave no connection in time", details);
        }
        if (any(chain, SQLTimeoutException.class) || chain.stream().anyMatch(SqlStates::namesQueryTimeout)) {
            return new StoreTimeoutException(operation + ": took longer than allowed and was given up", details);
        }
        if (any(chain, InterruptedException.class)) {
            return new StoreUnavailableException(true, operation + ": the thread was interrupted", details);
        }
        // The driver always tells a state: an SQLException without one is the pool's, closed or exhausted.
        if (any(chain, IOException.class) || any(chain, SQLException.class)) {
            return new StoreUnavailableException(true, operation + ": the connection failed", details);
        }
        Throwable root = root(chain);
        if (MISTAKES.stream().anyMatch(type -> type.isInstance(root))) {
            return new StoreUnavailableException(
                    false, operation + ": failed in the library or in Hibernate: " + simpleName(root), details);
        }
        return new StoreUnavailableException(false, operation + ": the database failed", details);
    }

    private static Throwable root(List<Throwable> chain) {
        return chain.get(chain.size() - 1);
    }

    /** A class's name is no secret; of an anonymous one, that of the class around it. */
    private static String simpleName(Throwable error) {
        String name = error.getClass().getName();
        return name.substring(name.lastIndexOf('.') + 1);
    }

    /** That none was had in the first place is certain: nothing was sent. */
    private static boolean connectionEnded(@Nullable String state, List<Throwable> chain) {
        if (any(chain, SQLTransientConnectionException.class) || (state != null && NOT_CONNECTED.contains(state))) {
            return false;
        }
        return state == null
                ? any(chain, IOException.class)
                : state.startsWith("08") || CONNECTION_ENDED.contains(state);
    }

    /** Hibernate's and Jakarta Persistence's, of any version, without depending on either. */
    private static boolean namesQueryTimeout(Throwable link) {
        return link.getClass().getSimpleName().equals("QueryTimeoutException");
    }

    private static boolean any(List<Throwable> chain, Class<? extends Throwable> type) {
        return chain.stream().anyMatch(type::isInstance);
    }

    private static @Nullable String state(List<Throwable> chain) {
        for (Throwable link : chain) {
            if (link instanceof SQLException sql
                    && sql.getSQLState() != null
                    && sql.getSQLState().length() == 5) {
                return sql.getSQLState();
            }
        }
        return null;
    }

    /** The error, its causes, and the next exceptions of a batch; outermost first, each once. */
    private static List<Throwable> chain(Throwable error) {
        Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        List<Throwable> chain = new ArrayList<>();
        Deque<Throwable> open = new ArrayDeque<>(List.of(error));
        while (!open.isEmpty()) {
            Throwable link = open.removeFirst();
            if (!seen.add(link)) {
                continue;
            }
            chain.add(link);
            if (link.getCause() != null) {
                open.add(link.getCause());
            }
            if (link instanceof SQLException sql && sql.getNextException() != null) {
                open.add(sql.getNextException());
            }
        }
        return chain;
    }
}
