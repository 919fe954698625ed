package io.holdfast.repository.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.holdfast.idempotency.Binding;
import io.holdfast.idempotency.Completion;
import io.holdfast.idempotency.IdempotencyKey;
import io.holdfast.idempotency.KeepFor;
import io.holdfast.idempotency.KeyClaim;
import io.holdfast.idempotency.Reservation;
import io.holdfast.lease.Fence;
import io.holdfast.lease.LeaseKey;
import io.holdfast.lease.Loss;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Idempotency keys, one call after the other. */
abstract class IdempotencyKeysContract extends Contract {

    private static final String OUTCOME = fingerprint('a');
    private static final String OTHER_OUTCOME = fingerprint('b');

    IdempotencyKeysContract(Environment environment) {
        super(environment);
    }

    private Reservation reserve(String request, String workflow) {
        return keys.reserve("k", request, workflow, KeepFor.DEFAULT);
    }

    @Test // E-01
    void theFirstReservesAndARepeatIsInProgressUnchanged() {
        Reservation first = reserve("req-1", "wf-1");
        assertThat(first).isInstanceOf(Reservation.New.class);
        IdempotencyKey key = first.key();
        assertThat(key.claim().key()).isEqualTo("k");
        assertThat(key.claim().workflowId()).isEqualTo("wf-1");
        assertThat(key.requestId()).isEqualTo("req-1");
        assertThat(key.isCompleted()).isFalse();
        assertThat(Duration.between(key.createdAt(), key.expiresAt().orElseThrow()))
                .isBetween(Duration.ofDays(1).minusSeconds(5), Duration.ofDays(1));
        assertThat(keys.reserve("k", "req-1", "wf-1", KeepFor.EVER)).isEqualTo(new Reservation.InProgress(key));
        assertThat(keys.find("k")).contains(key);
    }

    @Test // E-03, E-04: the first difference is named
    void aKeyThatStandsForSomethingElseIsAConflict() {
        IdempotencyKey key = reserve("req-1", "wf-1").key();
        assertThat(reserve("req-2", "wf-2")).isEqualTo(new Reservation.Conflict(Binding.REQUEST, key));
        assertThat(reserve("req-2", "wf-1")).isEqualTo(new Reservation.Conflict(Binding.REQUEST, key));
        assertThat(reserve("req-1", "wf-2")).isEqualTo(new Reservation.Conflict(Binding.WORKFLOW, key));
    }

    @Test
    void aCompletedKeyAnswersWithItsOutcome() {
        KeyClaim claim = reserved("k", "wf-1");
        Completion done = keys.complete(claim, OUTCOME);
        IdempotencyKey key = ((Completion.Done) done).key();
        assertThat(key.outcome()).contains(OUTCOME);
        assertThat(reserve("req-1", "wf-1")).isEqualTo(new Reservation.Completed(key));
        assertThat(reserve("req-2", "wf-1")).isEqualTo(new Reservation.Conflict(Binding.REQUEST, key));
        assertThat(keys.find("k")).contains(key);
    }

    @Test // H22, K-11: twins that do not fix the workflow get the winner's
    void aWorkflowIsMadeForARequestThatHasNone() {
        IdempotencyKey key = keys.reserve("k", "req-1", KeepFor.DEFAULT).key();
        assertThat(key.claim().workflowId()).matches("workflow-[0-9a-f]{16}");
        assertThat(keys.reserve("k", "req-1", KeepFor.DEFAULT)).isEqualTo(new Reservation.InProgress(key));
        assertThat(keys.reserve("k", "req-2", KeepFor.DEFAULT))
                .isEqualTo(new Reservation.Conflict(Binding.REQUEST, key));
        IdempotencyKey done = ((Completion.Done) keys.complete(key.claim(), OUTCOME)).key();
        assertThat(keys.reserve("k", "req-1", KeepFor.DEFAULT)).isEqualTo(new Reservation.Completed(done));
    }

    @Test // E-06: at the very instant
    void aKeyWhoseTimeIsOverIsReservedAnew() {
        KeyClaim former = reserve("req-1", "wf-1").key().claim();
        expireKey("k");
        assertThat(keys.find("k")).isPresent();
        Reservation anew = reserve("req-2", "wf-2");
        assertThat(anew).isInstanceOf(Reservation.New.class);
        assertThat(anew.key().claim()).isEqualTo(next(former, "wf-2"));
        assertThat(keys.find("k")).contains(anew.key());
    }

    @Test // E-07
    void aCompletedKeyWhoseTimeIsOverIsReservedAnewWithoutItsOutcome() {
        KeyClaim former = reserved("k", "wf-1");
        keys.complete(former, OUTCOME);
        expireKey("k");
        Reservation anew = reserve("req-1", "wf-1");
        assertThat(anew).isInstanceOf(Reservation.New.class);
        assertThat(anew.key().outcome()).isEmpty();
        assertThat(anew.key().claim()).isEqualTo(next(former, "wf-1"));
        assertThat(anew.key().createdAt()).isEqualTo(anew.key().updatedAt());
    }

