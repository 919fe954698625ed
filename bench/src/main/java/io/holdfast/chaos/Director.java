package io.holdfast.chaos;

import io.holdfast.testing.ServerProxy;
import io.holdfast.testing.TestDatabase;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** Carries out a plan, each fault on a thread of its own, and knows when each was over. */
final class Director {

    private static final Duration SERVER_PATIENCE = Duration.ofSeconds(60);

    /** A run of a minute says enough by its end. */
    private static final long PROGRESS_MILLIS = 60_000;

    private final ChaosServer server;
    private final TestDatabase database;
    private final List<WorkerProcess> workers;
    private final List<ServerProxy> proxies;
    private final Map<Fault, Long> ended = new ConcurrentHashMap<>();
    private final List<String> troubles = new ArrayList<>();

    /** One who stops or kills the server at a time; and nobody waits for a fault of another's. */
    private final Object serverTurn = new Object();

    Director(ChaosServer server, TestDatabase database, List<WorkerProcess> workers, List<ServerProxy> proxies) {
        this.server = server;
        this.database = database;
        this.workers = workers;
        this.proxies = proxies;
    }

    /** Returns when the last fault is over. */
    void carryOut(List<Fault> plan, long start) throws InterruptedException {
        ExecutorService threads = Executors.newCachedThreadPool();
        long told = 0;
        for (Fault fault : plan) {
            if (fault.at() - told >= PROGRESS_MILLIS) {
                told = fault.at();
                System.err.printf(
                        Locale.ROOT,
                        "%7.1f s  %d of %d faults, %d troubles%n",
                        told / 1e3,
                        plan.indexOf(fault),
                        plan.size(),
                        troubles().size());
            }
            long wait = fault.at() - (System.nanoTime() - start) / 1_000_000;
            TimeUnit.MILLISECONDS.sleep(Math.max(0, wait));
            threads.execute(() -> strike(fault));
        }
        threads.shutdown();
        if (!threads.awaitTermination(2, TimeUnit.MINUTES)) {
            trouble("a fault does not end");
        }
        workers.forEach(WorkerProcess::thaw);
        for (WorkerProcess worker : workers) {
            if (!worker.isAlive()) {
                trouble(worker.name + " ended by itself: " + worker.complaints());
                worker.start();
            }
        }
    }

    Map<Fault, Long> ended() {
        return Map.copyOf(ended);
    }

    /** What went wrong that was not meant to. */
    List<String> troubles() {
        synchronized (troubles) {
            return List.copyOf(troubles);
        }
    }

    private void trouble(String what) {
        synchronized (troubles) {
            troubles.add(what);
        }
    }

    private void strike(Fault fault) {
        WorkerProcess worker = workers.get(fault.worker());
        ServerProxy proxy = proxies.get(fault.worker());
        try {
            switch (fault.kind()) {
                case KILL_WORKER -> {
                    synchronized (worker) {
                        worker.kill();
                        last(fault);
                        worker.start();
                    }
                }
                case FREEZE_WORKER -> {
                    worker.freeze();
                    last(fault);
                    worker.thaw();
                }
                case EXHAUST_POOL -> {
                    worker.order("exhaust " + fault.lasting());
                    last(fault);
                }
                case DELAY -> {
                    proxy.delay(Duration.ofMillis(20 + fault.size() / 5));
                    last(fault);
                    proxy.delay(Duration.ZERO);
                }
                case BLACK_HOLE -> {
                    proxy.blackHole();
                    last(fault);
                    proxy.resume();
                }
                case CUT_IN_MESSAGE -> proxy.cutInMessage(100 + fault.size() * 10);
                case CUT_ON_COMMIT -> cutOnCommit(proxy, fault.size());
                case KILL_BACKEND -> {
                    synchronized (serverTurn) {
                        killBackend(fault.size());
                        server.awaitReady(SERVER_PATIENCE);
                    }
                }
                case RESTART_SERVER -> {
                    synchronized (serverTurn) {
                        server.stopAtOnce();
                        last(fault);
                        server.startAgain();
                        server.awaitReady(SERVER_PATIENCE);
                    }
                }
                case OPEN_TRANSACTION -> openTransaction(fault);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException | RuntimeException e) {
            trouble(fault + ": " + e);
        }
        ended.put(fault, System.nanoTime());
    }

    private static void last(Fault fault) throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep(fault.lasting());
    }

    /** Of a workflow, anything, a journal, an approval's use: statements that commit by themselves, or are part of more. */
    private static final List<String> WRITES =
            List.of("revision = w.revision + 1", "update", "journal_commit", "then 'key_taken'");

    /** Before the server hears of it, or behind its answer. */
    private static void cutOnCommit(ServerProxy proxy, int which) {
        boolean before = which % 4 == 0;
        int statement = which % (WRITES.size() + 1);
        if (statement == WRITES.size()) {
            proxy.cutAtCommit(!before);
        } else if (before) {
            proxy.cutBefore(WRITES.get(statement));
        } else {
            proxy.cutAfter(WRITES.get(statement));
        }
    }

    private void killBackend(int which) {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(
                        "select pid from pg_stat_activity where application_name = 'chaos' order by pid")) {
            List<Long> pids = new ArrayList<>();
            while (rows.next()) {
                pids.add(rows.getLong(1));
            }
            if (!pids.isEmpty()) {
                server.killBackend(pids.get(which % pids.size()));
                TimeUnit.MILLISECONDS.sleep(100); // the server notices
            }
        } catch (SQLException e) {
            // The server is away for another reason.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void openTransaction(Fault fault) throws InterruptedException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("select from holdfast.lease where ctid = (select ctid from holdfast.lease"
                    + " order by granted_at desc limit 1) for no key update");
            for (String table : List.of("workflow", "run", "execution", "workspace_session")) {
                statement.execute("select from holdfast." + table + " where ctid = (select ctid from holdfast." + table
                        + " order by updated_at desc limit 1) for no key update");
            }
            last(fault);
            connection.rollback();
        } catch (SQLException e) {
            // The server is away, and the transaction with it.
        }
    }
}
