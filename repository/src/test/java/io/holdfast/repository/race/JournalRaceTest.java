package io.holdfast.repository.race;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.approval.ApprovalRequest;
import io.holdfast.approval.ApprovalUse;
import io.holdfast.approval.CallDigest;
import io.holdfast.approval.Consumption;
import io.holdfast.approval.Decision;
import io.holdfast.approval.Expiry;
import io.holdfast.journal.Committed;
import io.holdfast.journal.EffectClass;
import io.holdfast.journal.EffectEntry;
import io.holdfast.journal.EffectId;
import io.holdfast.journal.Intent;
import io.holdfast.journal.JournalCommit;
import io.holdfast.journal.JournalEvent;
import io.holdfast.journal.NewRun;
import io.holdfast.journal.Opened;
import io.holdfast.journal.RecordedEvent;
import io.holdfast.journal.RecoverableRun;
import io.holdfast.journal.Resolution;
import io.holdfast.journal.Resolution.Finding;
import io.holdfast.journal.Resolved;
import io.holdfast.journal.RunClaim;
import io.holdfast.journal.RunHead;
import io.holdfast.journal.RunKind;
import io.holdfast.journal.RunSnapshot;
import io.holdfast.journal.RunStatus;
import io.holdfast.journal.StepKey;
import io.holdfast.journal.StepOutcome;
import io.holdfast.lease.Acquisition;
import io.holdfast.lease.Fence;
import io.holdfast.lease.LeaseKey;
import io.holdfast.lease.Loss;
import io.holdfast.lease.Renewal;
import io.holdfast.repository.Stores;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The races of the execution journal: on one run, its lease, and an idempotency key that two runs want. */
@ExtendWith(Race.Parameter.class)
class JournalRaceTest {

    private static final StepKey A = StepKey.visit("a", 1);
    private static final StepKey B = StepKey.visit("b", 2);

    private final Race race;

    JournalRaceTest(Race race) {
        this.race = race;
    }

    private record Held(RunHead head, Fence fence) {

        JournalCommit.Builder next() {
            return JournalCommit.to(head);
        }
    }

    private static NewRun run(String id) {
        return NewRun.of(id, RunKind.WORKFLOW, "digest", "{}");
    }

    private Held opened(String id) {
        Opened.Done done = (Opened.Done) race.stores.journal().open(run(id), "worker", Race.TTL);
        return new Held(done.head(), done.lease().fence());
    }

    private Committed commit(Held held, JournalCommit.Builder commit) {
        return race.stores.journal().commit(held.fence(), commit.build());
    }

    private Held after(Held held, Committed answer) {
        return new Held(((Committed.Done) answer).head(), held.fence());
    }

    private RunClaim claim(Stores stores, String owner) {
        return stores.runLeases().claim("run", owner, Race.TTL, "digest");
    }

    private Intent intent(StepKey step, String key) {
        return Intent.of(step, "payload", race.scope.id() + key, EffectClass.IDEMPOTENT);
    }

    private static JournalEvent event(int number) {
        return JournalEvent.of("{\"n\":" + number + "}");
    }

    private JournalCommit.Builder any() {
        return JournalCommit.toAny("run");
    }

    /** The call waits for the rival, which commits; the answer, and nothing written. */
    private <T> void assertRefused(Background<T> waiting, Rival rival, T answer) {
        race.awaitBlocked(waiting);
        String stood = rival.commit();
        assertThat(waiting.result()).isEqualTo(answer);
        race.assertStands(stood);
    }

    @Test
    void twoCommitsOfOneRevisionAreOneCommitAndOneConflict() {
        Held held = opened("run");
        Caller rival = race.caller();
        Committed first = rival.stores
                .journal()
                .commit(held.fence(), held.next().event(event(1)).build());
        Background<Committed> waiting =
                race.inBackground(() -> commit(held, held.next().event(event(2))));
        race.awaitBlocked(waiting);
        String stood = rival.commit();
        assertThat(first).isInstanceOf(Committed.Done.class);
        assertThat(waiting.result()).isEqualTo(new Committed.RevisionConflict(2));
        race.assertStands(stood);
    }