    @Test // D-26, H21: not while its workflow is at work since before the key expired
    void aReservedKeyDoesNotLapseWhileItsWorkflowIsAtWork() {
        IdempotencyKey key = reserve("req-1", "wf-1").key();
        granted("wf-1", "worker");
        expireKey("k");
        assertThat(reserve("req-2", "wf-2"))
                .asInstanceOf(type(Reservation.Conflict.class))
                .extracting(Reservation.Conflict::field)
                .isEqualTo(Binding.REQUEST);
        assertThat(reserve("req-1", "wf-1")).isInstanceOf(Reservation.InProgress.class);
        assertThat(keys.complete(key.claim(), OUTCOME)).isInstanceOf(Completion.Done.class);
        expireKey("k");
        assertThat(reserve("req-2", "wf-2"))
                .as("completed: nothing is at work any more")
                .isInstanceOf(Reservation.New.class);
    }

    @Test // H21: a lease from after the expiry does not bring a key back, nor does an expired or released one keep it
    void onlyALiveLeaseFromBeforeTheExpiryKeepsAKey() {
        reserve("req-1", "wf-1");
        expireKey("k");
        granted("wf-1", "worker");
        assertThat(reserve("req-2", "wf-2")).isInstanceOf(Reservation.New.class);
        Fence fence = granted("wf-2", "worker").fence();
        expireKey("k");
        assertThat(reserve("req-3", "wf-3")).isInstanceOf(Reservation.Conflict.class);
        leases.release(LeaseKey.ofWorkflow("wf-2"), fence);
        assertThat(reserve("req-3", "wf-3")).isInstanceOf(Reservation.New.class);
        granted("wf-3", "worker");
        expireKey("k");
        expire(LeaseKey.ofWorkflow("wf-3"));
        assertThat(reserve("req-4", "wf-4")).isInstanceOf(Reservation.New.class);
    }

    @Test // E-09
    void aKeyThatIsNotThereCannotBeCompleted() {
        assertThat(keys.complete(new KeyClaim("k", "wf-1", 1), OUTCOME)).isEqualTo(new Completion.NotFound());
        assertThat(keys.completeFenced(new KeyClaim("k", "wf-1", 1), OUTCOME, new Fence("worker", 1)))
                .isEqualTo(new Completion.NotFound());
        assertThat(keys.find("k")).isEmpty();
        assertThat(keys.find("no key\0")).isEmpty();
    }

    @Test // E-10
    void completingAgainIsHeardAsTheSameOrNot() {
        KeyClaim claim = reserved("k", "wf-1");
        IdempotencyKey key = ((Completion.Done) keys.complete(claim, OUTCOME)).key();
        assertThat(keys.complete(claim, OUTCOME)).isEqualTo(new Completion.AlreadyCompleted(key, true));
        assertThat(keys.complete(claim, OTHER_OUTCOME)).isEqualTo(new Completion.AlreadyCompleted(key, false));
    }

    @Test // E-12, H09
    void aKeyIsNotCompletedForAnotherWorkflow() {
        IdempotencyKey key = reserve("req-1", "wf-1").key();
        KeyClaim others = new KeyClaim("k", "wf-2", key.claim().reservation());
        assertThat(keys.complete(others, OUTCOME)).isEqualTo(new Completion.Conflict(Binding.WORKFLOW));
        assertThat(keys.find("k")).contains(key);
    }

    @Test // H10
    void theFormerHolderOfALapsedKeyCompletesNothing() {
        KeyClaim former = reserved("k", "wf-1");
        expireKey("k");
        KeyClaim present = reserved("k", "wf-1");
        assertThat(keys.complete(former, OUTCOME)).isEqualTo(new Completion.Conflict(Binding.RESERVATION));
        assertThat(keys.complete(present, OUTCOME)).isInstanceOf(Completion.Done.class);
        assertThat(keys.complete(former, OTHER_OUTCOME)).isEqualTo(new Completion.Conflict(Binding.RESERVATION));
    }

    @Test
    void aReservationThatExpiredCanStillBeCompletedAndIsThenKeptAnew() {
        KeyClaim claim = reserved("k", "wf-1");
        expireKey("k");
        IdempotencyKey key = ((Completion.Done) keys.complete(claim, OUTCOME)).key();
        assertThat(Duration.between(key.updatedAt(), key.expiresAt().orElseThrow()))
                .isEqualTo(Duration.ofDays(1));
        assertThat(reserve("req-2", "wf-2")).isInstanceOf(Reservation.Conflict.class);
    }

