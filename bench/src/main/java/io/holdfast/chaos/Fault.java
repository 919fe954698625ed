package io.holdfast.chaos;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
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
        DELAY("each round trip of the worker is delayed for", false),
        BLACK_HOLE("nothing passes between worker and server for", false),
        CUT_IN_MESSAGE("the worker's connection ends in mid-message", false),
        CUT_ON_COMMIT("the worker's connection ends at a commit or fenced write", false),
        KILL_BACKEND("kill -9 of a server process; the server recovers", true),
        RESTART_SERVER("immediate stop of the server, and start after", true),
        OPEN_TRANSACTION("somebody's transaction holds a lease and states for", true);

        final String words;
        final boolean ofServer;

        Kind(String words, boolean ofServer) {
            this.words = words;
            this.ofServer = ofServer;
        }
    }

    /** The same seed, the same plan: each kind as often as the others, in an order that is drawn. */
    static List<Fault> plan(long seed, long from, long until, int workers) {
        Random random = new Random(seed);
        List<Fault> plan = new ArrayList<>();
        List<Kind> round = new ArrayList<>();
        for (long at = from; at < until; at += 900 + random.nextInt(1_200)) {
            if (round.isEmpty()) {
                round.addAll(List.of(Kind.values()));
                Collections.shuffle(round, random);
            }
            Kind kind = round.remove(round.size() - 1);
            long lasting = kind == Kind.CUT_IN_MESSAGE || kind == Kind.CUT_ON_COMMIT || kind == Kind.KILL_BACKEND
                    ? 0
                    : 500 + random.nextInt(2_500);
            plan.add(new Fault(kind, at, lasting, random.nextInt(workers), random.nextInt(1_000)));
        }
        return plan;
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%7.1f s  %-16s %-9s %s%s",
                at / 1000.0,
                kind.name().toLowerCase(Locale.ROOT).replace('_', '-'),
                kind.ofServer ? "server" : "worker-" + (worker + 1),
                kind.words,
                lasting > 0 ? String.format(Locale.ROOT, " %.1f s", lasting / 1000.0) : "");
    }
}