    @Test
    void oneCommitSentTwiceAtOnceIsWrittenOnce() {
        Held held = opened("run");
        Caller rival = race.caller();
        JournalCommit twice = held.next()
                .intent(intent(A, "k"))
                .effect(intent(A, "k").pending())
                .event(event(1))
                .build();
        rival.stores.journal().commit(held.fence(), twice);
        Background<Committed> waiting =
                race.inBackground(() -> race.stores.journal().commit(held.fence(), twice));
        race.awaitBlocked(waiting);
        String stood = rival.commit();
        assertThat(waiting.result()).isInstanceOf(Committed.AlreadyApplied.class);
        race.assertStands(stood);
    }

    @Test
    void aCommitThatWaitedForAnotherIsJudgedByWhatThatHasWrittenAndNumberedBehindIt() {
        Held held = opened("run");
        Caller rival = race.caller();
        rival.stores
                .journal()
                .commit(
                        held.fence(),
                        any().intent(intent(A, "k"))
                                .effect(intent(A, "k").pending())
                                .event(event(1))
                                .build());
        Background<Committed> waiting = race.inBackground(() -> commit(
                held,
                any().intent(intent(A, "k"))
                        .effect(intent(A, "k").pending())
                        .intent(intent(B, "l"))
                        .event(event(2))));
        Background<Committed> clashing = race.inBackground(() -> commit(held, any().intent(intent(A, "other"))));
        race.awaitBlocked(waiting);
        race.awaitBlocked(clashing);
        rival.commit();
        assertThat(waiting.result()).isInstanceOf(Committed.Done.class);
        assertThat(clashing.result()).isEqualTo(new Committed.StepConflict(A));
        RunSnapshot stored = race.stores.journal().find("run").orElseThrow();
        assertThat(stored.events()).extracting(RecordedEvent::sequence).containsExactly(1L, 2L);
        assertThat(stored.steps()).hasSize(2);
        assertThat(stored.effects()).hasSize(1);
        assertThat(stored.isComplete()).isTrue();
    }

    @Test
    void aCommitThatWaitedForARunThatWasFinishedMeanwhileIsRefused() {
        Held held = opened("run");
        Rival rival = race.rival()
                .update("execution", "run", "status = 'completed', watched = false, revision = revision + 1");
        assertRefused(
                race.inBackground(() -> commit(held, any().cursor("x"))),
                rival,
                new Committed.Finished(RunStatus.COMPLETED));
    }

    @Test
    void aCommitThatWaitedForTheRunPastTheEndOfTheLeaseIsRefused() {
        Held held = opened("run");
        Rival rival = race.rival().lock("execution", "run");
        race.expireSoon("lease", "run");
        Background<Committed> waiting =
                race.inBackground(() -> commit(held, held.next().cursor("x")));
        race.awaitBlocked(waiting);
        race.awaitExpired("lease", "run");
        assertRefused(waiting, rival, new Committed.FenceLost(Loss.EXPIRED));
    }

    @Test
    void aPausingCommitThatWaitedForTheLeaseUntilATakeoverIsRefused() {
        Held held = opened("run");
        Rival rival = race.rival().update("lease", "run", "owner = 'rival', token = token + 1");
        assertRefused(
                race.inBackground(() -> commit(held, held.next().status(RunStatus.PAUSED))),
                rival,
                new Committed.FenceLost(Loss.SUPERSEDED));
    }

    @Test
    void aCommitThatWaitedForARestartOfItsOwnerIsRefused() {
        Held held = opened("run");
        Caller restarted = restarted();
        Background<Committed> waiting =
                race.inBackground(() -> commit(held, held.next().cursor("x")));
        Background<Committed> pausing =
                race.inBackground(() -> commit(held, held.next().status(RunStatus.PAUSED)));
        race.awaitBlocked(waiting);
        race.awaitBlocked(pausing);
        String stood = restarted.commit();
        assertThat(waiting.result()).isEqualTo(new Committed.FenceLost(Loss.SUPERSEDED));
        assertThat(pausing.result()).isEqualTo(new Committed.FenceLost(Loss.SUPERSEDED));
        race.assertStands(stood);
    }

    /** Who holds the lease is granted it once more, under a greater token. */
    private Caller restarted() {
        Caller restarted = race.caller();
        Race.granted(restarted.stores.leases().acquire(LeaseKey.ofRun("run"), "worker", Race.TTL));
        return restarted;
    }

