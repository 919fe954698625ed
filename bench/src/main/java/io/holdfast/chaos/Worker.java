package io.holdfast.chaos;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.repository.Holdfast;
import io.holdfast.repository.LeaseKeeper;
import io.holdfast.repository.Settings;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.PersistenceConfiguration;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.hibernate.resource.jdbc.spi.StatementInspector;

/**
 * A worker process. Told by its standard input to {@code exhaust} its pool for so many milliseconds, to {@code finish} what was
 * left, or to {@code stop}; ends with that input, so that it does not outlive who started it. Says by its standard output what
 * {@link WorkerProcess} reads.
 */
final class Worker {

    /** Where bugs are planted: docs/chaos.md says which. */
    private static final List<String> LOCKS =
            List.of("for key share of x", "for no key update of r", "for no key update of t");

    static final int THREADS = 2;
    private static final int CONNECTIONS = 4;

    /** The status with which a worker ends that has lost a thread. */
    private static final int TROUBLE = 70;

    /** Shorter than a pool is exhausted for: so a call has no connection, and does not only wait for one. */
    private static final int POOL_PATIENCE_MILLIS = 500;

    private static final long EXHAUST_MILLIS = 10_000;
    private static final Settings SETTINGS = Settings.DEFAULT.withCommandTimeout(Duration.ofSeconds(2));

    private final HikariDataSource pool;
    private final boolean planted;
    private volatile Stage stage = Stage.WORKING;

    private enum Stage {
        WORKING,
        /** Nothing new is begun; what was left is brought to its end. */
        FINISHING,
        STOPPING
    }

    private Worker(HikariDataSource pool, boolean planted) {
        this.pool = pool;
        this.planted = planted;
    }

    /** Arguments: its name and life, the database's URL, the files of history and ledger, a seed, whether bugs are planted. */
    public static void main(String[] arguments) throws InterruptedException, IOException {
        System.out.println(WorkerProcess.CLOCK + System.currentTimeMillis());
        String name = arguments[0];
        long seed = Long.parseLong(arguments[4]);
        Worker worker = new Worker(pool(arguments[1]), Boolean.parseBoolean(arguments[5]));
        Thread orders = new Thread(worker::follow, "orders");
        orders.setDaemon(true);
        orders.setUncaughtExceptionHandler(Worker::giveUp);
        orders.start();
        Told told = new Told(Path.of(arguments[2]));
        Ledger ledger = new Ledger(Path.of(arguments[3]));
        EntityManagerFactory factory = factory(worker.pool, worker.planted);
        Holdfast holdfast = worker.open(factory);
        System.out.println(WorkerProcess.AT_WORK);
        LeaseKeeper keeper = LeaseKeeper.over(holdfast);
        List<Thread> threads = new ArrayList<>();
        for (int i = 1; i <= THREADS; i++) {
            Desk desk = new Desk(factory, holdfast, ledger, told, name + ".t" + i, seed + i);
            Thread thread = new Thread(() -> worker.work(desk, keeper), desk.who);
            thread.setUncaughtExceptionHandler(Worker::giveUp);
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        Runtime.getRuntime().halt(0);
    }

    private static HikariDataSource pool(String url) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setUsername("postgres");
        config.setPassword("postgres");
        config.setMaximumPoolSize(CONNECTIONS);
        config.setConnectionTimeout(POOL_PATIENCE_MILLIS);
        config.setValidationTimeout(POOL_PATIENCE_MILLIS / 2);
        config.setInitializationFailTimeout(-1);
        // Given, or a pool whose first connection is lost while it is asked for its own never has one.
        config.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
        config.addDataSourceProperty("connectTimeout", "2");
        // Else the pool derives it from its own patience, and a JVM that has just started is not so quick.
        config.addDataSourceProperty("loginTimeout", "3");
        config.addDataSourceProperty("socketTimeout", "5");
        config.addDataSourceProperty("ApplicationName", "chaos");
        return new HikariDataSource(config);
    }

