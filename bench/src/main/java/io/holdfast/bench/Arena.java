package io.holdfast.bench;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.Scope;
import io.holdfast.repository.Holdfast;
import io.holdfast.repository.SentStatements;
import io.holdfast.testing.ServerProxy;
import io.holdfast.testing.TestDatabase;
import io.holdfast.workflow.Creation;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.function.Function;
import javax.sql.DataSource;

/** One server, and all who take part: three pools of eight connections, each with Holdfast and plain JDBC on it. */
final class Arena implements AutoCloseable {

    private static final int CONNECTIONS = 8;

    private static final String DROP_CHECKS = """
            do $$ declare statement text; begin
              for statement in
                select format('alter table %s drop constraint %I', conrelid::regclass, conname) from pg_constraint
                 where contype = 'c' and connamespace = 'holdfast'::regnamespace
              loop execute statement; end loop;
            end $$
            """;

    final TestDatabase database;
    final Rows rows;
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    private final HikariDataSource prepared;
    private final HikariDataSource unprepared;
    private final HikariDataSource delayed;
    private final Holdfast ours;
    private final Holdfast oursUnprepared;
    private final Holdfast oursDelayed;
    private final JdbcWorkflows.Texts workflows;
    private final JdbcLeases.Texts leases;
    private final JdbcKeys.Texts keys;
    private final JdbcSteps.Texts steps;
    private final JdbcRuns.Texts runs;
    private final JdbcJournal.Texts journal;
    private final Hibernate hibernate;
    private final Optional<Pgbench> pgbench;

    Arena(Options options) {
        database = opened(TestDatabase.migrated("bench"));
        database.execute(
                "alter system set max_wal_size = '8GB'",
                "alter system set checkpoint_timeout = '30min'",
                "select pg_reload_conf()");
        if (options.withoutChecks()) {
            database.execute(DROP_CHECKS);
        }
        rows = new Rows(database);
        ServerProxy proxy = opened(ServerProxy.to(database));
        prepared = opened(Pools.of(database.url(), CONNECTIONS));
        unprepared = opened(Pools.of(database.url() + "&prepareThreshold=0", CONNECTIONS));
        delayed = opened(Pools.of(proxy.url(), CONNECTIONS));
        ours = opened(Holdfast.open(prepared));
        oursUnprepared = opened(Holdfast.open(unprepared));
        oursDelayed = opened(Holdfast.open(delayed));
        SentStatements sent = new SentStatements(ours);
        leases = JdbcLeases.Texts.of(sent);
        steps = JdbcSteps.Texts.of(sent);
        runs = JdbcRuns.Texts.of(sent);
        journal = JdbcJournal.Texts.of(sent);
        // What Hibernate makes of an entity can only be overheard.
        Contender overheard = Contender.of(oursDelayed.in(Scope.of("overheard")));
        var created = Answers.is(Creation.Created.class, overheard.workflows().create(States.first("w"), Rows.LABELS));
        workflows = JdbcWorkflows.Texts.of(
                sent, overhear(proxy, () -> overheard.workflows().update(created.workflow(), States.second("w"))));
        keys = JdbcKeys.Texts.of(sent);
        hibernate = opened(new Hibernate(prepared));
        pgbench = Pgbench.installed().map(program -> new Pgbench(program, database, sent));
        proxy.delay(Duration.ofNanos((long) (options.delayMillis() * 1e6)));
    }

    private static String overhear(ServerProxy proxy, Runnable call) {
        proxy.reset();
        call.run();
        return proxy.statements().stream()
                .filter(statement -> statement.contains(" where "))
                .findFirst()
                .orElseThrow();
    }

    private <T extends AutoCloseable> T opened(T resource) {
        opened.push(resource);
        return resource;
    }

    Entrant holdfast() {
        return new Entrant("holdfast", 1, scope -> Contender.of(ours.in(scope)));
    }

    Entrant jdbc() {
        return new Entrant("jdbc", 1, jdbc(prepared));
    }

    Entrant holdfastUnprepared() {
        return new Entrant("holdfast-unprepared", 0.4, scope -> Contender.of(oursUnprepared.in(scope)));
    }

    Entrant jdbcUnprepared() {
        return new Entrant("jdbc-unprepared", 0.4, jdbc(unprepared));
    }

    Entrant holdfastDelayed() {
        return new Entrant("holdfast", 1, scope -> Contender.of(oursDelayed.in(scope)));
    }

    Entrant hibernate() {
        return new Entrant(
                Contest.HIBERNATE,
                0.6,
                scope -> hibernate.in(
                        scope, new JdbcRuns(prepared, runs, scope), new JdbcJournal(prepared, journal, scope)));
    }

    Optional<Entrant> pgbench() {
        return pgbench.map(program -> Entrant.of("pgbench", program));
    }

    Optional<String> pgbenchVersion() {
        return pgbench.map(Pgbench::version);
    }

    /** Transactions of short statements, and an upsert for a lease, which is tried again at once. */
    Entrant handWritten() {
        return new Entrant("jdbc", 1, handWritten(prepared, false));
    }

    /** Tells that a lease is busy, and leaves it to the caller to wait. */
    Entrant handWrittenPatient() {
        return new Entrant("jdbc", 1, handWritten(prepared, true));
    }

    Entrant handWrittenDelayed() {
        return new Entrant("jdbc", 1, handWritten(delayed, false));
    }

    private Function<Scope, Contender> jdbc(DataSource source) {
        return scope -> new Contender(
                new JdbcWorkflows(source, workflows, scope),
                new JdbcLeases(source, leases, scope),
                new JdbcKeys(source, keys, scope),
                new JdbcSteps(source, steps, scope),
                new JdbcRuns(source, runs, scope),
                new JdbcJournal(source, journal, scope));
    }

    private Function<Scope, Contender> handWritten(DataSource source, boolean patient) {
        return scope -> new Contender(
                new JdbcWorkflows(source, workflows, scope),
                new NaiveLeases(source, scope, patient),
                new JdbcKeys(source, keys, scope),
                new HandWrittenSteps(source, scope),
                new JdbcRuns(source, runs, scope),
                new JdbcJournal(source, journal, scope));
    }

    @Override
    public void close() throws Exception {
        for (AutoCloseable resource : opened) {
            resource.close();
        }
    }
}