    @Test
    void aCommitThatWaitsForTheRunCannotBeOvertakenByATakeover() {
        Held held = opened("run");
        Rival rival = race.rival().lock("execution", "run");
        Background<Committed> waiting =
                race.inBackground(() -> commit(held, held.next().cursor("x")));
        race.awaitBlocked(waiting);
        Background<Acquisition> takeover =
                race.inBackground(() -> race.stores.leases().acquire(LeaseKey.ofRun("run"), "worker", Race.TTL));
        race.awaitBlocked(takeover);
        rival.rollback();
        assertThat(waiting.result()).isInstanceOf(Committed.Done.class);
        assertThat(takeover.result()).isInstanceOf(Acquisition.Granted.class);
    }

    @Test // a heartbeat waits for no commit, however long its transaction is
    void aHeartbeatGoesOnWhileACommitIsOpen() {
        Held held = opened("run");
        Caller caller = race.caller();
        caller.stores.journal().commit(held.fence(), held.next().cursor("x").build());
        assertThat(race.withoutWaiting(() -> race.stores.leases().renew(LeaseKey.ofRun("run"), held.fence())))
                .isInstanceOf(Renewal.Renewed.class);
        caller.commit();
    }

    @Test // J18, hole 1
    void readingWaitsForNobodyAndKeepsNobodyWaiting() {
        Held held = opened("run");
        Caller reader = race.caller();
        reader.stores.journal().find("run");
        reader.stores.runLeases().recoverable("", 10);
        assertThat(race.withoutWaiting(() -> commit(held, held.next().cursor("x"))))
                .isInstanceOf(Committed.Done.class);
        race.rival().lock("execution", "run").lock("lease", "run");
        assertThat(race.withoutWaiting(() -> race.stores.journal().find("run"))).isPresent();
        assertThat(race.withoutWaiting(() -> race.stores.runLeases().recoverable("", 10))
                        .runs())
                .isEmpty();
        reader.rollback();
    }

    @Test
    void twoClaimsOfACrashedRunAreOneGrant() {
        opened("run");
        race.expire("lease", "run");
        Caller rival = race.caller();
        RunClaim first = claim(rival.stores, "b");
        Background<RunClaim> waiting = race.inBackground(() -> claim(race.stores, "a"));
        race.awaitBlocked(waiting);
        assertThat(race.withoutWaiting(() -> race.stores.runLeases().recoverable("", 10))
                        .runs())
                .extracting(RecoverableRun::id)
                .containsExactly("run");
        String stood = rival.commit();
        assertThat(first).isInstanceOf(RunClaim.Granted.class);
        assertThat(waiting.result()).isInstanceOf(RunClaim.Busy.class);
        race.assertStands(stood);
        assertThat(race.stores.runLeases().recoverable("", 10).runs()).isEmpty();
    }

    @Test
    void aClaimThatWaitedForTheOwnersLastCommitHearsThatTheRunIsFinished() {
        Held held = opened("run");
        Caller owner = race.caller();
        owner.stores
                .journal()
                .commit(held.fence(), held.next().status(RunStatus.COMPLETED).build());
        Background<RunClaim> waiting = race.inBackground(() -> claim(race.stores, "worker"));
        race.awaitBlocked(waiting);
        String stood = owner.commit();
        assertThat(waiting.result()).isEqualTo(new RunClaim.Finished(RunStatus.COMPLETED));
        race.assertStands(stood);
    }

    @Test
    void aClaimThatWaitedForTheRunHasItsWholeTime() {
        opened("run");
        race.expire("lease", "run");
        Rival rival = race.rival().lock("execution", "run");
        Background<RunClaim> waiting =
                race.inBackground(() -> race.stores.runLeases().claim("run", "a", Duration.ofSeconds(1), "digest"));
        race.awaitBlocked(waiting);
        race.pass(Duration.ofMillis(250));
        rival.rollback();
        RunClaim.Granted granted = (RunClaim.Granted) waiting.result();
        assertThat(granted.lease().remaining()).isGreaterThan(Duration.ofMillis(800));
    }

    @Test
    void twoWhoOpenOneRunAreOneRun() {
        opened("warm");
        Caller rival = race.caller();
        Opened first = rival.stores.journal().open(run("run"), "b", Race.TTL);
        Background<Opened> waiting =
                race.inBackground(() -> race.stores.journal().open(run("run"), "a", Race.TTL));
        race.awaitBlocked(waiting);
        String stood = rival.commit();
        assertThat(first).isInstanceOf(Opened.Done.class);
        assertThat(waiting.result()).isEqualTo(new Opened.Taken(RunStatus.RUNNING));
        race.assertStands(stood);
    }

