package io.holdfast.repository;

import static io.holdfast.repository.Worker.queued;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.HoldfastException;
import io.holdfast.Scope;
import io.holdfast.failure.InvalidValueException;
import io.holdfast.failure.OutcomeUnknownException;
import io.holdfast.failure.SchemaMismatchException;
import io.holdfast.failure.StoreDeniedException;
import io.holdfast.failure.StoreTimeoutException;
import io.holdfast.failure.StoreUnavailableException;
import io.holdfast.lease.Fence;
import io.holdfast.step.Step;
import io.holdfast.testing.ServerProxy;
import io.holdfast.testing.TestDatabase;
import io.holdfast.workflow.Workflow;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.logging.Level;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A password and a payload that can be told from all else are looked for wherever text comes out: exceptions, logs of every
 * library at the finest level, the console, {@code toString}.
 */
class NoSecretsTest {

    private static final String ROLE = "holdfast_marked";
    private static final String PASSWORD = "mark3r-S3cret";
    private static final String WRONG = "mark3r-Wr0ng";
    private static final String PAYLOAD = "mark3r-payl0ad";

    private TestDatabase database;
    private ServerProxy proxy;
    private Logged logged;
    private final List<String> shown = new ArrayList<>();

    @BeforeEach
    void open() {
        database = TestDatabase.migrated("secrets");
        database.execute(
                "create role " + ROLE + " login password '" + PASSWORD + "'",
                "grant usage, create on schema holdfast to " + ROLE,
                "grant select, insert, update, delete on all tables in schema holdfast to " + ROLE);
        askForPassword();
        proxy = ServerProxy.to(database);
        logged = Logged.start();
    }

    /** The test server trusts everybody; its first line shall not trust this role. */
    private void askForPassword() {
        String line = "host all " + ROLE + " all scram-sha-256";
        database.execute("create table hba as select line, place from unnest(string_to_array(pg_read_file("
                + "current_setting('hba_file')), E'\\n')) with ordinality as l (line, place)"
                + " where line <> '' and line not like '#%' and line <> '" + line + "'");
        database.execute("insert into hba values ('" + line + "', 0)");
        database.execute("do $$ begin execute format('copy (select line from hba order by place) to %L"
                + " with (format csv, quote E''\\x01'', delimiter E''\\x02'')', current_setting('hba_file')); end $$");
        database.execute("select pg_reload_conf()");
    }

    @AfterEach
    void close() {
        logged.close();
        proxy.close();
        database.close();
        TestDatabase.get().execute("drop role " + ROLE);
    }

    @Test
    void noSecretIsShownWhateverHappens() throws Exception {
        Settings settings = Settings.of(proxy.url(), ROLE, PASSWORD)
                .withPoolSize(1)
                .withCheckoutTimeout(Duration.ofMillis(500))
                .withCommandTimeout(Duration.ofMillis(200));
        show(settings, settings.endpoint());
        failed(InvalidValueException.class, () -> Settings.of(proxy.url() + "&password=" + PASSWORD, ROLE, PASSWORD));
        failed(StoreDeniedException.class, () -> Holdfast.open(Settings.of(proxy.url(), ROLE, WRONG)));
        failed(
                StoreUnavailableException.class,
                () -> Holdfast.open(Settings.of("jdbc:postgresql://localhost:1/nowhere", ROLE, PASSWORD)
                        .withCheckoutTimeout(Duration.ofMillis(300))));
        failed(SchemaMismatchException.class, () -> Holdfast.open(settings.withSchema("elsewhere")));
        try (Holdfast holdfast = Holdfast.open(settings)) {
            show(holdfast);
            everythingThatBreaks(holdfast);
        }
        // Known to be heard at all: the pool's and the driver's finest, Hibernate's, and our own.
        assertThat(logged.lines())
                .anyMatch(line -> line.contains("com.zaxxer.hikari"))
                .anyMatch(line -> line.contains("org.postgresql"))
                .anyMatch(line -> line.contains("org.hibernate"));
        shown.addAll(logged.lines());
        assertThat(shown)
                .filteredOn(text -> text.contains(PASSWORD) || text.contains(WRONG))
                .isEmpty();
    }

