package io.holdfast.chaos;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;

/**
 * Something that goes wrong.
 *
 * @param at when, in milliseconds from the start
 * @param lasting for how long, in milliseconds
 * @param worker which one it strikes; of no meaning for a fault of the server
 * @param size a number that the kind makes something of
 */
record Fault(Kind kind, long at, long lasting, int worker, int size) {

    enum Kind {
        KILL_WORKER("SIGKILL; another life begins after", false),
        FREEZE_WORKER("SIGSTOP, and SIGCONT after", false),
        EXHAUST_POOL("takes all connections of the worker's pool for", false),
        DELAY("each round trip of the worker takes %d ms more for", false),
        BLACK_HOLE("nothing passes between worker and server for", false),
        CUT_IN_MESSAGE("the worker's connection ends in mid-message", false),
        CUT_ON_COMMIT("the worker's connection ends at a commit or write", false),
        KILL_BACKEND("kill -9 of a server process; the server recovers", true),
        RESTART_SERVER("immediate stop of the server, and start after", true),
        OPEN_TRANSACTION("somebody's transaction holds a lease and states for", true);

        final String words;
        final boolean ofServer;

        Kind(String words, boolean ofServer) {
            this.words = words;
            this.ofServer = ofServer;
        }

        /** As a plan calls it. */
        String word() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /** Of a kind that lasts longer now and then, one in three does. */
    private static final int NOW_AND_THEN = 3;

    /** For longer than the driver waits for an answer, five seconds: the server hears late what was given up. */
    private static final long LONG_HOLE_MILLIS = 6_000;

    private static final int LONGER_HOLE_MILLIS = 3_000;

    /** For ten times as long as a call may wait for a lock. */
    private static final long LONG_TRANSACTION_MILLIS = 20_000;

    /** The same seed, the same plan: each kind as often as the others, in an order that is drawn. */
    static List<Fault> plan(long seed, long from, long until, int workers) {
        Random random = new Random(seed);
        List<Fault> plan = new ArrayList<>();
        List<Kind> round = new ArrayList<>();
        Map<Kind, Integer> times = new EnumMap<>(Kind.class);
        for (long at = from; at < until; at += 900 + random.nextInt(1_200)) {
            if (round.isEmpty()) {
                round.addAll(List.of(Kind.values()));
                Collections.shuffle(round, random);
            }
            Kind kind = round.remove(round.size() - 1);
            int time = times.merge(kind, 1, Integer::sum);
            long lasting = lasting(kind, time, until - at, random);
            plan.add(new Fault(kind, at, lasting, random.nextInt(workers), random.nextInt(1_000)));
        }
        return plan;
    }

    /** @param time the kind's first, second or a later one */
    private static long lasting(Kind kind, int time, long left, Random random) {
        long usual = 500L + random.nextInt(2_500);
        return switch (kind) {
            case CUT_IN_MESSAGE, CUT_ON_COMMIT, KILL_BACKEND -> 0;
            // The first: each run has one.
            case BLACK_HOLE -> time % NOW_AND_THEN == 1 ? LONG_HOLE_MILLIS + random.nextInt(LONGER_HOLE_MILLIS) : usual;
            // The last, and if it fits in: a run of a minute has something else to do.
            case OPEN_TRANSACTION ->
                time % NOW_AND_THEN == 0 && LONG_TRANSACTION_MILLIS <= left ? LONG_TRANSACTION_MILLIS : usual;
            default -> usual;
        };
    }

    /** By how much a delay delays, in milliseconds. */
    long delay() {
        return 20L + size / 5;
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%7.1f s  %-16s %-9s %s%s",
                at / 1000.0,
                kind.word(),
                kind.ofServer ? "server" : "worker-" + (worker + 1),
                String.format(Locale.ROOT, kind.words, delay()),
                lasting > 0 ? String.format(Locale.ROOT, " %.1f s", lasting / 1000.0) : "");
    }
}
