package io.holdfast.chaos;

import io.holdfast.testing.ServerProxy;
import io.holdfast.testing.ServerProxy.Strike;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;

/** Ends a worker's connection at a place that is drawn, and tells when the worker got there. */
final class Cuts {

    /**
     * What is written by, in statements that commit by themselves or are part of more. In lower case, with what tells it from
     * the names in a statement that only reads.
     */
    static final List<String> WRITES = List.of(
            "holdfast.step_begin_v1(",
            "holdfast.step_finish_v1(",
            "holdfast.step_whole_v1(",
            "holdfast.journal_commit_v1(",
            "update holdfast.workflow ",
            "update holdfast.run ",
            "update holdfast.workspace_session ",
            "update holdfast.lease ",
            "update holdfast.idempotency_key ",
            "update holdfast.execution ",
            "update holdfast.checkpoint ",
            "update holdfast.agent_checkpoint ",
            "update holdfast.approval ");

    /** A worker that has just been killed is at work again by then. */
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    /** For the place that was drawn; another write will do, too. */
    private static final Duration FIRST_PATIENCE = Duration.ofSeconds(8);

    private Cuts() {}

    /** When it struck; empty if it did not. */
    static OptionalLong inMessage(ServerProxy proxy, int size) throws InterruptedException {
        synchronized (proxy) { // one at a time, or they would take each other's place
            return struck(proxy, proxy.cutInMessage(100 + size * 10L), PATIENCE);
        }
    }

    /** At each write as often as at the others, and at a commit; one in four before the server hears of it. */
    static OptionalLong onCommit(ServerProxy proxy, int which) throws InterruptedException {
        int place = which % (WRITES.size() + 3);
        boolean before = which / (WRITES.size() + 3) % 4 == 0;
        synchronized (proxy) {
            if (place >= WRITES.size()) {
                return struck(proxy, proxy.cutAtCommit(!before), PATIENCE);
            }
            OptionalLong struck = struck(proxy, at(proxy, before, WRITES.get(place)), FIRST_PATIENCE);
            return struck.isPresent()
                    ? struck
                    : struck(proxy, at(proxy, before, WRITES.toArray(String[]::new)), PATIENCE);
        }
    }

    private static Strike at(ServerProxy proxy, boolean before, String... texts) {
        return before ? proxy.cutBefore(texts) : proxy.cutAfter(texts);
    }

    private static OptionalLong struck(ServerProxy proxy, Strike strike, Duration patience)
            throws InterruptedException {
        boolean struck = strike.happens(patience);
        proxy.disarm();
        return struck ? OptionalLong.of(strike.nanos()) : OptionalLong.empty();
    }
}