    @Test
    void whoWaitedForAnOpenThatWasRolledBackOpensTheRun() {
        opened("warm");
        Caller rival = race.caller();
        rival.stores.journal().open(run("run"), "b", Race.TTL);
        Background<Opened> waiting =
                race.inBackground(() -> race.stores.journal().open(run("run"), "a", Race.TTL));
        race.awaitBlocked(waiting);
        rival.rollback();
        Opened.Done done = (Opened.Done) waiting.result();
        assertThat(done.lease().fence().owner()).isEqualTo("a");
    }

    @Test
    void anOpenThatWaitedForARivalsLostInsertHasItsWholeTime() {
        opened("warm");
        Caller rival = race.caller();
        rival.stores.journal().open(run("run"), "b", Race.TTL);
        Opened answer =
                race.afterALostInsert(rival, () -> race.stores.journal().open(run("run"), "a", Race.TWO_SECONDS));
        race.assertWhole("lease", "run");
        assertThat(answer).isInstanceOf(Opened.Done.class);
    }

    @Test
    void aClaimThatWaitedForARivalsLostInsertHasItsWholeTime() {
        opened("run");
        race.sql("delete from holdfast.lease where scope = :scope"); // as retention does
        Caller rival = race.caller();
        claim(rival.stores, "b");
        RunClaim answer = race.afterALostInsert(
                rival, () -> race.stores.runLeases().claim("run", "a", Race.TWO_SECONDS, "digest"));
        race.assertWhole("lease", "run");
        assertThat(answer).isInstanceOf(RunClaim.Granted.class);
    }

    @Test
    void aRunThatARivalOpensUnderALeaseThatWasFreeIsTheRivals() {
        LeaseKey key = LeaseKey.ofRun("run");
        race.stores
                .leases()
                .release(
                        key,
                        Race.granted(race.stores.leases().acquire(key, "x", Race.TTL))
                                .fence());
        Caller rival = race.caller();
        Opened.Done done = (Opened.Done) rival.stores.journal().open(run("run"), "b", Race.TTL);
        rival.stores
                .journal()
                .commit(
                        done.lease().fence(),
                        JournalCommit.to(done.head()).status(RunStatus.PAUSED).build());
        Background<Opened> waiting =
                race.inBackground(() -> race.stores.journal().open(run("run"), "a", Race.TTL));
        race.awaitBlocked(waiting);
        String stood = rival.commit();
        assertThat(waiting.result()).isEqualTo(new Opened.Taken(RunStatus.PAUSED));
        race.assertStands(stood);
    }

    @Test // J19, hole 5: in transactions of callers, who would hear of a deadlock
    void crossingKeysDoNotDeadlock() {
        Held one = opened("run");
        Held other = opened("other");
        Rival between = race.rival()
                .run("insert into holdfast.execution_effect (scope, run_id, ordinal, step_key, index, effect_id,"
                        + " idempotency_key, status, created_at, updated_at) values (:scope, 'run', 9, 'x', 0, repeat('0', 64), '"
                        + race.scope.id() + "b', 'pending', now(), now())");
        Caller caller = race.caller();
        Caller rival = race.caller();
        // Both want a, b and c, in different orders; b is held up, so that each is in the middle.
        Background<Committed> first = race.inBackground(
                caller,
                () -> caller.stores
                        .journal()
                        .commit(one.fence(), effects(one, "a", "b", "c").build()));
        race.awaitBlocked(first);
        Background<Committed> second = race.inBackground(
                rival,
                () -> rival.stores
                        .journal()
                        .commit(other.fence(), effects(other, "c", "b", "a").build()));
        race.awaitBlocked(second);
        between.rollback();
        assertThat(first.result()).isInstanceOf(Committed.Done.class);
        caller.commit();
        assertThat(second.result()).isInstanceOf(Committed.KeyTaken.class);
        rival.commit();
        assertThat(race.stores.journal().find("other").orElseThrow().effects()).isEmpty();
    }

