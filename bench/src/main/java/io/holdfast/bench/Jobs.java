package io.holdfast.bench;

import io.holdfast.Scope;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Jobs that do nothing: who has put them into a queue, and who works on that queue. Time counts from the first job that is done
 * to the last, so that starting up and the first poll do not.
 */
abstract class Jobs {

    private static final long GIVE_UP_NANOS = 180_000_000_000L;
    private static final AtomicInteger DONE = new AtomicInteger();
    private static volatile long first;
    private static volatile long last;

    private final String name;
    private final int number;
    private int queued;

    /** @param number how many are queued in a round */
    Jobs(String name, int number) {
        this.name = name;
        this.number = number;
    }

    /** The job. Public for who calls it by reflection. */
    static void done() {
        long now = System.nanoTime();
        if (DONE.getAndIncrement() == 0) {
            first = now;
        }
        last = now;
    }

    abstract Calls.Ready enqueuing(Scope scope, int threads) throws Exception;

    /** Starts the workers; closing stops them. */
    abstract AutoCloseable workers(Scope scope, int threads) throws Exception;

    Match.Side enqueue() {
        return new Match.Side() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public Shift turn(Scope scope, Crew crew, double seconds) throws Exception {
                Shift shift = new Calls(name, Jobs.this::enqueuing, number / crew.size()).turn(scope, crew, 600);
                queued = (int) Answers.sum(shift.done);
                return shift;
            }
        };
    }

    /** Of those that were queued in this round. */
    Match.Side run() {
        return new Match.Side() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public Shift turn(Scope scope, Crew crew, double seconds) throws Exception {
                return drained(scope, crew.size());
            }
        };
    }

    private Shift drained(Scope scope, int threads) throws Exception {
        DONE.set(0);
        long giveUp = System.nanoTime() + GIVE_UP_NANOS;
        try (AutoCloseable workers = workers(scope, threads)) {
            while (DONE.get() < queued) {
                if (System.nanoTime() > giveUp) {
                    throw new IllegalStateException(name + ": " + DONE.get() + " of " + queued + " jobs done");
                }
                Thread.sleep(1);
            }
        }
        if (DONE.get() != queued) {
            throw new IllegalStateException(name + " did " + DONE.get() + " jobs, of " + queued);
        }
        return Shift.untimed(queued - 1, last - first);
    }
}
