package io.holdfast.repository.race;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.failure.StoreTimeoutException;
import io.holdfast.repository.Holdfast;
import io.holdfast.repository.Settings;
import io.holdfast.repository.Stores;
import io.holdfast.state.WorkflowState;
import io.holdfast.state.WorkflowStatus;
import io.holdfast.step.StepResult.LeaseAfter;
import io.holdfast.workflow.CancelRequest;
import io.holdfast.workflow.Cancellation;
import io.holdfast.workflow.Creation;
import io.holdfast.workflow.Update;
import io.holdfast.workflow.Workflow;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(Race.Parameter.class)
class WorkflowRaceTest {

    private final Race race;

    WorkflowRaceTest(Race race) {
        this.race = race;
    }

    private static Creation create(Stores stores, WorkflowState state) {
        return stores.workflows().create(state, Map.of());
    }

    private <T> Background<T> begun(Callable<T> call) {
        Background<T> background = race.inBackground(call);
        race.awaitBlockedOrDone(background);
        return background;
    }

    @Test
    void aTwinThatWaitedForTheFirstIsAlreadyCreated() {
        Caller first = race.caller();
        Creation created = create(first.stores, Worker.running("wf"));
        Background<Creation> waiting = begun(() -> create(race.stores, Worker.running("wf")));
        String stood = first.commit();
        assertThat(waiting.result()).isEqualTo(new Creation.AlreadyCreated(((Creation.Created) created).workflow()));
        race.assertStands(stood);
    }

    @Test
    void anotherUnderTheSameIdThatWaitedForTheFirstFindsItTaken() {
        Caller first = race.caller();
        create(first.stores, Worker.running("wf"));
        Background<Creation> waiting = begun(() -> create(race.stores, WorkflowState.create("wf", "other")));
        String stood = first.commit();
        assertThat(waiting.result()).isEqualTo(new Creation.Taken(1));
        race.assertStands(stood);
    }

    @Test
    void whoWaitedForACreationThatWasRolledBackCreates() {
        Caller first = race.caller();
        create(first.stores, WorkflowState.create("wf", "other"));
        Background<Creation> waiting = begun(() -> create(race.stores, Worker.running("wf")));
        first.rollback();
        assertThat(waiting.result()).isInstanceOf(Creation.Created.class);
    }

    @Test
    void ofSixteenTwinsOneIsCreated() {
        CyclicBarrier start = new CyclicBarrier(16);
        List<Background<Creation>> calls = IntStream.range(0, 16)
                .mapToObj(i -> race.inBackground(() -> {
                    start.await();
                    return create(race.stores, Worker.running("wf"));
                }))
                .toList();
        List<Creation> answers = calls.stream().map(Background::result).toList();
        assertThat(answers).filteredOn(Creation.Created.class::isInstance).hasSize(1);
        assertThat(answers)
                .filteredOn(Creation.AlreadyCreated.class::isInstance)
                .hasSize(15);
    }

    @Test
    void aCancellationThatWaitedForTheEndComesTooLate() {
        Worker worker = Worker.at(race, "wf");
        Caller finishing = race.caller();
        worker.in(finishing.stores).finish(worker.end(), Worker.OUTCOME, LeaseAfter.RELEASE);
        Background<Cancellation> waiting = begun(() -> race.stores.workflows().requestCancel("wf", "late"));
        String stood = finishing.commit();
        assertThat(waiting.result()).isInstanceOf(Cancellation.Terminal.class);
        race.assertStands(stood);
    }

    @Test
    void aCancellationThatWaitedForACheckpointIsNotedAndFailsNobody() {
        Worker worker = Worker.at(race, "wf");
        Caller finishing = race.caller();
        worker.in(finishing.stores).finish();
        Background<Cancellation> waiting = begun(() -> race.stores.workflows().requestCancel("wf", "enough"));
        finishing.commit();
        assertThat(waiting.result()).isInstanceOf(Cancellation.Requested.class);
        Workflow stored = race.stores.workflows().find("wf").orElseThrow();
        assertThat(stored.revision()).isEqualTo(2);
        assertThat(stored.cancelRequest()).isPresent();
    }

    @Test
    void ofTwoCancellationsTheFirstReasonStands() {
        Worker.at(race, "wf");
        Caller first = race.caller();
        first.stores.workflows().requestCancel("wf", "first");
        Background<Cancellation> waiting = begun(() -> race.stores.workflows().requestCancel("wf", "second"));
        String stood = first.commit();
        assertThat(waiting.result())
                .isInstanceOfSatisfying(
                        Cancellation.AlreadyRequested.class,
                        answer -> assertThat(answer.request())
                                .extracting(CancelRequest::reason)
                                .isEqualTo(Optional.of("first")));
        race.assertStands(stood);
    }

    private Background<Update> updating(Worker worker) {
        return begun(() -> race.stores.workflows().update(worker.read(), worker.checkpoint()));
    }

    private void assertRefused(Worker worker, Rival rival, Update answer) {
        Background<Update> waiting = updating(worker);
        String stood = rival.commit();
        assertThat(waiting.result()).isEqualTo(answer);
        race.assertStands(stood);
    }

