package io.holdfast.repository.race;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.failure.StoreTimeoutException;
import io.holdfast.failure.TransactionLostException;
import io.holdfast.repository.Holdfast;
import io.holdfast.repository.Settings;
import io.holdfast.repository.Stores;
import io.holdfast.run.Append;
import io.holdfast.run.Run;
import io.holdfast.run.RunChange;
import io.holdfast.run.RunCreation;
import io.holdfast.run.RunEvent;
import io.holdfast.run.RunUpdate;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(Race.Parameter.class)
class RunRaceTest {

    private static final RunChange CHANGE =
            RunChange.to("x").merging(Map.of("b", 2)).logging(Map.of("type", "x"));
    private static final List<Map<String, Integer>> ONE = List.of(Map.of("n", 1));

    private final Race race;

    RunRaceTest(Race race) {
        this.race = race;
    }

    private static RunCreation create(Stores stores, String about) {
        return stores.runs().create("r", Map.of("about", about), Map.of());
    }

    private Run started() {
        return ((RunCreation.Created) create(race.stores, "one")).run();
    }

    private <T> Background<T> begun(Callable<T> call) {
        Background<T> background = race.inBackground(call);
        race.awaitBlockedOrDone(background);
        return background;
    }

    private <T> List<T> sixteen(Callable<T> call) {
        CyclicBarrier start = new CyclicBarrier(16);
        return IntStream.range(0, 16)
                .mapToObj(i -> race.inBackground(() -> {
                    start.await();
                    return call.call();
                }))
                .toList()
                .stream()
                .map(Background::result)
                .toList();
    }

    @Test
    void aTwinThatWaitedForTheFirstIsAlreadyCreated() {
        Caller first = race.caller();
        RunCreation created = create(first.stores, "one");
        Background<RunCreation> waiting = begun(() -> create(race.stores, "one"));
        String stood = first.commit();
        assertThat(waiting.result()).isEqualTo(new RunCreation.AlreadyCreated(((RunCreation.Created) created).run()));
        race.assertStands(stood);
    }

    @Test // R2
    void anotherUnderTheSameIdThatWaitedForTheFirstFindsItTaken() {
        Caller first = race.caller();
        create(first.stores, "one");
        Background<RunCreation> waiting = begun(() -> create(race.stores, "other"));
        String stood = first.commit();
        assertThat(waiting.result()).isEqualTo(new RunCreation.Taken(1));
        race.assertStands(stood);
    }

    @Test
    void whoWaitedForACreationThatWasRolledBackCreates() {
        Caller first = race.caller();
        create(first.stores, "one");
        Background<RunCreation> waiting = begun(() -> create(race.stores, "other"));
        first.rollback();
        assertThat(waiting.result()).isInstanceOf(RunCreation.Created.class);
    }

    @Test
    void ofTwoWritersOfOneRevisionTheSecondIsAConflict() {
        Run read = started();
        Caller first = race.caller();
        assertThat(first.stores.runs().update(read, CHANGE)).isInstanceOf(RunUpdate.Updated.class);
        Background<RunUpdate> waiting = begun(() -> race.stores.runs().update(read, RunChange.to("y")));
        String stood = first.commit();
        assertThat(waiting.result()).isEqualTo(new RunUpdate.RevisionConflict(1, 2));
        race.assertStands(stood);
    }

    @Test
    void aTwinThatWaitedForTheFirstWriterHearsAlreadyApplied() {
        Run read = started();
        Caller first = race.caller();
        Run written = ((RunUpdate.Updated) first.stores.runs().update(read, CHANGE)).run();
        Background<RunUpdate> waiting = begun(() -> race.stores.runs().update(read, CHANGE));
        String stood = first.commit();
        assertThat(waiting.result()).isEqualTo(new RunUpdate.AlreadyApplied(written));
        race.assertStands(stood);
    }

    @Test
    void ofSixteenWritersOfOneRevisionOneWins() {
        Run read = started();
        List<RunUpdate> answers = sixteen(() -> race.stores
                .runs()
                .update(read, CHANGE.merging(Map.of("by", Thread.currentThread().getId()))));
        assertThat(answers).filteredOn(RunUpdate.Updated.class::isInstance).hasSize(1);
        assertThat(answers)
                .filteredOn(new RunUpdate.RevisionConflict(1, 2)::equals)
                .hasSize(15);
        assertThat(race.stores.runs().events("r", 0, 100)).hasSize(1);
    }

    @Test
    void aRunThatEndedMeanwhileIsNotSetRunning() {
        Run read = started();
        Caller ending = race.caller();
        ending.stores.runs().update(read, RunChange.to("completed"));
        Background<RunUpdate> waiting = begun(() -> race.stores.runs().update(read, CHANGE.unless("completed")));
        String stood = ending.commit();
        assertThat(waiting.result()).isEqualTo(new RunUpdate.Forbidden("completed"));
        race.assertStands(stood);
    }

    @Test
    void aRunThatWasRemovedAndMadeAnewMeanwhileIsAnother() {
        Run read = started();
        Caller rival = race.caller().run("delete from holdfast.run where scope = :scope");
        create(rival.stores, "one");
        Background<RunUpdate> waiting = begun(() -> race.stores.runs().update(read, CHANGE));
        String stood = rival.commit();
        assertThat(waiting.result()).isEqualTo(new RunUpdate.NotFound());
        race.assertStands(stood);
        assertThat(race.<RunUpdate>changingNothing(() -> race.stores.runs().update(read, CHANGE)))
                .isEqualTo(new RunUpdate.NotFound());
    }