    private JournalCommit.Builder effects(Held held, String... keys) {
        JournalCommit.Builder commit = held.next();
        for (String key : keys) {
            StepKey step = StepKey.visit(key, 1);
            commit.intent(intent(step, key)).effect(intent(step, key).pending());
        }
        return commit;
    }

    @Test
    void whoMeetsARivalsFreshKeyAmongSeveralWritesNothing() {
        Held held = opened("run");
        Held other = opened("other");
        Caller rival = race.caller();
        rival.stores.journal().commit(other.fence(), effects(other, "b").build());
        Background<Committed> waiting = race.inBackground(() -> commit(held, effects(held, "a", "b", "c")));
        race.awaitBlocked(waiting);
        String stood = rival.commit();
        assertThat(waiting.result()).isEqualTo(new Committed.KeyTaken(race.scope.id() + "b"));
        race.assertStands(stood);
    }

    @Test
    void whoMeetsARivalsFreshKeyAloneWritesNothing() {
        Held held = opened("run");
        Held other = opened("other");
        Caller rival = race.caller();
        rival.stores.journal().commit(other.fence(), effects(other, "a").build());
        Background<Committed> waiting = race.inBackground(
                () -> commit(held, effects(held, "a").state("{\"a\":1}").event(event(1))));
        race.awaitBlocked(waiting);
        String stood = rival.commit();
        assertThat(waiting.result()).isEqualTo(new Committed.KeyTaken(race.scope.id() + "a"));
        race.assertStands(stood);
    }

    @Test
    void aKeyWhoseRivalRolledBackIsSent() {
        Held held = opened("run");
        Held other = opened("other");
        Caller rival = race.caller();
        rival.stores.journal().commit(other.fence(), effects(other, "b").build());
        Background<Committed> waiting = race.inBackground(() -> commit(held, effects(held, "a", "b", "c")));
        race.awaitBlocked(waiting);
        rival.rollback();
        assertThat(waiting.result()).isInstanceOf(Committed.Done.class);
    }

    @Test // in a caller's transaction, which goes on with what it did before
    void aCallersTransactionStaysUsableAfterAKeyWasTaken() {
        Held held = opened("run");
        Held other = opened("other");
        Caller rival = race.caller();
        rival.stores.journal().commit(other.fence(), effects(other, "b").build());
        Caller caller = race.caller();
        Held paused = after(
                held,
                caller.stores
                        .journal()
                        .commit(held.fence(), held.next().cursor("x").build()));
        Background<Committed> waiting = race.inBackground(
                caller,
                () -> caller.stores
                        .journal()
                        .commit(held.fence(), effects(paused, "a", "b").build()));
        race.awaitBlocked(waiting);
        rival.commit();
        assertThat(waiting.result()).isEqualTo(new Committed.KeyTaken(race.scope.id() + "b"));
        caller.commit();
        RunSnapshot stored = race.stores.journal().find("run").orElseThrow();
        assertThat(stored.run().cursor()).contains("x");
        assertThat(stored.effects()).isEmpty();
        assertThat(stored.run().head().revision()).isEqualTo(2);
    }

    /** An approval of the run, consumed by the step. */
    private static void consume(Stores stores, Held held, StepKey step) {
        String digest = CallDigest.of("the call");
        stores.approvals().register(ApprovalRequest.of("ap", "run", "the call", Expiry.DEFAULT));
        stores.approvals().decide("ap", Decision.approve(digest, "ann"));
        assertThat(stores.approvals().consume(new ApprovalUse("ap", "run", digest, step), held.fence()))
                .isInstanceOf(Consumption.Consumed.class);
    }

    private JournalCommit.Builder approved(StepKey step) {
        Intent intent = Intent.of(step, CallDigest.of("the call"), race.scope.id() + step, EffectClass.NON_IDEMPOTENT)
                .under("ap");
        return any().intent(intent).effect(intent.pending());
    }

    @Test // single use: two steps of one worker that want one approval
    void ofTwoStepsUnderOneApprovalTheOneThatConsumedItIsEntered() {
        Held held = opened("run");
        Caller rival = race.caller();
        consume(rival.stores, held, A);
        Committed first =
                rival.stores.journal().commit(held.fence(), approved(A).build());
        Background<Committed> waiting = race.inBackground(() -> commit(held, approved(B)));
        race.awaitBlocked(waiting);
        String stood = rival.commit();
        assertThat(first).isInstanceOf(Committed.Done.class);
        assertThat(waiting.result()).isEqualTo(new Committed.ApprovalNotConsumed(B, "ap"));
        race.assertStands(stood);
    }

