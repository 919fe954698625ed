package io.holdfast.example.agent;

import io.holdfast.repository.LeaseKeeper;
import io.holdfast.repository.Stores;
import java.util.UUID;

/** What a process does as long as it lives: it works on one run until that is over, and does not give in. */
final class Life {

    static final String TASK = "Order 4711 arrived broken. Refund it, and tell the customer that we are at it.";

    private static final long PAUSE_MILLIS = 50;

    private Life() {}

    /** Ends when the run is over, or at the point at which the process is to die. */
    static void live(Stores stores, LeaseKeeper keeper, World world, String run, Points points) {
        Parts parts = Parts.of(stores, Model.scripted(), world.tools(run)).with(points);
        var loop = new AgentLoop(parts, keeper, "agent-" + UUID.randomUUID());
        var person = new Person(parts.approvals());
        while (true) {
            switch (loop.work(run, TASK)) {
                case COMPLETED, FAILED -> {
                    return;
                }
                case PAUSED -> person.decide(run);
                case BUSY -> pause(); // held by one who has died
                case LOST -> {} // a slow machine: again, with another lease
            }
        }
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }
}
