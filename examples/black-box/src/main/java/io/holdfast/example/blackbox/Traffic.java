package io.holdfast.example.blackbox;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

/** Clients that advance an order each, one request after the other, until their instance is gone. */
final class Traffic {

    private static final int CLIENTS = 4;

    /** What a client knows of its order: the last move that was confirmed to it. */
    private final List<AtomicReference<View>> confirmed = new ArrayList<>();

    private final List<Thread> threads = new ArrayList<>();
    private final AtomicBoolean goOn = new AtomicBoolean(true);

    static Traffic on(Instance instance, Pair pair) {
        Traffic traffic = new Traffic();
        Orders orders = new Orders(instance);
        for (int i = 0; i < CLIENTS; i++) {
            AtomicReference<View> last = new AtomicReference<>(orders.start(pair.id("in-flight-" + i)));
            traffic.confirmed.add(last);
            Thread thread = new Thread(() -> traffic.advance(orders, last), "client-" + i);
            thread.setDaemon(true);
            traffic.threads.add(thread);
        }
        traffic.threads.forEach(Thread::start);
        return traffic;
    }

    /** Returns once each has moved its order a little. */
    void awaitMoves(int moves) {
        Until.holds(
                Instance.PATIENCE,
                () -> confirmed.stream().allMatch(last -> now(last).revision() > moves),
                () -> "POST /api/orders/{id}/advance (first): " + moves + " moves of each order were not made");
    }

    /** @return what each client was confirmed last */
    List<View> end() {
        goOn.set(false);
        for (Thread thread : threads) {
            try {
                thread.join(Instance.PATIENCE.toMillis() * 2);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new CaseFailure("interrupted");
            }
        }
        return confirmed.stream().map(Traffic::now).toList();
    }

    private void advance(Orders orders, AtomicReference<View> last) {
        try {
            while (goOn.get() && now(last).revision() < 60) { // the usual budget of a workflow's events is 100
                last.set(orders.advance(now(last).id()));
            }
        } catch (CaseFailure e) { // the instance was killed, which is what this is for
            goOn.set(false);
        }
    }

    private static View now(AtomicReference<View> last) {
        return java.util.Objects.requireNonNull(last.get());
    }
}
