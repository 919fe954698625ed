package io.holdfast.repository.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.holdfast.cleanup.Cutoff;
import io.holdfast.lease.Acquisition;
import io.holdfast.lease.Fence;
import io.holdfast.lease.Lease;
import io.holdfast.lease.LeaseKey;
import io.holdfast.lease.Leases;
import io.holdfast.lease.Loss;
import io.holdfast.lease.Renewal;
import io.holdfast.lease.TokensExhaustedException;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Leases, one call after the other. That time is the database's is shown by ageing rows there. */
abstract class LeasesContract extends Contract {

    private static final LeaseKey WF_1 = LeaseKey.ofWorkflow("wf-1");
    private static final Duration HOUR = Duration.ofHours(1);

    LeasesContract(Environment environment) {
        super(environment);
    }

    @Test // F-01, F-15: the workflow need not exist
    void theFirstGrantHasTokenOneAndTheWholeTime() {
        Lease lease = granted(WF_1, "w1", MINUTE);
        assertThat(lease.key()).isEqualTo(WF_1);
        assertThat(lease.fence()).isEqualTo(new Fence("w1", 1));
        assertThat(lease.ttl()).isEqualTo(MINUTE);
        assertThat(lease.grantedAt().plus(MINUTE)).isEqualTo(lease.expiresAt());
        assertThat(lease.remaining()).isBetween(MINUTE.minusSeconds(5), MINUTE);
        assertThat(lease.isLive()).isTrue();
        assertThat(leases.find(WF_1).orElseThrow())
                .usingRecursiveComparison()
                .ignoringFields("remaining")
                .isEqualTo(lease);
    }

    @Test // F-03: who holds it stays unsaid
    void anotherOwnerIsToldHowLongItIsBusy() {
        Lease lease = granted(WF_1, "w1", MINUTE);
        assertThat(leases.acquire(WF_1, "w2", HOUR))
                .asInstanceOf(type(Acquisition.Busy.class))
                .satisfies(busy -> assertThat(busy.retryAfter()).isBetween(MINUTE.minusSeconds(5), MINUTE))
                .satisfies(busy -> assertThat(busy.toString()).doesNotContain("w1"));
        assertThat(leases.renew(WF_1, lease.fence())).isInstanceOf(Renewal.Renewed.class);
    }

    @Test // F-04, H23: design 14 over the reference's "busy"; an answer that got lost is mended by asking again
    void theSameOwnerIsGrantedAgainAndItsFormerTokenIsDead() {
        Lease first = granted(WF_1, "w1", MINUTE);
        Lease second = granted(WF_1, "w1", HOUR);
        assertThat(second.fence()).isEqualTo(new Fence("w1", 2));
        assertThat(second.remaining()).isGreaterThan(MINUTE);
        assertThat(leases.renew(WF_1, first.fence())).isEqualTo(new Renewal.Lost(Loss.SUPERSEDED));
        assertThat(leases.release(WF_1, first.fence())).isFalse();
        assertThat(leases.renew(WF_1, second.fence())).isInstanceOf(Renewal.Renewed.class);
    }

    @Test // F-06, H26: at the instant of expiry the holder may act no more and others may acquire
    void anExpiredLeaseIsLostToItsHolderAndFreeForOthers() {
        Lease first = granted(WF_1, "w1", MINUTE);
        expire(WF_1);
        assertThat(leases.renew(WF_1, first.fence())).isEqualTo(new Renewal.Lost(Loss.EXPIRED));
        Lease stored = leases.find(WF_1).orElseThrow();
        assertThat(stored.isLive()).isFalse();
        assertThat(stored.fence()).isEqualTo(first.fence());
        Lease second = granted(WF_1, "w2", MINUTE);
        assertThat(second.fence()).isEqualTo(new Fence("w2", 2));
        assertThat(leases.renew(WF_1, first.fence())).isEqualTo(new Renewal.Lost(Loss.SUPERSEDED));
        expire(WF_1);
        assertThat(granted(WF_1, "w2", MINUTE).fence()).isEqualTo(new Fence("w2", 3));
    }

