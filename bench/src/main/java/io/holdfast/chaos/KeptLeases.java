package io.holdfast.chaos;

import io.holdfast.chaos.Desk.Answer;
import io.holdfast.lease.LeaseKey;
import io.holdfast.repository.Keeping;
import io.holdfast.repository.KeptLease;
import io.holdfast.repository.LeaseKeeper;

/**
 * Leases that a keeper renews behind the worker's back. All that the worker knows is what the handle says: as long as that it is
 * held, nobody else may be granted it.
 */
final class KeptLeases implements Workload {

    private static final int SLOTS = 2;

    /** How often the handle is asked. */
    private static final int LOOKS = 8;

    private final LeaseKeeper keeper;

    KeptLeases(LeaseKeeper keeper) {
        this.keeper = keeper;
    }

    @Override
    public void work(Desk desk) throws InterruptedException {
        String id = "kept-" + desk.random.nextInt(SLOTS);
        Keeping answer = desk.asking(
                desk.call("acquire", id, 0, Entry.NONE),
                () -> keeper.acquire(desk.stores, LeaseKey.ofWorkflow(id), desk.who, Desk.TTL, lost -> {}),
                said -> said instanceof Keeping.Kept kept
                        ? new Answer(Answer.GRANTED, kept.lease().fence().token(), Desk.TTL.toMillis())
                        : Answer.busy());
        if (!(answer instanceof Keeping.Kept kept)) {
            desk.pause();
            return;
        }
        KeptLease lease = kept.lease();
        for (int left = 1 + desk.random.nextInt(LOOKS); left > 0 && isHeld(desk, id, lease); left--) {
            desk.pause();
        }
        if (desk.random.nextBoolean()) {
            desk.asking(
                    desk.call("release", id, lease.fence().token(), Entry.NONE),
                    lease::release,
                    released -> new Answer(released ? Answer.RELEASED : Answer.REFUSED, 0, 0));
        } else {
            lease.stopKeeping();
        }
    }

    /** At the moment of the question at least, which is before that of the answer. */
    private static boolean isHeld(Desk desk, String id, KeptLease lease) {
        return desk.asking(
                desk.call("look", id, lease.fence().token(), Entry.NONE),
                lease::isHeld,
                held -> new Answer(held ? Answer.RENEWED : "lost", 0, 0));
    }
}
