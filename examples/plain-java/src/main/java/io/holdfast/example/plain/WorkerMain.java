package io.holdfast.example.plain;

import io.holdfast.Scope;
import io.holdfast.repository.Holdfast;
import io.holdfast.repository.LeaseKeeper;
import io.holdfast.repository.LeaseKeeperSettings;
import io.holdfast.repository.Settings;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;

/**
 * A worker's process: {@code WorkerMain SCOPE NUMBER}, with the database in the environment. Tells what it does on its
 * output, and does what is on the line {@value #GO} of its input: start, and go on in mid-step. Ends with its input, so that
 * it does not outlive who started it.
 */
final class WorkerMain {

    static final String GO = "go";

    // Well under the ttl: a renewal that hangs for longer would be the last one.
    private static final Settings HEARTBEATS = Settings.DEFAULT.withCommandTimeout(Duration.ofSeconds(1));

    private final Semaphore go = new Semaphore(0);
    private final PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);

    private WorkerMain() {}

    public static void main(String[] arguments) throws InterruptedException {
        Main.quietLogs();
        try {
            new WorkerMain().run(Scope.of(arguments[0]), Integer.parseInt(arguments[1]));
        } catch (RuntimeException e) {
            e.printStackTrace();
            System.exit(1);
        }
    }

    private void run(Scope scope, int number) throws InterruptedException {
        Thread input = new Thread(this::listen, "input");
        input.setDaemon(true);
        input.start();
        Database database = Database.fromEnvironment(System.getenv());
        try (var dataSource = database.connect();
                var heartbeats = database.connect(); // which busy workers cannot take
                Holdfast holdfast = Holdfast.open(dataSource);
                LeaseKeeper keeper = LeaseKeeper.open(heartbeats, HEARTBEATS, LeaseKeeperSettings.DEFAULT)) {
            OrderBook book = new OrderBook(dataSource, scope.id());
            Payments payments = new PaymentProvider(dataSource, scope.id(), this::charged);
            String owner = "worker-" + number + "." + ProcessHandle.current().pid();
            OrderWorker worker = new OrderWorker(holdfast.in(scope), keeper, book, payments, owner, this::tell);
            List<Order> orders = book.orders();
            Collections.rotate(orders, -number * orders.size() / Director.WORKERS); // not all for the same one first
            tell(Notice.of(Notice.Kind.READY, ""));
            go.acquire();
            worker.workThrough(orders);
            tell(Notice.of(Notice.Kind.IDLE, ""));
        }
    }

    private void charged(Order order, long token) {
        tell(new Notice(Notice.Kind.CHARGED, order.request(), token, Optional.empty(), ""));
        go.acquireUninterruptibly();
    }

    private synchronized void tell(Notice notice) {
        out.println(notice.line());
    }

    private void listen() {
        try (var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                if (line.equals(GO)) {
                    go.release();
                }
            }
        } catch (IOException e) {
            System.err.println("lost the process that started this one: " + e.getMessage());
        }
        Runtime.getRuntime().halt(0);
    }
}
