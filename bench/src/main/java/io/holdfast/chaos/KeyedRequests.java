package io.holdfast.chaos;

import io.holdfast.chaos.Desk.Answer;
import io.holdfast.codec.Fingerprint;
import io.holdfast.idempotency.Completion;
import io.holdfast.idempotency.KeepFor;
import io.holdfast.idempotency.KeyClaim;
import io.holdfast.idempotency.Reservation;

/** Idempotency keys: several workers are asked the same, and each would answer it differently. */
final class KeyedRequests implements Workload {

    /** So few at a time that workers meet. */
    private static final int AT_ONCE = 4;

    private int first;

    @Override
    public void work(Desk desk) throws InterruptedException {
        String key = "request-" + (first + desk.random.nextInt(AT_ONCE));
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
            first++;
            return;
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
    }
}
