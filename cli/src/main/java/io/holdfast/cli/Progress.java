package io.holdfast.cli;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Tells a person at a terminal that something is going on, and for how long. Elsewhere it is silent. */
final class Progress implements AutoCloseable {

    private static final String ERASE = "\r\u001b[K";

    private final Host host;
    private final CountDownLatch done = new CountDownLatch(1);
    private volatile String what;
    private volatile boolean shown;

    private Progress(Host host, String what) {
        this.host = host;
        this.what = what;
    }

    static Progress of(Host host, String what) {
        Progress progress = new Progress(host, what);
        if (host.terminal().colours()) { // a terminal that can erase a line
            Thread thread = new Thread(progress::show, "progress");
            thread.setDaemon(true);
            thread.start();
        }
        return progress;
    }

    void now(String text) {
        what = text;
    }

    /** From the first second on: what is quicker needs no telling. */
    private void show() {
        try {
            for (int seconds = 1; !done.await(1, TimeUnit.SECONDS); seconds++) {
                shown = true;
                host.err().print(ERASE + Style.QUIET.on(what + " … " + seconds + " s", host));
                host.err().flush();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        done.countDown();
        if (shown) {
            host.err().print(ERASE);
            host.err().flush();
        }
    }
}
