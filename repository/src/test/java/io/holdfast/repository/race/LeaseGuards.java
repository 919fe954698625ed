package io.holdfast.repository.race;

import static io.holdfast.repository.race.Guard.ANY_LATER_TOKEN;
import static io.holdfast.repository.race.Guard.EARLY;
import static io.holdfast.repository.race.Guard.LATE;
import static io.holdfast.repository.race.Guard.TOKEN;

import java.util.stream.Stream;

/** Guards of the statements on leases alone. */
final class LeaseGuards {

    private static final String ACQUIRE = "floor as materialized";
    private static final String RENEW = "(select count(*) from held) first), renewed as";
    private static final String RELEASE = "released as ( update";
    private static final String RENEW_ALL = "unnest(";

    private LeaseGuards() {}

    static Stream<Guard> all() {
        return Stream.of(acquire(), renew()).flatMap(guards -> guards);
    }

    private static Stream<Guard> acquire() {
        return Stream.of(
                new Guard(
                        "acquire: the clock is read behind the lock",
                        ACQUIRE,
                        LATE,
                        EARLY,
                        race -> new AcquireRaceTest(race).aGrantThatWaitedForALockHasItsWholeTime()),
                new Guard(
                        "acquire: not now(), which is the start of the caller's transaction",
                        ACQUIRE,
                        LATE,
                        EARLY,
                        race -> new AcquireRaceTest(race).aTransactionOpenedLongAgoDoesNotShortenALease()),
                new Guard(
                        "acquire: the row is locked before it is judged",
                        ACQUIRE,
                        " for update of x",
                        "",
                        race -> new AcquireRaceTest(race).whoWaitedForARivalThatTookOverIsBusyUntilTheRivalsEnd()),
                new Guard(
                        "acquire: with a lock that waits for fenced writers",
                        ACQUIRE,
                        " for update of x",
                        " for no key update of x",
                        race -> new AcquireRaceTest(race).aTakeoverWaitsForTheFormerHoldersFencedWrite()),
                new Guard(
                        "acquire: who finds it busy takes no lock",
                        ACQUIRE,
                        "and not exists (select from seen where owner <> ?",
                        "and not exists (select from seen where owner <> ? and false",
                        race -> new AcquireRaceTest(race).aBusyLeaseIsToldSoWithoutWaitingForWhoeverHasItLocked()),
                new Guard(
                        "acquire: a new row starts above the floor",
                        ACQUIRE,
                        "f.floor + 1",
                        "0 + 1",
                        race -> new TokenRaceTest(race).aGrantAfterAPurgeInBetweenIsAboveThePurgedToken()),
                new Guard(
                        "acquire: the floor is locked, so that it is the newest",
                        ACQUIRE,
                        " for share of f",
                        "",
                        race -> new TokenRaceTest(race).aFirstGrantThatWaitedForAPurgeIsAboveTheRaisedFloor()),
                new Guard(
                        "acquire: an insert that waited looks at what is left",
                        ACQUIRE,
                        "'0.9 milliseconds'",
                        "'-9 milliseconds'",
                        race -> new AcquireRaceTest(race).aFirstGrantThatWaitedForARivalsLostInsertHasItsWholeTime()),
                new Guard(
                        "acquire: a lost insert is no violation",
                        ACQUIRE,
                        "on conflict (scope, kind, id) do nothing",
                        "",
                        race -> new AcquireRaceTest(race).whoLosesTheFirstGrantOfAKeyIsBusy()),
                new Guard(
                        "acquire: the last token stays",
                        ACQUIRE,
                        " and h.token < 9223372036854775807",
                        "",
                        race -> new TokenRaceTest(race).aLeaseWithoutTokensLeftIsNotTakenOverAndSaysSo()),
                new Guard(
                        "release: of this token alone",
                        RELEASE,
                        "and x.token = ?",
                        "and (x.token = ? or true) and (x.owner <> '')",
                        race -> new TokenRaceTest(race).aReleaseByARestartedOwnersFormerSelfFreesNothing()));
    }

    private static Stream<Guard> renew() {
        return Stream.of(
                new Guard(
                        "renew: the clock is read behind the lock",
                        RENEW,
                        LATE,
                        EARLY,
                        race -> new RenewRaceTest(race).aRenewalThatWaitedPastTheEndIsLost()),
                new Guard(
                        "renew: the row is locked before it is judged",
                        RENEW,
                        " for no key update of x",
                        "",
                        race -> new RenewRaceTest(race).aRenewalThatWaitedForARestartOfItsOwnerIsLost()),
                new Guard(
                        "renew: without a lock that fenced writers wait for",
                        RENEW,
                        " for no key update of x",
                        " for update of x",
                        race -> new RenewRaceTest(race).aHeartbeatRunsDuringAnOpenFencedBusinessTransaction()),
                new Guard(
                        "renew: never shortens",
                        RENEW,
                        "greatest(x.expires_at, m.at + x.ttl_ms * interval '1 millisecond')",
                        "m.at + x.ttl_ms * interval '1 millisecond'",
                        race -> new RenewRaceTest(race).aRenewalThatWaitedForALongerOneDoesNotShortenIt()),
                new Guard(
                        "renew: the token is the one that was granted",
                        RENEW,
                        "and h.token = ?",
                        "and h.token >= ?",
                        race -> new RenewRaceTest(race).aRenewalThatWaitedForARestartOfItsOwnerIsLost()),
                new Guard(
                        "renewAll: the token is the one that was granted",
                        RENEW_ALL,
                        TOKEN,
                        ANY_LATER_TOKEN,
                        race -> new RenewRaceTest(race).aRenewalOfManyThatMetARestartOfItsOwnerIsLost()),
                new Guard(
                        "renewAll: waits for nobody",
                        RENEW_ALL,
                        " skip locked",
                        "",
                        race -> new RenewRaceTest(race).ofManyRenewedAtOnceALockedOneIsDeferredAndALostOneIsSaidToBe()),
                new Guard(
                        "renewAll: rows are locked before they are judged",
                        RENEW_ALL,
                        " for no key update of x skip locked",
                        "",
                        race -> new RenewRaceTest(race)
                                .aRenewalOfManyDefersATakeoverThatIsUnderWayAndChangesNothing()));
    }
}