    @Test // BL-58: the shortest, the longest, and for ever
    void aKeyIsKeptForItsTimeOrForEver() {
        assertThat(keys.reserve("ever", "req-1", "wf-1", KeepFor.EVER).key().expiresAt())
                .isEmpty();
        KeyClaim ever = keys.find("ever").orElseThrow().claim();
        assertThat(((Completion.Done) keys.complete(ever, OUTCOME)).key().expiresAt())
                .isEmpty();
        Duration longest = Duration.ofDays(3_650);
        IdempotencyKey kept =
                keys.reserve("long", "req-1", "wf-1", KeepFor.of(longest)).key();
        assertThat(kept.createdAt().plus(longest))
                .isBetween(
                        kept.expiresAt().orElseThrow().minusSeconds(5),
                        kept.expiresAt().orElseThrow().plusSeconds(5));
        assertThat(keys.reserve("short", "req-1", "wf-1", KeepFor.of(Duration.ofMillis(1))))
                .isInstanceOf(Reservation.New.class);
    }

    @Test // E-15, E-16, H09: the lease that counts is the one of the claim's workflow
    void aFencedCompletionNeedsTheLeaseOfTheKeysWorkflow() {
        KeyClaim claim = reserved("k", "wf-1");
        Fence elsewhere = granted("wf-2", "worker").fence();
        assertThat(keys.completeFenced(claim, OUTCOME, elsewhere)).isEqualTo(lost(Loss.NONE));
        assertThat(keys.completeFenced(new KeyClaim("k", "wf-2", claim.reservation()), OUTCOME, elsewhere))
                .isEqualTo(new Completion.Conflict(Binding.WORKFLOW));
        Fence fence = granted("wf-1", "worker").fence();
        assertThat(keys.completeFenced(claim, OUTCOME, new Fence("rival", 1))).isEqualTo(lost(Loss.SUPERSEDED));
        assertThat(keys.completeFenced(claim, OUTCOME, new Fence("worker", 2))).isEqualTo(lost(Loss.SUPERSEDED));
        expire(LeaseKey.ofWorkflow("wf-1"));
        assertThat(keys.completeFenced(claim, OUTCOME, fence)).isEqualTo(lost(Loss.EXPIRED));
        Fence second = granted("wf-1", "worker").fence();
        assertThat(keys.completeFenced(claim, OUTCOME, fence)).isEqualTo(lost(Loss.SUPERSEDED));
        assertThat(keys.completeFenced(claim, OUTCOME, second)).isInstanceOf(Completion.Done.class);
    }

    private static Completion lost(Loss reason) {
        return new Completion.FenceLost(reason);
    }

    @Test // E-21
    void aFencedCompletionSentAgainIsTheSameWhateverBecameOfTheLease() {
        KeyClaim claim = reserved("k", "wf-1");
        Fence fence = granted("wf-1", "worker").fence();
        IdempotencyKey key = ((Completion.Done) keys.completeFenced(claim, OUTCOME, fence)).key();
        leases.release(LeaseKey.ofWorkflow("wf-1"), fence);
        Completion same = new Completion.AlreadyCompleted(key, true);
        assertThat(keys.completeFenced(claim, OUTCOME, fence)).isEqualTo(same);
        assertThat(keys.completeFenced(claim, OUTCOME, granted("wf-1", "rival").fence()))
                .isEqualTo(same);
    }

    @Test // design 4: not found, the same already, fence, then the key: workflow, reservation, completed otherwise
    void aFencedCompletionHearsTheFirstOfAllThatStandsAgainstIt() {
        Fence wrong = new Fence("rival", 9);
        KeyClaim stale = new KeyClaim("k", "wf-2", 7);
        assertThat(keys.completeFenced(stale, OUTCOME, wrong)).isEqualTo(new Completion.NotFound());
        KeyClaim claim = reserved("k", "wf-1");
        Fence fence = granted("wf-1", "worker").fence();
        Fence second = granted("wf-2", "worker").fence();
        keys.completeFenced(claim, OUTCOME, fence);
        assertThat(keys.completeFenced(claim, OUTCOME, wrong))
                .asInstanceOf(type(Completion.AlreadyCompleted.class))
                .extracting(Completion.AlreadyCompleted::same)
                .isEqualTo(true);
        assertThat(keys.completeFenced(stale, OTHER_OUTCOME, wrong)).isEqualTo(lost(Loss.SUPERSEDED));
        assertThat(keys.completeFenced(stale, OTHER_OUTCOME, second))
                .isEqualTo(new Completion.Conflict(Binding.WORKFLOW));
        assertThat(keys.completeFenced(new KeyClaim("k", "wf-1", 7), OTHER_OUTCOME, fence))
                .isEqualTo(new Completion.Conflict(Binding.RESERVATION));
        assertThat(keys.completeFenced(claim, OTHER_OUTCOME, fence))
                .asInstanceOf(type(Completion.AlreadyCompleted.class))
                .extracting(Completion.AlreadyCompleted::same)
                .isEqualTo(false);
    }
}
