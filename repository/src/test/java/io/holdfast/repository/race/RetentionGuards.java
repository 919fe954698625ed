package io.holdfast.repository.race;

import java.util.stream.Stream;

/** Guards of the statements of a retention run. */
final class RetentionGuards {

    private static final String REMOVE_WORKFLOWS = "d.id from due d)) returning w.id";
    private static final String REMOVE_LEASES = "raised as (";
    private static final String REMOVE_KEYS = "free as materialized (";

    private RetentionGuards() {}

    static Stream<Guard> all() {
        return Stream.concat(
                workflows(),
                Stream.of(
                        new Guard(
                                "retention: only leases whose time is over",
                                REMOVE_LEASES,
                                "x.expires_at <= clock_timestamp() - ",
                                "x.granted_at <= clock_timestamp() + ",
                                race -> new RetentionRaceTest(race).theLivingBesideTheDeadStay()),
                        new Guard(
                                "retention: a lease is locked before it goes",
                                REMOVE_LEASES,
                                " for update skip locked",
                                "",
                                race -> new RetentionRaceTest(race)
                                        .aLeaseThatIsRenewedBetweenTheLookAndTheRemovalStays()),
                        new Guard(
                                "retention: leases are not waited for",
                                REMOVE_LEASES,
                                " for update skip locked",
                                " for update",
                                race -> new RetentionRaceTest(race).aLeaseThatSomebodyHasLockedIsNotWaitedFor()),
                        new Guard(
                                "retention: keys are not waited for",
                                REMOVE_KEYS,
                                " for update of i skip locked",
                                " for update of i",
                                race -> new RetentionRaceTest(race).aRunWaitsForNobodyWhateverIsLocked())));
    }

    private static Stream<Guard> workflows() {
        return Stream.of(
                new Guard(
                        "retention: workflows are not waited for",
                        REMOVE_WORKFLOWS,
                        " skip locked",
                        "",
                        race -> new RetentionRaceTest(race).aRunWaitsForNobodyWhateverIsLocked()),
                new Guard(
                        "retention: a workflow is locked, so that who is removing it is not waited for",
                        REMOVE_WORKFLOWS,
                        " for update of w skip locked",
                        "",
                        race -> new RetentionRaceTest(race)
                                .aRowThatSomebodyElseIsRemovingKeepsNoOtherFromBeingRemoved()),
                new Guard(
                        "retention: only workflows of the status",
                        REMOVE_WORKFLOWS,
                        "and w.status = ?",
                        "and (w.status = ? or true)",
                        race -> new RetentionRaceTest(race).workThatIsUnderWayStaysHoweverManyAreTooMany()),
                new Guard(
                        "retention: the age is that of the end",
                        REMOVE_WORKFLOWS,
                        "w.finished_at <= ",
                        "w.created_at <= ",
                        race -> new RetentionRaceTest(race).whatBeganLongAgoAndHasJustEndedIsNotOld()),
                new Guard(
                        "retention: not the newest",
                        REMOVE_WORKFLOWS,
                        "or (w.created_at, w.id) <= ",
                        "or ('-infinity', w.id) <= ",
                        race -> new RetentionRaceTest(race).ofThoseThatHaveJustEndedOnlyTheOldestIsOneTooMany()),
                new Guard(
                        "retention: nobody has the lease",
                        REMOVE_WORKFLOWS,
                        "x.owner is null or x.expires_at <= clock_timestamp()",
                        "true",
                        race -> new RetentionRaceTest(race).anEndedWorkflowWhoseLeaseIsHeldStays()));
    }
}