    @Test // F-07
    void aRenewalUnderAnyOtherFenceIsRefusedForItsReason() {
        assertThat(leases.renew(WF_1, new Fence("w1", 1))).isEqualTo(new Renewal.Lost(Loss.NONE));
        granted(WF_1, "w1", MINUTE);
        assertThat(leases.renew(WF_1, new Fence("w1", 2))).isEqualTo(new Renewal.Lost(Loss.SUPERSEDED));
        assertThat(leases.renew(WF_1, new Fence("w2", 1))).isEqualTo(new Renewal.Lost(Loss.SUPERSEDED));
    }

    @Test // F-09, H24: by the lease's own ttl, not by some default
    void aRenewalPutsTheEndOffByTheLeasesOwnTime() {
        Lease lease = granted(WF_1, "w1", HOUR);
        Renewal renewal = leases.renew(WF_1, lease.fence());
        Lease renewed = ((Renewal.Renewed) renewal).lease();
        assertThat(renewed.expiresAt()).isAfter(lease.expiresAt());
        assertThat(renewed.remaining()).isBetween(HOUR.minusSeconds(5), HOUR);
        assertThat(renewed.fence()).isEqualTo(lease.fence());
        assertThat(renewed.grantedAt()).isEqualTo(lease.grantedAt());
        assertThat(((Renewal.Renewed) leases.renew(WF_1, lease.fence())).lease().expiresAt())
                .isAfterOrEqualTo(renewed.expiresAt());
    }

    @Test // H24
    void aRenewalNeverShortensALease() {
        Lease lease = granted(WF_1, "w1", MINUTE);
        environment.changeRow(
                "update {lease} set expires_at = expires_at + interval '1 day' where scope = ?", scope.id());
        Instant far = leases.find(WF_1).orElseThrow().expiresAt();
        assertThat(((Renewal.Renewed) leases.renew(WF_1, lease.fence())).lease().expiresAt())
                .isEqualTo(far);
        assertThat(leases.renewAll(Map.of(WF_1, lease.fence())).get(WF_1))
                .asInstanceOf(type(Renewal.Renewed.class))
                .extracting(r -> r.lease().expiresAt())
                .isEqualTo(far);
    }

    @Test // F-11, H01
    void aReleasedLeaseIsFreeAndItsTokensGrowOn() {
        Lease first = granted(WF_1, "w1", MINUTE);
        assertThat(leases.release(WF_1, first.fence())).isTrue();
        assertThat(leases.find(WF_1)).isEmpty(); // F-13
        assertThat(leases.release(WF_1, first.fence())).isFalse();
        assertThat(leases.renew(WF_1, first.fence())).isEqualTo(new Renewal.Lost(Loss.NONE));
        Lease second = granted(WF_1, "w2", MINUTE);
        assertThat(second.fence().token()).isEqualTo(2);
        assertThat(leases.release(WF_1, second.fence())).isTrue();
        assertThat(granted(WF_1, "w1", MINUTE).fence().token()).isEqualTo(3);
    }

    @Test
    void onlyTheFenceOfTheGrantReleasesAlsoWhenExpired() {
        Lease lease = granted(WF_1, "w1", MINUTE);
        assertThat(leases.release(WF_1, new Fence("w1", 2))).isFalse();
        assertThat(leases.release(WF_1, new Fence("w2", 1))).isFalse();
        assertThat(leases.release(LeaseKey.ofWorkflow("wf-2"), lease.fence())).isFalse();
        expire(WF_1);
        assertThat(leases.release(WF_1, lease.fence())).isTrue();
    }

    @Test // F-13, H02
    void tokensGrowOnAfterRetentionHasRemovedTheRow() {
        Lease lease = granted(WF_1, "w1", MINUTE);
        granted(WF_1, "w1", MINUTE);
        expire(WF_1);
        assertThat(cleanup.pass(new Cutoff(Duration.ZERO, Duration.ZERO, 10)).leases())
                .isEqualTo(1);
        assertThat(leases.find(WF_1)).isEmpty();
        assertThat(leases.renew(WF_1, lease.fence())).isEqualTo(new Renewal.Lost(Loss.NONE));
        assertThat(granted(WF_1, "w1", MINUTE).fence().token()).isEqualTo(3);
        assertThat(granted(LeaseKey.ofWorkflow("wf-2"), "w1", MINUTE).fence().token())
                .as("a new key of the scope starts above what was removed as well")
                .isEqualTo(3);
    }

