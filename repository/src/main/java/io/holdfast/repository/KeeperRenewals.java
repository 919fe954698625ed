package io.holdfast.repository;

import io.holdfast.HoldfastException;
import io.holdfast.lease.Renewal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;

/** The renewing half of the keeper: passes over all leases that are kept, for one thread. */
final class KeeperRenewals {

    private static final System.Logger LOG = System.getLogger(LeaseKeeper.class.getName());

    /** However many leases, ttls and failures there are: fewer than five passes a second. */
    private static final long BETWEEN_PASSES = LeaseKeeperSettings.MIN_INTERVAL.toNanos();

    private final Holdfast own;
    private final Collection<KeptLease> kept;
    private final LongSupplier nanoTime;
    private long lastSent;
    private int failures;

    KeeperRenewals(Holdfast own, Collection<KeptLease> kept, LongSupplier nanoTime) {
        this.own = own;
        this.kept = kept;
        this.nanoTime = nanoTime;
        this.lastSent = nanoTime.getAsLong() - BETWEEN_PASSES;
    }

    /** Renews what is due, if anything is; answers when to come again. */
    long pass() {
        long now = nanoTime.getAsLong();
        if (nextAfter(now) - now > 0) {
            return nextAfter(now);
        }
        lastSent = now;
        List<KeptLease> due = dueSoon(now);
        for (int from = 0; from < due.size(); from += LeaseRenewals.AT_ONCE) {
            renew(due.subList(from, Math.min(due.size(), from + LeaseRenewals.AT_ONCE)));
        }
        return nextAfter(nanoTime.getAsLong());
    }

    private long nextAfter(long now) {
        long wait = KeeperLoop.NOTHING_AHEAD;
        for (KeptLease lease : kept) {
            wait = Math.min(wait, lease.due() - now);
        }
        return now + Math.max(wait, lastSent + BETWEEN_PASSES - now);
    }

    /** With those that would be due soon after: so leases acquired at different times come to share a statement. */
    private List<KeptLease> dueSoon(long now) {
        List<KeptLease> due = new ArrayList<>();
        for (KeptLease lease : kept) {
            if (lease.due() - now <= lease.interval() / 2 && lease.isHeld()) {
                due.add(lease);
            }
        }
        return due;
    }

    private void renew(List<KeptLease> due) {
        long askedAt = nanoTime.getAsLong();
        double jitter = ThreadLocalRandom.current().nextDouble(0.9, 1.1);
        Map<LeaseHolding, Renewal> answers;
        try {
            List<LeaseHolding> holdings = due.stream().map(KeptLease::holding).toList();
            answers = own.observing()
                    .call(
                            Operation.LEASE_RENEW_ALL,
                            on -> LeaseRenewals.renew(on, holdings),
                            all -> Outcomes.ofAll(all.values()));
        } catch (Throwable e) {
            failed(due, e, jitter);
            return;
        }
        if (failures > 0) {
            failures = 0;
            LOG.log(System.Logger.Level.INFO, "Leases are renewed again");
        }
        for (KeptLease lease : due) {
            Renewal answer = answers.get(lease.holding());
            if (answer instanceof Renewal.Renewed renewed) {
                lease.renewed(askedAt, renewed.lease().remaining(), jitter);
            } else if (answer instanceof Renewal.Lost lost) {
                if (lease.end(KeptLease.End.LOST)) {
                    LOG.log(System.Logger.Level.WARNING, "{0} was lost: {1}", lease, lost.reason());
                }
            } else {
                lease.notRenewed(jitter);
            }
        }
    }

    /** Retryable or not: the worker's time is not up, and what is broken may be mended before it is. */
    private void failed(List<KeptLease> due, Throwable e, double jitter) {
        if (due.stream().noneMatch(KeptLease::isHeld)) {
            return; // Released meanwhile, given up, or the keeper was closed: nothing is tried again.
        }
        LOG.log(
                failures++ == 0 ? System.Logger.Level.WARNING : System.Logger.Level.DEBUG,
                "{0} leases were not renewed; trying again while there is time: {1}",
                Integer.toString(due.size()),
                e instanceof HoldfastException ? e.getMessage() : e.getClass().getName());
        due.forEach(lease -> lease.notRenewed(jitter));
    }
}
