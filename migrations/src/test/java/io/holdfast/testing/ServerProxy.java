package io.holdfast.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A TCP proxy on loopback in front of a test database. It counts round trips (Sync, Query and FunctionCall messages
 * after which the client sent nothing more), delays each, and breaks connections at the moment that a test names.
 *
 * <p>One fault can be armed at a time; it strikes once, at the first statement that contains the text, on whichever
 * connection that comes. The text is compared in lower case with the SQL of Query, Parse and, for a statement that was
 * prepared before, Bind. So {@code "commit"} is a driver's commit. Without SSL only.
 */
public final class ServerProxy implements AutoCloseable {

    /** Where the connection breaks. */
    enum Moment {
        /** The server never hears of the statement. */
        BEFORE_THE_SERVER,
        /** The server has run the statement; the client never hears of it. */
        BEFORE_THE_ANSWER
    }

    record Fault(Predicate<String> statement, Moment moment, Strike strike) {}

    private record Delay(long nanos, Strike strike) {}

    private record Cut(long bytes, Strike strike) {}

    private final TestDatabase database;
    private final ServerSocket listener;
    private final List<ProxiedConnection> connections = new CopyOnWriteArrayList<>();
    private final Queue<String> statements = new ConcurrentLinkedQueue<>();
    private final AtomicInteger roundTrips = new AtomicInteger();
    private final AtomicReference<@Nullable Fault> fault = new AtomicReference<>();
    private final AtomicReference<@Nullable Cut> untilCut = new AtomicReference<>();
    private final Object hole = new Object();
    private volatile boolean keepingStatements = true;
    private volatile Delay delayed = new Delay(0, new Strike());
    private @Nullable Strike swallowing;

    private ServerProxy(TestDatabase database) throws IOException {
        this.database = database;
        this.listener = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
        thread("accept", this::accept);
    }