    /** All entities of the library, whichever stores a workload uses; and the place where a bug is planted. */
    static EntityManagerFactory factory(DataSource pool, boolean planted) {
        PersistenceConfiguration unit = new PersistenceConfiguration("chaos")
                .mappingFile("META-INF/holdfast-orm.xml")
                .property("jakarta.persistence.nonJtaDataSource", pool)
                .property("hibernate.boot.allow_jdbc_metadata_access", "false")
                .property("jakarta.persistence.database-product-name", "PostgreSQL")
                .property("jakarta.persistence.database-major-version", "14")
                .property("jakarta.persistence.database-minor-version", "0")
                .property("hibernate.jdbc.log.errors", "false");
        if (planted) {
            unit.property("hibernate.session_factory.statement_inspector", (StatementInspector) Worker::withoutLocks);
        }
        return unit.createEntityManagerFactory();
    }

    private static String withoutLocks(String sql) {
        String without = sql;
        for (String lock : LOCKS) {
            without = without.replace(lock, "");
        }
        return without;
    }

    /** Looks at the schema, for which there must be a server. */
    private Holdfast open(EntityManagerFactory factory) throws InterruptedException {
        while (true) {
            try {
                return Holdfast.over(factory, SETTINGS);
            } catch (RuntimeException e) {
                System.err.println("not open yet: " + e);
                TimeUnit.MILLISECONDS.sleep(200);
            }
        }
    }

    private void work(Desk desk, LeaseKeeper keeper) {
        LeasedWork leased = new LeasedWork();
        KeyedRequests keys = new KeyedRequests();
        JournaledRuns runs = new JournaledRuns();
        List<Workload> guarded =
                List.of(leased, new RunEvents(), new ChatSessions()); // by the locks that a bug takes out
        List<Workload> workloads = planted
                ? guarded
                : Stream.of(guarded, List.of(leased, keys, runs, runs, new PassingWork(), new KeptLeases(keeper)))
                        .flatMap(List::stream)
                        .toList();
        List<Workload> finishing = List.of(runs::finish, leased::finish, keys::finish);
        Random chance = new Random(desk.who.hashCode());
        while (stage != Stage.STOPPING) {
            try {
                try {
                    List<Workload> now = stage == Stage.WORKING ? workloads : finishing;
                    now.get(chance.nextInt(now.size())).work(desk);
                } catch (RuntimeException e) {
                    System.err.println(desk.who + ": " + e);
                    desk.ended(e);
                    TimeUnit.MILLISECONDS.sleep(50L + chance.nextInt(150));
                }
            } catch (InterruptedException | Error e) { // nobody would see that there is one thread less
                try {
                    desk.ended(e);
                } finally {
                    Runtime.getRuntime().halt(TROUBLE);
                }
            }
        }
    }

    private static void giveUp(Thread thread, Throwable last) {
        System.err.println(thread.getName() + ": " + last);
        Runtime.getRuntime().halt(TROUBLE);
    }

    private void follow() {
        try (var orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String order = orders.readLine(); order != null; order = orders.readLine()) {
                if (order.equals("stop")) {
                    stage = Stage.STOPPING;
                } else if (order.equals("finish")) {
                    stage = Stage.FINISHING;
                } else {
                    exhaust(Long.parseLong(order.substring("exhaust ".length())));
                }
            }
        } catch (IOException e) {
            System.err.println("no more orders: " + e);
        }
        if (stage != Stage.STOPPING) {
            Runtime.getRuntime().halt(1);
        }
    }

    /** As an application does that forgets to give connections back. */
    private void exhaust(long millis) {
        List<Connection> taken = new ArrayList<>();
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(EXHAUST_MILLIS);
        while (taken.size() < CONNECTIONS && System.nanoTime() < end) {
            try {
                taken.add(pool.getConnection());
            } catch (SQLException e) {
                System.err.println("not exhausted yet: " + e.getMessage()); // they are in use, or the server is away
            }
        }
        if (taken.size() == CONNECTIONS) {
            try {
                TimeUnit.MILLISECONDS.sleep(millis);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            System.out.println(WorkerProcess.EXHAUSTED);
        }
        for (Connection connection : taken) {
            try {
                connection.close();
            } catch (SQLException e) {
                System.err.println("could not be given back: " + e.getMessage());
            }
        }
    }
}