    @Test
    void anAppendThatWaitedForAnotherIsNumberedBehindIt() {
        started();
        Caller first = race.caller();
        first.stores.runs().append("r", List.of(Map.of(), Map.of()));
        Background<Append> waiting = begun(() -> race.stores.runs().append("r", ONE));
        first.commit();
        assertThat(waiting.result())
                .isInstanceOfSatisfying(
                        Append.Appended.class,
                        answer -> assertThat(answer.firstSeq()).isEqualTo(3));
        assertUnbroken(3);
    }

    @Test
    void whatWasRolledBackLeavesNoGap() {
        started();
        Caller first = race.caller();
        first.stores.runs().append("r", List.of(Map.of(), Map.of()));
        Background<Append> waiting = begun(() -> race.stores.runs().append("r", ONE));
        first.rollback();
        assertThat(waiting.result())
                .isInstanceOfSatisfying(
                        Append.Appended.class,
                        answer -> assertThat(answer.firstSeq()).isEqualTo(1));
        assertUnbroken(1);
    }

    @Test
    void anUpdateThatWaitedForAnAppendIsNoConflictAndNumbersItsEventsBehindIt() {
        Run read = started();
        Caller first = race.caller();
        first.stores.runs().append("r", List.of(Map.of(), Map.of()));
        Background<RunUpdate> waiting = begun(() -> race.stores.runs().update(read, CHANGE));
        first.commit();
        assertThat(waiting.result())
                .isInstanceOfSatisfying(
                        RunUpdate.Updated.class,
                        answer -> assertThat(answer.run().lastSeq()).isEqualTo(3));
        assertUnbroken(3);
    }

    @Test
    void ofEightWritersAtOnceEachGetsNumbersInARow() {
        started();
        CyclicBarrier start = new CyclicBarrier(8);
        List<Background<List<Append>>> writers = IntStream.range(0, 8)
                .mapToObj(writer -> race.inBackground(() -> {
                    start.await();
                    return IntStream.range(0, 20)
                            .mapToObj(i -> race.stores
                                    .runs()
                                    .append(
                                            "r",
                                            List.of(Map.of("by", writer), Map.of("by", writer), Map.of("by", writer))))
                            .toList();
                }))
                .toList();
        List<Append> answers =
                writers.stream().flatMap(writer -> writer.result().stream()).toList();
        List<RunEvent> log = assertUnbroken(480);
        assertThat(answers).hasSize(160).allSatisfy(answer -> {
            Append.Appended appended = (Append.Appended) answer;
            assertThat(appended.lastSeq()).isEqualTo(appended.firstSeq() + 2);
            assertThat(log.subList((int) appended.firstSeq() - 1, (int) appended.lastSeq()))
                    .extracting(RunEvent::payload, RunEvent::at)
                    .containsOnly(org.assertj.core.api.Assertions.tuple(
                            log.get((int) appended.firstSeq() - 1).payload(), appended.at()));
        });
        assertThat(log).isSortedAccordingTo(java.util.Comparator.comparing(RunEvent::at));
    }

    private List<RunEvent> assertUnbroken(long last) {
        List<RunEvent> log = race.stores.runs().events("r", 0, 1_000);
        assertThat(log)
                .extracting(RunEvent::seq)
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(1, last).boxed().toList());
        assertThat(race.stores.runs().find("r").orElseThrow().lastSeq()).isEqualTo(last);
        return log;
    }

    @Test
    void noEventIsBeforeTheOneBeforeItThoughTheClockWasSetBack() {
        Run read = started();
        race.sql("update holdfast.run set updated_at = updated_at + interval '1 hour' where scope = :scope");
        Append.Appended first = (Append.Appended) race.stores.runs().append("r", ONE);
        Run second = ((RunUpdate.Updated) race.stores.runs().update(read, CHANGE)).run();
        assertThat(first.at()).isEqualTo(read.updatedAt().plus(Duration.ofHours(1)));
        assertThat(second.updatedAt()).isEqualTo(first.at());
    }

    @Test
    void readsAnswerAtOnceWhateverIsLocked() {
        Run run = started();
        race.rival().lock("run", "r");
        race.withoutWaiting(() -> {
            assertThat(race.stores.runs().find("r")).contains(run);
            assertThat(race.stores.runs().events("r", 0, 10)).isEmpty();
            assertThat(race.stores.runs().list("", 10)).hasSize(1);
            return true;
        });
    }

    @Test
    void aWriteThatWaitsLongerThanAllowedIsGivenUpAndNothingIsWritten() {
        Run read = started();
        race.rival().lock("run", "r");
        String before = race.dump();
        Stores hasty = Holdfast.over(RaceUnit.FACTORY, Settings.DEFAULT.withCommandTimeout(Duration.ofMillis(100)))
                .in(race.scope);
        Background<RunUpdate> update = race.inBackground(() -> hasty.runs().update(read, CHANGE));
        Background<Append> append = race.inBackground(() -> hasty.runs().append("r", ONE));
        assertThat(update.failure()).isInstanceOf(StoreTimeoutException.class);
        assertThat(append.failure()).isInstanceOf(StoreTimeoutException.class);
        race.assertStands(before);
    }

    @Test
    void inASnapshotThatIsTooOldALostRaceEndsTheTransaction() {
        started();
        Caller old = race.caller().isolated("repeatable read").run("select 1");
        race.stores.runs().append("r", ONE);
        String stood = race.dump();
        assertThat(race.inBackground(old, () -> old.stores.runs().append("r", ONE))
                        .failure())
                .isInstanceOf(TransactionLostException.class);
        old.rollback();
        race.assertStands(stood);
    }
}
