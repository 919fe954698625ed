package io.holdfast.chaos;

import io.holdfast.chaos.Desk.Answer;
import io.holdfast.codec.Fingerprint;
import io.holdfast.idempotency.Completion;
import io.holdfast.idempotency.KeepFor;
import io.holdfast.idempotency.KeyClaim;
import io.holdfast.idempotency.Reservation;
import java.util.List;

/** Idempotency keys: several workers are asked the same, and each would answer it differently. */
final class KeyedRequests implements Workload {

    /** So few at a time that workers meet. */
    private static final int AT_ONCE = 4;

    private static final String PREFIX = "request-";

    private final Frontier last = new Frontier("idempotency_key", "key", PREFIX);

    @Override
    public void work(Desk desk) throws InterruptedException {
        // One of the last that were asked for, or one that nobody has been.
        if (isCompleted(desk, PREFIX + Math.max(0, last.at(desk) + 1 - desk.random.nextInt(AT_ONCE)))) {
            last.moveOn(desk);
        }
    }

    /** Those that were reserved and left, as if each were asked for once more. */
    void finish(Desk desk) throws InterruptedException {
        List<?> left = desk.own(manager -> manager.createNativeQuery("select key from holdfast.idempotency_key"
                        + " where scope = 'chaos' and status = 'reserved' and starts_with(key, 'request-')")
                .getResultList());
        for (Object key : left) {
            isCompleted(desk, String.valueOf(key));
        }
    }

    /** Whether it has been before; if not, it is completed here. */
    private static boolean isCompleted(Desk desk, String key) throws InterruptedException {
        Reservation reservation = desk.asking(
                desk.call("reserve", key, 0, Entry.NONE),
                () -> desk.stores.idempotencyKeys().reserve(key, key, KeepFor.EVER),
                said -> said instanceof Reservation.Completed completed
                        ? new Answer(
                                Answer.COMPLETED + ":"
                                        + completed.key().outcome().orElse(""),
                                0,
                                0)
                        : new Answer(Answer.RESERVED, 0, 0));
        if (reservation instanceof Reservation.Completed) {
            return true;
        }
        if (reservation instanceof Reservation.Conflict conflict) {
            throw new IllegalStateException(key + " stands for something else: " + conflict.field());
        }
        desk.pause();
        KeyClaim claim = reservation.key().claim();
        String write = desk.nextWrite();
        desk.asking(
                desk.call("complete", key, 0, write),
                () -> desk.stores.idempotencyKeys().complete(claim, Fingerprint.ofText(write)),
                said -> said instanceof Completion.Done
                                || (said instanceof Completion.AlreadyCompleted already && already.same())
                        ? Answer.done(0)
                        : Answer.refused());
        return false;
    }
}
