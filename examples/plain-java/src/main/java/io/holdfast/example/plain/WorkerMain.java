package io.holdfast.example.plain;

import io.holdfast.Scope;
import io.holdfast.repository.Holdfast;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
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
        String owner = "worker-" + number;
        try (var dataSource = Database.fromEnvironment(System.getenv()).connect();
                Holdfast holdfast = Holdfast.open(dataSource)) {
            OrderBook book = new OrderBook(dataSource, scope.id());
            Payments payments = new PaymentProvider(dataSource, scope.id(), this::charged);
            OrderWorker worker = new OrderWorker(
                    holdfast.in(scope),
                    book,
                    payments,
                    owner + "." + ProcessHandle.current().pid(),
                    this::tell);
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
