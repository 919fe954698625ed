package io.holdfast.repository.race;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cleanup.Cutoff;
import io.holdfast.lease.Acquisition;
import io.holdfast.lease.Acquisition.Busy;
import io.holdfast.lease.Fence;
import io.holdfast.lease.Lease;
import io.holdfast.lease.TokensExhaustedException;
import io.holdfast.repository.Holdfast;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tokens only grow, and what was granted once is freed by its own token alone. */
@ExtendWith(Race.Parameter.class)
class TokenRaceTest {

    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Cutoff ALL = new Cutoff(Duration.ZERO, Duration.ZERO, 100);

    private final Race race;

    TokenRaceTest(Race race) {
        this.race = race;
    }

    private Acquisition acquire(String owner, Duration ttl) {
        return race.stores.leases().acquire(race.key("wf"), owner, ttl);
    }

    @Test
    void aGrantAfterAPurgeInBetweenIsAboveThePurgedToken() {
        race.granted("wf", "b");
        race.sql("update holdfast.lease set token = 7 where scope = :scope");
        race.expire("lease", "wf");
        Caller rival = race.caller();
        assertThat(rival.stores.cleanup().pass(ALL).leases()).isEqualTo(1);
        Background<Acquisition> waiting = race.inBackground(() -> acquire("a", SECOND));
        race.awaitBlocked(waiting);
        rival.commit();
        assertThat(Race.granted(waiting.result()).fence()).isEqualTo(new Fence("a", 8));
    }

    @Test
    void aGrantAfterAPurgeThatWasRolledBackIsTheNext() {
        race.granted("wf", "b");
        race.expire("lease", "wf");
        Caller rival = race.caller();
        rival.stores.cleanup().pass(ALL);
        Background<Acquisition> waiting = race.inBackground(() -> acquire("a", SECOND));
        race.awaitBlocked(waiting);
        rival.rollback();
        assertThat(Race.granted(waiting.result()).fence().token()).isEqualTo(2);
    }

    @Test
    void aFirstGrantThatWaitedForAPurgeIsAboveTheRaisedFloor() {
        race.granted("another", "x");
        Rival purge = race.rival()
                .run("select from holdfast.lease_floor where scope = :scope for update")
                .run("insert into holdfast.lease values (:scope, 'workflow', 'wf', null, 5, 1000, now(), now())")
                .delete("lease", "wf")
                .run("update holdfast.lease_floor set floor = 5 where scope = :scope");
        Background<Acquisition> waiting = race.inBackground(() -> acquire("a", SECOND));
        race.awaitBlocked(waiting);
        purge.commit();
        assertThat(Race.granted(waiting.result()).fence().token()).isEqualTo(6);
    }

    // H01, H02, H23
    @Test
    void tokensRiseAcrossReleaseExpiryReacquisitionRetentionAndRestart() {
        List<Long> tokens = new ArrayList<>();
        Lease first = race.granted("wf", "a");
        tokens.add(first.fence().token());
        assertThat(race.stores.leases().release(first.key(), first.fence())).isTrue();
        tokens.add(race.granted("wf", "b").fence().token());
        race.expire("lease", "wf");
        tokens.add(race.granted("wf", "c").fence().token());
        tokens.add(race.granted("wf", "c").fence().token());
        race.expire("lease", "wf");
        assertThat(race.stores.cleanup().pass(ALL).leases()).isEqualTo(1);
        tokens.add(race.granted("wf", "d").fence().token());
        try (Holdfast restarted = Holdfast.open(RaceUnit.DATABASE.dataSource())) {
            tokens.add(Race.granted(restarted.in(race.scope).leases().acquire(race.key("wf"), "d", SECOND))
                    .fence()
                    .token());
        }
        assertThat(tokens).containsExactly(1L, 2L, 3L, 4L, 5L, 6L);
    }

    // F-20
    @Test
    void aLeaseWithoutTokensLeftIsNotTakenOverAndSaysSo() {
        race.granted("wf", "b");
        race.sql("update holdfast.lease set token = 9223372036854775807 where scope = :scope");
        assertThat(acquire("a", SECOND)).isInstanceOf(Busy.class);
        race.expire("lease", "wf");
        String before = race.dump();
        Rival rival = race.rival().lock("lease", "wf");
        Background<Acquisition> waiting = race.inBackground(() -> acquire("a", SECOND));
        race.awaitBlocked(waiting);
        rival.rollback();
        assertThat(waiting.failure())
                .isInstanceOfSatisfying(
                        TokensExhaustedException.class,
                        e -> assertThat(e.retryable()).isFalse());
        race.assertStands(before);
    }

    @Test
    void aReleaseThatWaitedForATakeoverFreesNothing() {
        Lease former = race.granted("wf", "b");
        race.expire("lease", "wf");
        Caller rival = race.caller();
        rival.stores.leases().acquire(race.key("wf"), "a", Race.TTL);
        Background<Boolean> waiting =
                race.inBackground(() -> race.stores.leases().release(former.key(), former.fence()));
        race.awaitBlocked(waiting);
        String stood = rival.commit();
        assertThat(waiting.result()).isFalse();
        race.assertStands(stood);
    }

    @Test
    void aReleaseByARestartedOwnersFormerSelfFreesNothing() {
        Lease former = race.granted("wf", "a");
        race.granted("wf", "a");
        assertThat(race.changingNothing(() -> race.stores.leases().release(former.key(), former.fence())))
                .isFalse();
    }
}
