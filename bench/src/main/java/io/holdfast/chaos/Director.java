package io.holdfast.chaos;

import io.holdfast.chaos.Fault.Kind;
import io.holdfast.testing.ServerProxy;
import io.holdfast.testing.ServerProxy.Strike;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** Carries out a plan, each fault on a thread of its own, and knows which of them struck, and when each was over. */
final class Director {

    /** A run of a minute says enough by its end. */
    private static final long PROGRESS_MILLIS = 60_000;

    /** Of all faults, those that have to strike: a few find nobody, since another struck before. */
    private static final double SHARE = 0.7;

    /** For somebody to strike: a worker that has just been killed is at work again by then, and a server that was stopped is up. */
    private static final Duration PATIENCE = Duration.ofSeconds(15);

    private final List<WorkerProcess> workers;
    private final List<ServerProxy> proxies;
    private final ServerFaults server;
    private final Map<Fault, Long> ended = new ConcurrentHashMap<>();
    private final List<String> troubles = new ArrayList<>();

    Director(ServerFaults server, List<WorkerProcess> workers, List<ServerProxy> proxies) {
        this.server = server;
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
        workers.forEach(this::requireAlive);
    }

    /** When each was over that struck. */
    Map<Fault, Long> ended() {
        return Map.copyOf(ended);
    }

    /** What went wrong that was not meant to. */
    List<String> troubles() {
        synchronized (troubles) {
            return List.copyOf(troubles);
        }
    }

    /** Why what was planned has not been tried. */
    static List<String> shortfalls(List<Fault> plan, Set<Fault> struck) {
        List<String> shortfalls = new ArrayList<>();
        Set<Kind> never = EnumSet.noneOf(Kind.class);
        plan.forEach(fault -> never.add(fault.kind()));
        struck.forEach(fault -> never.remove(fault.kind()));
        never.forEach(kind -> shortfalls.add("no " + kind.word() + " struck"));
        if (struck.size() < SHARE * plan.size()) {
            shortfalls.add("of " + plan.size() + " faults " + struck.size() + " struck");
        }
        return shortfalls;
    }

    private void trouble(String what) {
        synchronized (troubles) {
            troubles.add(what);
        }
    }

    private void strike(Fault fault) {
        try {
            struck(fault).ifPresent(at -> ended.put(fault, at));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException | SQLException | RuntimeException e) {
            trouble(fault + ": " + e);
        }
    }

    /** When it was over; empty if nobody had any of it. */
    private OptionalLong struck(Fault fault) throws IOException, SQLException, InterruptedException {
        WorkerProcess worker = workers.get(fault.worker());
        ServerProxy proxy = proxies.get(fault.worker());
        return switch (fault.kind()) {
            case KILL_WORKER -> now(killed(worker, fault));
            case FREEZE_WORKER -> now(frozen(worker, fault));
            case EXHAUST_POOL -> now(worker.awaitAtWork(PATIENCE) && worker.exhausts(fault.lasting(), PATIENCE));
            case DELAY -> now(delayed(proxy, fault));
            case BLACK_HOLE -> now(swallowed(proxy, fault));
            case CUT_IN_MESSAGE -> Cuts.inMessage(proxy, fault.size());
            case CUT_ON_COMMIT -> Cuts.onCommit(proxy, fault.size());
            case KILL_BACKEND -> now(server.killBackend(fault.size()));
            case RESTART_SERVER -> now(server.restart(fault.lasting()));
            case OPEN_TRANSACTION -> now(server.openTransaction(fault.lasting()));
        };
    }

    private static OptionalLong now(boolean struck) {
        return struck ? OptionalLong.of(System.nanoTime()) : OptionalLong.empty();
    }

    private boolean killed(WorkerProcess worker, Fault fault) throws InterruptedException {
        synchronized (worker) {
            requireAlive(worker);
            worker.kill();
            last(fault);
            worker.start();
            return true;
        }
    }

    /** Its next life would hide it. */
    private void requireAlive(WorkerProcess worker) {
        synchronized (worker) {
            if (!worker.isAlive()) {
                trouble(worker.name + " ended by itself: " + worker.complaints());
                worker.start();
            }
        }
    }

    /** Not while it starts: it has no lease yet that it could sleep over. */
    private static boolean frozen(WorkerProcess worker, Fault fault) throws InterruptedException {
        if (!worker.awaitAtWork(PATIENCE) || !worker.freeze()) {
            return false;
        }
        last(fault);
        worker.thaw();
        return true;
    }

    private static boolean delayed(ServerProxy proxy, Fault fault) throws InterruptedException {
        Strike strike = proxy.delay(Duration.ofMillis(fault.delay()));
        boolean struck = strike.happens(PATIENCE);
        last(fault);
        proxy.delay(Duration.ZERO);
        return struck;
    }

    private static boolean swallowed(ServerProxy proxy, Fault fault) throws InterruptedException {
        Strike strike = proxy.blackHole();
        boolean struck = strike.happens(PATIENCE);
        last(fault);
        proxy.resume();
        return struck;
    }

    private static void last(Fault fault) throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep(fault.lasting());
    }
}