    @Test
    void anEntryThatWaitedForAConsumptionThatWasRolledBackIsRefused() {
        Held held = opened("run");
        Caller rival = race.caller();
        consume(rival.stores, held, A);
        rival.stores.journal().commit(held.fence(), approved(A).build());
        Background<Committed> waiting = race.inBackground(() -> commit(held, approved(A)));
        race.awaitBlocked(waiting);
        rival.rollback();
        assertThat(waiting.result()).isEqualTo(new Committed.ApprovalNotConsumed(A, "ap"));
        assertThat(race.stores.journal().find("run").orElseThrow().steps()).isEmpty();
    }

    @Test // leave for one call: two who begin it anew at once
    void ofTwoFurtherEffectsUnderOneApprovalOneIsEntered() {
        Held held = opened("run");
        consume(race.stores, held, A);
        Held sent = after(held, commit(held, approved(A)));
        after(sent, commit(sent, sent.next().effect(EffectEntry.indeterminate(A, 0))));
        resolve(race.stores, held.fence(), Finding.NOT_APPLIED);
        Caller rival = race.caller();
        Committed first = rival.stores
                .journal()
                .commit(
                        held.fence(),
                        any().effect(EffectEntry.pending(A, 1, race.scope.id() + "1"))
                                .build());
        Background<Committed> waiting =
                race.inBackground(() -> commit(held, any().effect(EffectEntry.pending(A, 2, race.scope.id() + "2"))));
        race.awaitBlocked(waiting);
        String stood = rival.commit();
        assertThat(first).isInstanceOf(Committed.Done.class);
        assertThat(waiting.result()).isEqualTo(new Committed.EffectConflict(A, 2));
        race.assertStands(stood);
    }

    private Held inDoubt() {
        Held held = opened("run");
        Held sent = after(held, commit(held, effects(held, "a")));
        return after(sent, commit(sent, sent.next().effect(EffectEntry.indeterminate(A, 0))));
    }

    private Resolved resolve(Stores stores, Fence fence, Finding finding) {
        return stores.journal()
                .resolveEffect(fence, "run", EffectId.of(race.scope, "run", A, 0), Resolution.of(finding, "operator"));
    }

    @Test
    void twoWhoResolveOneEffectAreOneResolution() {
        Held held = inDoubt();
        Caller rival = race.caller();
        Resolved first = resolve(rival.stores, held.fence(), Finding.CONFIRMED);
        Background<Resolved> waiting = race.inBackground(() -> resolve(race.stores, held.fence(), Finding.NOT_APPLIED));
        race.awaitBlocked(waiting);
        String stood = rival.commit();
        assertThat(first).isInstanceOf(Resolved.Done.class);
        assertThat(waiting.result()).isEqualTo(new Resolved.AlreadyResolved(Finding.CONFIRMED, "operator"));
        race.assertStands(stood);
    }

    @Test
    void aResolutionThatWaitedForATakeoverIsRefused() {
        Held held = inDoubt();
        Rival rival = race.rival().update("lease", "run", "owner = 'rival', token = token + 1");
        assertRefused(
                race.inBackground(() -> resolve(race.stores, held.fence(), Finding.CONFIRMED)),
                rival,
                new Resolved.FenceLost(Loss.SUPERSEDED));
    }

    @Test
    void aResolutionThatWaitedForARestartOfItsOwnerIsRefused() {
        Held held = inDoubt();
        Caller restarted = restarted();
        Background<Resolved> waiting = race.inBackground(() -> resolve(race.stores, held.fence(), Finding.CONFIRMED));
        race.awaitBlocked(waiting);
        String stood = restarted.commit();
        assertThat(waiting.result()).isEqualTo(new Resolved.FenceLost(Loss.SUPERSEDED));
        race.assertStands(stood);
    }

    @Test
    void aResolutionThatWaitedForTheRunPastTheEndOfTheLeaseIsRefused() {
        Held held = inDoubt();
        Rival rival = race.rival().lock("execution", "run");
        race.expireSoon("lease", "run");
        Background<Resolved> waiting = race.inBackground(() -> resolve(race.stores, held.fence(), Finding.CONFIRMED));
        race.awaitBlocked(waiting);
        race.awaitExpired("lease", "run");
        assertRefused(waiting, rival, new Resolved.FenceLost(Loss.EXPIRED));
    }