    // D-09
    @Test
    void ofTwoWritersOfOneRevisionTheSecondIsAConflict() {
        Worker worker = Worker.at(race, "wf");
        Caller first = race.caller();
        assertThat(first.stores.workflows().update(worker.read(), worker.otherCheckpoint()))
                .isInstanceOf(Update.Updated.class);
        Background<Update> waiting = updating(worker);
        String stood = first.commit();
        assertThat(waiting.result()).isEqualTo(new Update.RevisionConflict(2));
        race.assertStands(stood);
    }

    @Test
    void aTwinThatWaitedForTheFirstWriterHearsAlreadyApplied() {
        Worker worker = Worker.at(race, "wf");
        Caller first = race.caller();
        first.stores.workflows().update(worker.read(), worker.checkpoint());
        Background<Update> waiting = updating(worker);
        String stood = first.commit();
        assertThat(waiting.result()).isInstanceOf(Update.AlreadyApplied.class);
        race.assertStands(stood);
    }

    @Test
    void aWriterThatWaitedHearsWhatStandsThereNow() {
        Worker ended = Worker.at(race, "wf");
        assertRefused(
                ended,
                race.rival().update("workflow", "wf", "revision = revision + 1, status = 'closed'"),
                new Update.Terminal(WorkflowStatus.CLOSED));
        Worker removed = Worker.at(race, "wf-2");
        assertRefused(removed, race.rival().delete("workflow", "wf-2"), new Update.NotFound());
    }

    // H38
    @Test
    void aLoserIsToldWhatStandsThereThoughTheRowGoesOnChanging() {
        Worker worker = Worker.at(race, "wf");
        race.sql("update holdfast.workflow set status = 'queued', revision = 2 where scope = :scope");
        RaceUnit.REWRITING.set(sql -> {
            if (sql.startsWith("select")) { // between the update that lost and the read that tells why
                race.sql("update holdfast.workflow set status = 'running', revision = 3 where scope = :scope");
            }
            return sql;
        });
        assertThat(race.stores.workflows().update(worker.read(), worker.checkpoint()))
                .isEqualTo(new Update.RevisionConflict(3));
    }

    // H18
    @Test
    void aWorkflowThatWasRemovedAndMadeAnewMeanwhileIsAnother() {
        Worker worker = Worker.at(race, "wf");
        Caller rival = race.caller().run("delete from holdfast.workflow where scope = :scope");
        create(rival.stores, worker.read().state());
        Background<Update> waiting = updating(worker);
        String stood = rival.commit();
        assertThat(waiting.result()).isInstanceOf(Update.NotFound.class);
        race.assertStands(stood);
        assertThat(race.<Update>changingNothing(
                        () -> race.stores.workflows().update(worker.read(), worker.checkpoint())))
                .isInstanceOf(Update.NotFound.class);
    }

    // H16
    @Test
    void anUpdateThatWaitedForACancellationDoesNotTakeItBack() {
        Worker worker = Worker.at(race, "wf");
        Caller cancelling = race.caller();
        cancelling.stores.workflows().requestCancel("wf", "enough");
        Background<Update> waiting = updating(worker);
        cancelling.commit();
        assertThat(waiting.result()).isInstanceOf(Update.Updated.class);
        assertThat(race.stores.workflows().find("wf").orElseThrow().cancelRequest())
                .isPresent();
    }

    // D-30
    @Test
    void readsAnswerAtOnceWhateverIsLocked() {
        Worker worker = Worker.at(race, "wf");
        race.rival().lock("workflow", "wf").lock("idempotency_key", "wf:step").lock("lease", "wf");
        race.withoutWaiting(() -> {
            assertThat(race.stores.workflows().find("wf")).contains(worker.read());
            assertThat(race.stores.workflows().findCheckpoint("wf", "req")).isPresent();
            assertThat(race.stores.workflows().list("", 10)).hasSize(1);
            assertThat(race.stores.idempotencyKeys().find("wf:step")).isPresent();
            assertThat(race.stores.leases().find(worker.lease().key())).isPresent();
            return true;
        });
    }

    // D-31
    @Test
    void aWriteThatWaitsLongerThanAllowedIsGivenUpAndNothingIsWritten() {
        Worker worker = Worker.at(race, "wf");
        race.rival().lock("workflow", "wf");
        String before = race.dump();
        Stores hasty = Holdfast.over(RaceUnit.FACTORY, Settings.DEFAULT.withCommandTimeout(Duration.ofSeconds(1)))
                .in(race.scope);
        long start = System.nanoTime();
        Background<Update> byVersion =
                race.inBackground(() -> hasty.workflows().update(worker.read(), worker.checkpoint()));
        Background<Update> fenced = race.inBackground(() -> worker.in(hasty).update());
        assertThat(byVersion.failure()).isInstanceOf(StoreTimeoutException.class);
        assertThat(fenced.failure()).isInstanceOf(StoreTimeoutException.class);
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isBetween(Duration.ofSeconds(1), Duration.ofSeconds(5));
        race.assertStands(before);
    }
}
