package io.holdfast.repository.race;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Scope;
import io.holdfast.lease.Acquisition;
import io.holdfast.lease.Fence;
import io.holdfast.lease.Lease;
import io.holdfast.lease.LeaseKey;
import io.holdfast.repository.Stores;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * One scripted race, in a scope of its own: who takes part, and who waits for whom. That somebody waits is asked of the
 * server, and time passes by its clock.
 */
final class Race implements AutoCloseable {

    static final Duration TTL = Duration.ofSeconds(60);

    private static final AtomicInteger NUMBER = new AtomicInteger();

    final Scope scope = Scope.of("race-" + NUMBER.incrementAndGet());
    final Stores stores = RaceUnit.HOLDFAST.in(scope);

    private final Connection watcher = RaceUnit.WATCHER;
    private final List<Rival> rivals = new ArrayList<>();
    private final Deque<Caller> callers = new ArrayDeque<>();
    private final List<Background<?>> calls = new ArrayList<>();
    private final List<String> checks = new ArrayList<>();

    /** @param rewriting what becomes of every statement of the stores until the race is closed */
    Race(UnaryOperator<String> rewriting) {
        RaceUnit.REWRITING.set(rewriting);
    }

    Rival rival() {
        try {
            return known(rivals, new Rival(RaceUnit.DATABASE.connect(), scope.id()));
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** An application's transaction, just begun. */
    Caller caller() {
        return known(callers, new Caller(scope));
    }

    <T> Background<T> inBackground(Callable<T> call) {
        return known(calls, Background.start(call));
    }

    <T> Background<T> inBackground(Caller caller, Callable<T> call) {
        return known(calls, caller.inBackground(call));
    }

    /** And ended with the race. */
    private static <P> P known(Collection<? super P> all, P party) {
        all.add(party);
        return party;
    }

    /** Returns once the call waits for a lock. */
    void awaitBlocked(Background<?> call) {
        awaitBlockedOrDone(call);
        if (call.isDone()) {
            throw new AssertionError("Did not wait, but answered " + call.result());
        }
    }

    void awaitBlockedOrDone(Background<?> call) {
        Awaitility.await("blocked or done")
                .atMost(Duration.ofSeconds(10))
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(3))
                .until(() ->
                        call.isDone() || holds("select cardinality(pg_blocking_pids(" + call.backend() + ")) > 0"));
    }

    /** The answer of a call that must not wait for anybody. */
    <T> T withoutWaiting(Callable<T> call) {
        Background<T> background = inBackground(call);
        awaitBlockedOrDone(background);
        assertThat(background.isDone()).as("answered without waiting").isTrue();
        return background.result();
    }

    /** The answer of a call that must write nothing. */
    <T> T changingNothing(Callable<T> call) {
        String before = dump();
        T answer = inBackground(call).result();
        assertStands(before);
        return answer;
    }

    String dump() {
        try {
            return Dump.of(watcher, scope.id());
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    void assertStands(String dump) {
        assertThat(dump()).isEqualTo(dump);
    }

    LeaseKey key(String workflowId) {
        return LeaseKey.ofWorkflow(workflowId);
    }

    Lease granted(String workflowId, String owner) {
        return granted(stores.leases().acquire(key(workflowId), owner, TTL));
    }

    static Lease granted(Acquisition answer) {
        assertThat(answer).isInstanceOf(Acquisition.Granted.class);
        return ((Acquisition.Granted) answer).lease();
    }

    /** So long waits whoever has {@link #TWO_SECONDS}, and then has to have more left than this leaves of them. */
    static final Duration MOST_OF_THEM = Duration.ofMillis(1_200);

    static final Duration TWO_SECONDS = Duration.ofSeconds(2);

    /** Whether a row of that table has as good as all of its two seconds still before it. */
    void assertWhole(String table, String id) {
        assertThat(holds("select expires_at between clock_timestamp() + interval '1 second' and clock_timestamp()"
                        + " + interval '2 seconds' from holdfast." + table + " where " + Rival.row(table, id)))
                .as("has its whole time: " + table)
                .isTrue();
    }

    /** The answer of a call that waits for what the rival has inserted, for most of the two seconds that it wants, and for nothing. */
    <T> T afterALostInsert(Caller rival, Callable<T> call) {
        Background<T> waiting = inBackground(call);
        awaitBlocked(waiting);
        pass(MOST_OF_THEM);
        rival.rollback();
        return waiting.result();
    }

    /** Puts a row's end into the past, and its beginning with it. */
    void expire(String table, String id) {
        String begun = table.equals("lease") ? "granted_at" : "created_at";
        sql("update holdfast." + table + " set " + begun + " = " + begun + " - interval '1 hour',"
                + " expires_at = clock_timestamp() - interval '1 second' where " + Rival.row(table, id));
    }

    /** Leaves a row just enough time for a call to begin to wait. */
    void expireSoon(String table, String id) {
        sql("update holdfast." + table + " set expires_at = clock_timestamp() + interval '600 milliseconds' where "
                + Rival.row(table, id));
    }

    /** The answer of a call that waits for a row for longer than its lease has, while the heartbeat goes on. */
    <T> T outliving(LeaseKey key, Fence fence, String table, String id, Callable<T> call) {
        Rival rival = rival().lock(table, id);
        expireSoon("lease", key.id());
        Background<T> waiting = inBackground(call);
        awaitBlocked(waiting);
        withoutWaiting(() -> stores.leases().renew(key, fence));
        pass(Duration.ofMillis(650));
        rival.rollback();
        return waiting.result();
    }

    void awaitExpired(String table, String id) {
        awaitTrue("select expires_at <= clock_timestamp() from holdfast." + table + " where " + Rival.row(table, id));
    }

    /** Lets time pass by the server's clock. */
    void pass(Duration time) {
        String then = value("select clock_timestamp() + interval '" + time.toMillis() + " milliseconds'");
        awaitTrue("select clock_timestamp() >= timestamptz '" + then + "'");
    }

    private void awaitTrue(String query) {
        Awaitility.await(query)
                .atMost(Duration.ofSeconds(10))
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(20))
                .until(() -> holds(query));
    }

    void sql(String sql) {
        try (Statement statement = watcher.createStatement()) {
            statement.execute(scoped(sql));
        } catch (SQLException e) {
            throw new IllegalStateException("The race's SQL failed", e);
        }
    }

    /** The first column of the first row, as text. */
    String value(String query) {
        try (Statement statement = watcher.createStatement();
                var rows = statement.executeQuery(scoped(query))) {
            return rows.next() ? rows.getString(1) : null;
        } catch (SQLException e) {
            throw new IllegalStateException("The race's SQL failed", e);
        }
    }

    boolean holds(String query) {
        return "t".equals(value(query));
    }

    private String scoped(String sql) {
        return sql.replace(":scope", "'" + scope.id() + "'");
    }

    /** Takes a check away until the race is closed: a newer release has come, which knows more words. */
    void unchecked(String table, String check) {
        checks.add("delete from holdfast." + table + " where scope = :scope");
        checks.add("alter table holdfast." + table + " add constraint " + check + " "
                + value("select pg_get_constraintdef(c.oid) from pg_constraint c where c.conname = '" + check
                        + "' and c.conrelid = 'holdfast." + table + "'::regclass"));
        sql("alter table holdfast." + table + " drop constraint " + check);
    }

    @Override
    public void close() throws Exception {
        try {
            // A transaction's end waits for the call that is under way in it: so first whoever that one waits for.
            for (Rival rival : rivals) {
                rival.close();
            }
            while (!callers.isEmpty()) {
                callers.removeLast().close();
            }
            calls.forEach(Background::awaitEnd);
            checks.forEach(this::sql);
        } finally {
            RaceUnit.REWRITING.set(UnaryOperator.identity());
        }
    }

    /** Gives each test a race of its own. */
    static final class Parameter implements ParameterResolver {

        @Override
        public ExtensionContextScope getTestInstantiationExtensionContextScope(ExtensionContext root) {
            return ExtensionContextScope.TEST_METHOD;
        }

        @Override
        public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
            return parameter.getParameter().getType() == Race.class;
        }

        @Override
        public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
            Race race = new Race(UnaryOperator.identity());
            context.getStore(ExtensionContext.Namespace.create(Race.class, context.getUniqueId()))
                    .put("race", race);
            return race;
        }
    }
}
