package io.holdfast.repository.race;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.approval.ApprovalRequest;
import io.holdfast.approval.Decision;
import io.holdfast.approval.Expiry;
import io.holdfast.approval.Ruling;
import io.holdfast.journal.NewRun;
import io.holdfast.journal.Opened;
import io.holdfast.journal.RunClaim;
import io.holdfast.journal.RunKind;
import io.holdfast.lease.Lease;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What begins or ends in a caller's transaction that was begun long ago: it counts from now, and is judged now. BL-02. */
@ExtendWith(Race.Parameter.class)
class LongTransactionRaceTest {

    private static final Duration LONG = Duration.ofMillis(1_200);
    private static final Duration TTL = Duration.ofSeconds(2);

    private final Race race;

    LongTransactionRaceTest(Race race) {
        this.race = race;
    }

    private Caller callerOfLongAgo() {
        Caller caller = race.caller().run("select 1");
        race.pass(LONG);
        return caller;
    }

    private static NewRun run() {
        return NewRun.of("run", RunKind.WORKFLOW, "digest", "{}");
    }

    private static ApprovalRequest request(Duration time) {
        return ApprovalRequest.of("ap", "run", "the call", Expiry.after(time));
    }

    private static void assertWhole(Lease lease) {
        assertThat(lease.remaining()).isBetween(Duration.ofMillis(1_800), TTL);
    }

    @Test
    void theLeaseOfARunThatIsOpenedHasItsWholeTime() {
        race.granted("warm", "worker");
        Caller caller = callerOfLongAgo();
        Opened opened = caller.stores.journal().open(run(), "worker", TTL);
        caller.commit();
        assertThat(opened).isInstanceOfSatisfying(Opened.Done.class, done -> assertWhole(done.lease()));
        assertThat(race.stores.runLeases().claim("run", "rival", TTL, "digest")).isInstanceOf(RunClaim.Busy.class);
    }

    @Test
    void theLeaseOfARunThatIsClaimedHasItsWholeTime() {
        race.stores.journal().open(run(), "dead", TTL);
        race.expire("lease", "run");
        Caller caller = callerOfLongAgo();
        RunClaim claimed = race.inBackground(
                        caller, () -> caller.stores.runLeases().claim("run", "worker", TTL, "digest"))
                .result();
        caller.commit();
        assertThat(claimed).isInstanceOfSatisfying(RunClaim.Granted.class, granted -> assertWhole(granted.lease()));
        assertThat(race.stores.runLeases().claim("run", "rival", TTL, "digest")).isInstanceOf(RunClaim.Busy.class);
    }

    @Test
    void anApprovalThatIsRegisteredHasItsWholeTime() {
        Caller caller = callerOfLongAgo();
        caller.stores.approvals().register(request(TTL));
        caller.commit();
        assertThat(
                        race.holds(
                                "select expires_at - clock_timestamp() > interval '1 second' from holdfast.approval where scope = :scope"))
                .isTrue();
    }

    @Test
    void anApprovalThatWasGoodWhenTheTransactionBeganIsOver() {
        race.stores.approvals().register(request(LONG.dividedBy(2)));
        Caller caller = callerOfLongAgo();
        Decision approval = Decision.approve(request(LONG).digest(), "ann");
        assertThat(caller.stores.approvals().decide("ap", approval)).isInstanceOf(Ruling.Expired.class);
        caller.commit();
    }
}