    private void paused() {
        Held held = opened("run");
        commit(held, held.next().status(RunStatus.PAUSED));
        race.stores.approvals().register(ApprovalRequest.of("ap", "run", "the call", Expiry.DEFAULT));
    }

    private void decide(Stores stores) {
        stores.approvals().decide("ap", Decision.approve(CallDigest.of("the call"), "ann"));
    }

    private Held claimed() {
        RunClaim.Granted granted = (RunClaim.Granted) race.withoutWaiting(() -> claim(race.stores, "a"));
        return new Held(granted.head(), granted.lease().fence());
    }

    private List<String> recoverable() {
        return race.stores.runLeases().recoverable("", 10).runs().stream()
                .map(RecoverableRun::id)
                .toList();
    }

    @Test // the wake-up of whoever decided found the run busy
    void aDecisionBehindAClaimWakesTheRunOnceItIsPausedAgain() {
        paused();
        Held held = claimed();
        decide(race.stores);
        assertThat(claim(race.stores, "b")).isInstanceOf(RunClaim.Busy.class);
        commit(held, held.next().status(RunStatus.PAUSED));
        assertThat(recoverable()).containsExactly("run");
    }

    @Test
    void whatLapsesBehindAClaimWakesTheRunOnceItIsPausedAgain() {
        paused();
        Held held = claimed();
        commit(held, held.next().status(RunStatus.PAUSED));
        assertThat(recoverable()).isEmpty();
        race.expire("approval", "ap");
        assertThat(recoverable()).containsExactly("run");
    }

    @Test // decided in a long transaction: made before the claim, seen after it
    void aDecisionThatAClaimCouldNotSeeWakesTheRunOnceItIsPausedAgain() {
        paused();
        Caller person = race.caller();
        decide(person.stores);
        Held held = claimed();
        person.commit();
        commit(held, held.next().status(RunStatus.PAUSED));
        assertThat(recoverable()).containsExactly("run");
    }

    @Test
    void aClaimDoesNotWaitForWhoIsTakingAnApprovalBack() {
        paused();
        decide(race.stores);
        Caller person = race.caller();
        person.stores.approvals().withdraw("ap", "ann", "");
        Held held = claimed();
        person.commit();
        commit(held, held.next().status(RunStatus.PAUSED));
        assertThat(recoverable()).containsExactly("run");
    }

    @Test
    void aPurgePassesByARunThatSomebodyHasLocked() {
        Held held = opened("run");
        commit(held, held.next().status(RunStatus.COMPLETED));
        Rival rival = race.rival().lock("execution", "run");
        assertThat(race.withoutWaiting(() -> race.stores.journal().purge(Duration.ZERO, 10)))
                .isZero();
        rival.rollback();
        assertThat(race.stores.journal().purge(Duration.ZERO, 10)).isEqualTo(1);
    }

    @Test
    void aCommitThatWaitedForAPurgeFindsNoRun() {
        Held held = opened("run");
        commit(held, held.next().status(RunStatus.COMPLETED));
        Caller purge = race.caller();
        assertThat(purge.stores.journal().purge(Duration.ZERO, 10)).isEqualTo(1);
        Background<Committed> waiting =
                race.inBackground(() -> commit(held, any().outcome(StepOutcome.completed(A, "1"))));
        race.awaitBlocked(waiting);
        String stood = purge.commit();
        assertThat(waiting.result()).isEqualTo(new Committed.NotFound());
        race.assertStands(stood);
    }

    @Test
    void aRunThatFinishesWhileItIsPurgedForIsLeftForTheNextTime() {
        Held held = opened("run");
        Caller owner = race.caller();
        owner.stores
                .journal()
                .commit(held.fence(), held.next().status(RunStatus.COMPLETED).build());
        assertThat(race.withoutWaiting(() -> race.stores.journal().purge(Duration.ZERO, 10)))
                .isZero();
        owner.commit();
        assertThat(race.stores.journal().find("run").orElseThrow().run().head().status())
                .isEqualTo(RunStatus.COMPLETED);
        assertThat(List.of(race.stores.journal().purge(Duration.ZERO, 10))).containsExactly(1);
    }
}