    public static ServerProxy to(TestDatabase database) {
        try {
            return new ServerProxy(database);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Unpooled connections through the proxy. */
    public DataSource dataSource() {
        return database.dataSource(InetAddress.getLoopbackAddress().getHostAddress(), listener.getLocalPort());
    }

    public String url() {
        return database.url(InetAddress.getLoopbackAddress().getHostAddress(), listener.getLocalPort());
    }

    /** Round trips since the start or the last {@link #reset()}, of all connections; the login itself does not count. */
    public int roundTrips() {
        return roundTrips.get();
    }

    /** The SQL that was executed since then, in order; a prepared statement each time it is bound. */
    public List<String> statements() {
        return List.copyOf(statements);
    }

    public void reset() {
        roundTrips.set(0);
        statements.clear();
    }

    /** From now on no SQL is kept: for a proxy that is in use for hours. */
    public void keepNoStatements() {
        keepingStatements = false;
        statements.clear();
    }

    /** Adds this to every round trip from now on; zero ends it. It strikes at the first. */
    public Strike delay(Duration delay) {
        var strike = new Strike();
        delayed = new Delay(delay.toNanos(), strike);
        return strike;
    }

    /** Breaks every connection there is. New ones are let through. */
    public void cutNow() {
        connections.forEach(ProxiedConnection::cut);
    }

    /** The next statement with one of these texts in it does not reach the server: its connection breaks first. */
    public Strike cutBefore(String... sql) {
        return arm(sql, Moment.BEFORE_THE_SERVER);
    }

    /** The next statement with one of these texts in it is carried out, and its connection breaks before the answer. */
    public Strike cutAfter(String... sql) {
        return arm(sql, Moment.BEFORE_THE_ANSWER);
    }

    /** The next commit is not carried out, or carried out without an answer. */
    public Strike cutAtCommit(boolean after) {
        return arm(
                statement -> statement.strip().regionMatches(true, 0, "commit", 0, "commit".length()),
                after ? Moment.BEFORE_THE_ANSWER : Moment.BEFORE_THE_SERVER);
    }

    /** As {@link #cutBefore} or {@link #cutAfter}, at the statement that comes after so many from now on. */
    public Strike cutAt(int statements, boolean after) {
        var left = new AtomicInteger(statements);
        Moment moment = after ? Moment.BEFORE_THE_ANSWER : Moment.BEFORE_THE_SERVER;
        return arm(statement -> left.getAndDecrement() == 0, moment);
    }

    /** When this many bytes have come from the server, on whichever connection the last of them does, that one ends there. */
    public Strike cutInMessage(long bytes) {
        var strike = new Strike();
        untilCut.set(new Cut(bytes, strike));
        return strike;
    }

    /** No connection is cut any more that has not come to the place where it was to be. */
    public void disarm() {
        fault.set(null);
        untilCut.set(null);
    }

    /**
     * Nothing gets through in either direction until {@link #resume()}, and nobody is told; then it does, also if who sent it
     * has given up. It strikes when something is there that does not get through.
     */
    public Strike blackHole() {
        synchronized (hole) {
            swallowing = new Strike();
            return swallowing;
        }
    }

    public void resume() {
        synchronized (hole) {
            swallowing = null;
            hole.notifyAll();
        }
    }

    @Override
    public void close() {
        try {
            listener.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            cutNow();
            resume();
        }
    }

    private Strike arm(String[] sql, Moment moment) {
        List<String> parts =
                Stream.of(sql).map(part -> part.toLowerCase(Locale.ROOT)).toList();
        return arm(statement -> parts.stream().anyMatch(statement::contains), moment);
    }

    private Strike arm(Predicate<String> statement, Moment moment) {
        var strike = new Strike();
        fault.set(new Fault(statement, moment, strike));
        return strike;
    }

    /** Called by a connection for each statement it is about to send on; answers the fault if it strikes here. */
    @Nullable
    Fault statement(String sql) {
        if (keepingStatements) {
            statements.add(sql);
        }
        Fault armed = fault.get();
        boolean strikes = armed != null
                && armed.statement().test(sql.toLowerCase(Locale.ROOT))
                && fault.compareAndSet(armed, null);
        return strikes ? armed : null;
    }

    /** How many of a message's bytes may still be sent; fewer than it has for the one that is cut. */
    long mayPass(int bytes) {
        Cut cut = untilCut.getAndUpdate(armed ->
                armed == null || armed.bytes() < bytes ? null : new Cut(armed.bytes() - bytes, armed.strike()));
        if (cut == null || cut.bytes() >= bytes) {
            return bytes;
        }
        cut.strike().happen();
        return cut.bytes();
    }

    void roundTrip() throws InterruptedException {
        roundTrips.incrementAndGet();
        Delay delay = delayed;
        if (delay.nanos() > 0) {
            delay.strike().happen();
            TimeUnit.NANOSECONDS.sleep(delay.nanos());
        }
    }

    void waitWhileSwallowing() throws InterruptedException {
        synchronized (hole) {
            while (swallowing != null) {
                swallowing.happen();
                hole.wait();
            }
        }
    }

    void forget(ProxiedConnection connection) {
        connections.remove(connection);
    }

    static void thread(String name, Runnable task) {
        var thread = new Thread(task, "proxy " + name);
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                connect(listener.accept());
            } catch (IOException e) {
                // The listener was closed, or the client has gone again.
            }
        }
    }

    private void connect(Socket client) throws IOException {
        try {
            client.setTcpNoDelay(true);
            Socket server = new Socket(database.host(), database.port());
            server.setTcpNoDelay(true);
            var connection = new ProxiedConnection(this, client, server);
            connections.add(connection);
            connection.start();
        } catch (IOException e) {
            client.close(); // as the server's refusal would end it
        }
    }

    /** Tells whether an armed fault has struck, so that a test does not pass because it never did. */
    public static final class Strike {

        private final CountDownLatch struck = new CountDownLatch(1);
        private volatile long nanos;

        private Strike() {}

        void happen() {
            if (!happened()) {
                nanos = System.nanoTime();
                struck.countDown();
            }
        }

        public boolean happened() {
            return struck.getCount() == 0;
        }

        /** Whether it has, within that time. */
        public boolean happens(Duration within) throws InterruptedException {
            return struck.await(within.toNanos(), TimeUnit.NANOSECONDS);
        }

        /** When it happened, by {@link System#nanoTime()}. */
        public long nanos() {
            return nanos;
        }
    }
}
