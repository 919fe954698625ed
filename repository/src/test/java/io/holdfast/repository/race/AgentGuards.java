package io.holdfast.repository.race;

import static io.holdfast.repository.race.Guard.ANY_LATER_TOKEN;
import static io.holdfast.repository.race.Guard.EARLY;
import static io.holdfast.repository.race.Guard.LATE;
import static io.holdfast.repository.race.Guard.LOOKED_AT_AGAIN;
import static io.holdfast.repository.race.Guard.LOST;
import static io.holdfast.repository.race.Guard.TOKEN;

import java.util.function.Consumer;
import java.util.stream.Stream;

/** Guards of the statements on checkpoints of agents. */
final class AgentGuards {

    private static final String SAVE = "then 'OVER'";
    private static final String FINISH = "then 'ALREADY_OVER'";
    private static final String PURGE = "set status = 'purged'";

    private AgentGuards() {}

    static Stream<Guard> all() {
        return Stream.of(saved(), ended(), givenBack(), newer()).flatMap(guards -> guards);
    }

    private static Guard of(String name, String of, String guard, String without, Consumer<AgentRaceTest> scenario) {
        return new Guard(name, of, guard, without, race -> scenario.accept(new AgentRaceTest(race)));
    }

    private static Guard givenBack(String name, String of, Consumer<SaveRaceTest> scenario) {
        return new Guard(
                name,
                of,
                "when t.place is distinct from s.place then 'AGAIN'",
                "",
                race -> scenario.accept(new SaveRaceTest(race)));
    }

    private static Stream<Guard> givenBack() {
        return Stream.of(
                givenBack(
                        "save: a lease that was given back with a pause that was waited for is looked at again",
                        SAVE,
                        SaveRaceTest::anAgentsSaveThatWaitedForAPauseIsRefused),
                givenBack(
                        "save: and one that was given back with a save",
                        SAVE,
                        SaveRaceTest::anAgentsSaveThatWaitedForWhoGaveTheLeaseBackIsRefused),
                givenBack(
                        "finish: a lease that was given back with what was waited for is looked at again",
                        FINISH,
                        SaveRaceTest::anAgentsEndThatWaitedForWhoGaveTheLeaseBackIsRefused));
    }

    private static Stream<Guard> newer() {
        return Stream.of(
                of(
                        "save: the status is one that is known",
                        SAVE,
                        "when t.status not in ('running', 'paused', 'completed')",
                        "when false",
                        AgentRaceTest::whatANewerReleaseHasLeftIsNotSavedOver),
                of(
                        "finish: the status is one that is known",
                        FINISH,
                        "when t.status not in ('running', 'paused', 'completed')",
                        "when false",
                        AgentRaceTest::whatANewerReleaseHasLeftIsNotFinished),
                of(
                        "purge: the status is one that is known",
                        PURGE,
                        "where t.status in ('running', 'paused', 'completed')",
                        "where t.status not in ('finished', 'purged')",
                        AgentRaceTest::whatANewerReleaseHasLeftIsNotPurged));
    }

    private static Stream<Guard> saved() {
        return Stream.of(
                of(
                        "save: the checkpoint is locked before it is judged, against the end",
                        SAVE,
                        " for no key update of c",
                        "",
                        AgentRaceTest::aSaveThatWaitedForTheEndComesTooLate),
                of(
                        "save: the checkpoint is locked before it is judged, against a purge",
                        SAVE,
                        " for no key update of c",
                        "",
                        AgentRaceTest::aSaveThatWaitedForAPurgeComesTooLate),
                of(
                        "save: the checkpoint is locked before it is judged, against other saves",
                        SAVE,
                        " for no key update of c",
                        "",
                        AgentRaceTest::ofTwoSavesOnOneRevisionTheSecondIsAConflict),
                of(
                        "save: a lost insert is no violation",
                        SAVE,
                        "on conflict (scope, run_id) do nothing",
                        "",
                        AgentRaceTest::ofTwoFirstSavesTheSecondIsAConflict),
                of(
                        "save: the clock is read behind all locks",
                        SAVE,
                        LATE,
                        EARLY,
                        AgentRaceTest::aSaveThatWaitedPastTheEndOfTheLeaseIsRefused),
                of(
                        "save: a lease that may have been renewed meanwhile is looked at again",
                        SAVE,
                        LOOKED_AT_AGAIN,
                        LOST,
                        AgentRaceTest::aSaveThatWaitedLongerThanItsLeaseHadWhileTheHeartbeatWentOnIsWritten),
                of(
                        "pause: the clock is read behind all locks",
                        SAVE,
                        LATE,
                        EARLY,
                        AgentRaceTest::aPauseThatWaitedPastTheEndOfTheLeaseIsRefused),
                of(
                        "save: the lease is locked before it is judged",
                        SAVE,
                        " for key share of x",
                        "",
                        AgentRaceTest::aSaveThatWaitedForATakeoverIsRefused),
                of(
                        "save: the token is the one that was granted",
                        SAVE,
                        TOKEN,
                        ANY_LATER_TOKEN,
                        AgentRaceTest::aSaveThatWaitedForARestartOfItsOwnerIsRefused),
                of(
                        "pause: of what is saved: the token is the one that was granted",
                        SAVE,
                        "and h.token = ?",
                        "and h.token >= ?",
                        AgentRaceTest::aPauseOfWhatIsSavedThatWaitedForARestartOfItsOwnerGivesNothingBack),
                of(
                        "save: the lease is locked, so that nobody takes it over",
                        SAVE,
                        " for key share of x",
                        "",
                        AgentRaceTest::aSaveThatWaitsForTheCheckpointCannotBeOvertakenByATakeover),
                of(
                        "save: with a lock that a heartbeat does not wait for",
                        SAVE,
                        " for key share of x",
                        " for share of x",
                        AgentRaceTest::aHeartbeatRunsDuringAnOpenSave));
    }

    private static Stream<Guard> ended() {
        return Stream.of(
                of(
                        "finish: the checkpoint is locked before it is judged",
                        FINISH,
                        " for no key update of c",
                        "",
                        AgentRaceTest::anEndThatWaitedForAPurgeSaysSo),
                of(
                        "finish: the clock is read behind all locks",
                        FINISH,
                        LATE,
                        EARLY,
                        AgentRaceTest::anEndThatWaitedPastTheEndOfTheLeaseIsRefused),
                of(
                        "finish: a lease that may have been renewed meanwhile is looked at again",
                        FINISH,
                        LOOKED_AT_AGAIN,
                        LOST,
                        AgentRaceTest::anEndThatWaitedLongerThanItsLeaseHadWhileTheHeartbeatWentOnIsWritten),
                of(
                        "finish: the lease is locked before it is judged",
                        FINISH,
                        " for key share of x",
                        "",
                        AgentRaceTest::anEndThatWaitedForATakeoverIsRefused),
                of(
                        "finish: the token is the one that was granted",
                        FINISH,
                        TOKEN,
                        ANY_LATER_TOKEN,
                        AgentRaceTest::anEndThatWaitedForARestartOfItsOwnerIsRefused),
                of(
                        "purge: the checkpoint is locked before it is judged",
                        PURGE,
                        " for no key update of c",
                        "",
                        AgentRaceTest::aPurgeThatWaitedForTheEndFindsNothing));
    }
}