    @Test // F-20
    void aKeyWhoseTokensAreUsedUpSaysSoWhoeverAsks() {
        Lease lease = granted(WF_1, "w1", MINUTE);
        environment.changeRow("update {lease} set token = 9223372036854775806 where scope = ?", scope.id());
        expire(WF_1);
        Lease last = granted(WF_1, "w2", MINUTE);
        assertThat(last.fence().token()).isEqualTo(Long.MAX_VALUE);
        assertThat(leases.acquire(WF_1, "w1", MINUTE)).isInstanceOf(Acquisition.Busy.class);
        assertThat(leases.renew(WF_1, last.fence())).isInstanceOf(Renewal.Renewed.class);
        assertThatThrownBy(() -> leases.acquire(WF_1, "w2", MINUTE))
                .isInstanceOfSatisfying(
                        TokensExhaustedException.class,
                        e -> assertThat(e.retryable()).isFalse());
        expire(WF_1);
        assertThatThrownBy(() -> leases.acquire(WF_1, "w1", MINUTE)).isInstanceOf(TokensExhaustedException.class);
        assertThat(leases.renew(WF_1, lease.fence())).isEqualTo(new Renewal.Lost(Loss.SUPERSEDED));
    }

    @Test
    void leasesOfAnotherKindAreOtherLeases() {
        LeaseKey tick = new LeaseKey("tick", "wf-1");
        LeaseKey longest = new LeaseKey("t".repeat(63), "\u00e9".repeat(512));
        granted(WF_1, "w1", MINUTE);
        assertThat(granted(tick, "w2", MINUTE).fence().token()).isEqualTo(1);
        assertThat(granted(longest, "w3", MINUTE).fence().token()).isEqualTo(1);
        assertThat(leases.find(longest)).isPresent();
        // BL-56: byte by byte; what looks alike is not the same
        assertThat(granted(new LeaseKey("tick", "run-e\u0301"), "w1", MINUTE)
                        .fence()
                        .token())
                .isEqualTo(1);
        assertThat(leases.find(new LeaseKey("tick", "run-\u00e9"))).isEmpty();
    }

    @Test
    void manyAreRenewedInOneCallEachWithAnAnswerOfItsOwn() {
        LeaseKey tick = new LeaseKey("tick", "a b");
        LeaseKey late = LeaseKey.ofWorkflow("late");
        LeaseKey taken = LeaseKey.ofWorkflow("taken");
        LeaseKey never = LeaseKey.ofWorkflow("never");
        LeaseKey released = LeaseKey.ofWorkflow("released");
        Map<LeaseKey, Fence> held = new LinkedHashMap<>();
        for (LeaseKey key : List.of(WF_1, tick, late, taken, released)) {
            held.put(key, granted(key, "w1", MINUTE).fence());
        }
        held.put(never, new Fence("w1", 1));
        expire(late);
        expire(taken);
        granted(taken, "w2", MINUTE);
        leases.release(released, held.get(released));
        Map<LeaseKey, Renewal> answers = leases.renewAll(held);
        assertThat(answers).containsOnlyKeys(held.keySet());
        for (LeaseKey key : List.of(WF_1, tick)) {
            assertThat(answers.get(key)).isInstanceOf(Renewal.Renewed.class);
            assertThat(((Renewal.Renewed) answers.get(key)).lease().fence()).isEqualTo(held.get(key));
        }
        assertThat(answers.get(late)).isEqualTo(new Renewal.Lost(Loss.EXPIRED));
        assertThat(answers.get(taken)).isEqualTo(new Renewal.Lost(Loss.SUPERSEDED));
        assertThat(answers.get(never)).isEqualTo(new Renewal.Lost(Loss.NONE));
        assertThat(answers.get(released)).isEqualTo(new Renewal.Lost(Loss.NONE));
    }

    @Test
    void renewingNothingAnswersNothing() {
        assertThat(leases.renewAll(Map.of())).isEmpty();
    }

    @Test // BL-58
    void aLeaseCanBeAsShortAsASecondAndAsLongAsADay() {
        assertThat(granted(WF_1, "w1", Lease.MIN_TTL).ttl()).isEqualTo(Duration.ofSeconds(1));
        assertThat(granted(WF_1, "w1", Lease.MAX_TTL).ttl()).isEqualTo(Duration.ofDays(1));
        assertThat(granted(WF_1, "w1", Leases.DEFAULT_TTL.plusMillis(1)).ttl()).isEqualTo(Duration.ofMillis(120_001));
    }
}