    private void everythingThatBreaks(Holdfast holdfast) throws Exception {
        Worker worker = new Worker(holdfast.in(Scope.of("secrets")), "wf");
        Workflow read = worker.created();
        worker.stores().workflows().create(new Worker(worker.stores(), "wf-2").first(), Map.of("label", PAYLOAD));
        Fence fence = worker.acquired("a");
        show(worker.stores(), read);
        try (RowLock lock = RowLock.onLease(database, worker)) {
            failed(StoreTimeoutException.class, () -> worker.stores().leases().renew(worker.lease(), fence));
        }
        proxy.cutAfter("set revision=");
        failed(OutcomeUnknownException.class, () -> worker.stores().workflows().update(read, queued(read)));
        proxy.cutBefore("commit");
        failed(
                OutcomeUnknownException.class,
                () -> holdfast.atomically(
                        bound -> bound.in(worker.stores().scope()).leases().renew(worker.lease(), fence)));
        database.execute("revoke insert on holdfast.workflow from " + ROLE);
        Worker denied = new Worker(worker.stores(), "wf-3");
        failed(
                StoreDeniedException.class,
                () -> denied.stores().workflows().create(denied.first(), Map.of("label", PAYLOAD)));
        database.execute("grant insert on holdfast.workflow to " + ROLE);
        // A rule of the table that no argument of ours can break: the server's message shows the whole row.
        database.execute("alter table holdfast.workflow add constraint closed check (labels = '{}') not valid");
        failed(
                StoreUnavailableException.class,
                () -> denied.stores().workflows().create(denied.first(), Map.of("label", PAYLOAD)));
        // In a function, the server also says which of its statements failed.
        database.execute("alter table holdfast.idempotency_key add constraint closed check (key = '') not valid");
        failed(
                StoreUnavailableException.class,
                () -> worker.stores().steps().begin(new Step("wf", PAYLOAD, "req-1"), fence));
        database.execute("alter table holdfast.idempotency_key drop constraint closed");
        database.execute("alter table holdfast.lease rename to elsewhere");
        failed(SchemaMismatchException.class, () -> worker.stores().steps().begin(worker.step(), fence));
        failed(SchemaMismatchException.class, () -> worker.stores().leases().find(worker.lease()));
        database.execute("alter table holdfast.elsewhere rename to lease");
        database.execute("alter role " + ROLE + " password 'changed'");
        proxy.cutNow();
        failed(HoldfastException.class, () -> worker.stores().workflows().find("wf"));
        failed(StoreDeniedException.class, () -> worker.stores().workflows().find("wf"));
        // Payloads: in no exception, and in no log that is on by default.
        assertThat(shown).filteredOn(text -> text.contains(PAYLOAD)).isEmpty();
        assertThat(logged.lines(Level.INFO))
                .filteredOn(line -> line.contains(PAYLOAD) || line.contains("PL/pgSQL"))
                .isEmpty();
        // Known to be told at all.
        assertThat(logged.lines()).anyMatch(line -> line.contains("PL/pgSQL"));
    }

    /** A host may put its password there. What its driver logs is its own matter; what is opened over it must not. */
    @Test
    void theUrlOfAHostsDataSourceIsNotLogged() {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(proxy.url() + "&user=" + ROLE + "&password=" + PASSWORD);
        PGSimpleDataSource plain = new PGSimpleDataSource();
        plain.setUrl(config.getJdbcUrl());
        try (HikariDataSource pool = new HikariDataSource(config);
                Holdfast pooled = Holdfast.open(pool);
                Holdfast unpooled = Holdfast.open(plain)) {
            assertThatCode(() -> {
                        new Worker(pooled.in(Scope.UNSCOPED), "wf").created();
                        new Worker(unpooled.in(Scope.UNSCOPED), "wf").acquired("a");
                    })
                    .doesNotThrowAnyException();
        }
        assertThat(logged.lines())
                .filteredOn(line -> !line.contains(" org.postgresql.") && line.contains(PASSWORD))
                .isEmpty();
    }

    private void show(Object... values) {
        for (Object value : values) {
            shown.add(String.valueOf(value));
        }
    }

    private void failed(Class<? extends HoldfastException> type, Callable<?> call) {
        HoldfastException thrown = Thrown.by(call).exception();
        assertThat(thrown).isInstanceOf(type);
        StringWriter all = new StringWriter();
        thrown.printStackTrace(new PrintWriter(all));
        show(all, thrown.details());
        assertThat(all.toString() + thrown.details())
                .doesNotContain("jdbc:", "localhost", "127.0.0.1", ROLE, "select ", "insert ", "update ");
    }
}
