package io.holdfast.repository.race;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cleanup.Cutoff;
import io.holdfast.lease.Lease;
import io.holdfast.step.Finished;
import io.holdfast.workflow.Update;
import io.holdfast.workflow.Workflow;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The races of every write of a state under a lease: {@code finish}, {@code step} and {@code updateFenced}. */
@ExtendWith(Race.Parameter.class)
abstract class FencedWriteRaces {

    final Race race;

    FencedWriteRaces(Race race) {
        this.race = race;
    }

    /** Writes the worker's checkpoint. */
    abstract Object write(Worker worker);

    /** Writes other content in its place. */
    abstract Object writeOther(Worker worker);

    static String verdict(Object answer) {
        if (answer instanceof Update.Updated || answer instanceof Finished.Done) {
            return "Written";
        }
        return answer instanceof Update.AlreadyApplied || answer instanceof Finished.AlreadyApplied
                ? "AlreadyApplied"
                : answer.toString();
    }

    static Workflow written(Object answer) {
        return answer instanceof Update.Updated updated ? updated.workflow() : ((Finished.Done) answer).workflow();
    }

    Background<Object> waiting(Worker worker) {
        Background<Object> waiting = race.inBackground(() -> write(worker));
        race.awaitBlocked(waiting);
        return waiting;
    }

    /** The call waits for the rival, which commits; the answer, and nothing written. */
    void assertRefused(Background<Object> waiting, Rival rival, String verdict) {
        String stood = rival.commit();
        assertThat(verdict(waiting.result())).isEqualTo(verdict);
        race.assertStands(stood);
    }

    @Test
    void aRepeatHearsAlreadyAppliedAndWritesNothing() {
        Worker worker = Worker.at(race, "wf");
        assertThat(verdict(write(worker))).isEqualTo("Written");
        assertThat(verdict(race.changingNothing(() -> write(worker)))).isEqualTo("AlreadyApplied");
        race.expire("lease", "wf");
        race.granted("wf", "b");
        assertThat(verdict(race.changingNothing(() -> write(worker))))
                .as("after a takeover")
                .isEqualTo("AlreadyApplied");
        assertThat(verdict(race.changingNothing(() -> writeOther(worker)))).isEqualTo("FenceLost[reason=SUPERSEDED]");
    }

    @Test
    void otherContentInPlaceOfWhatWasWrittenIsAConflict() {
        Worker worker = Worker.at(race, "wf");
        write(worker);
        assertThat(verdict(race.changingNothing(() -> writeOther(worker)))).isEqualTo("RevisionConflict[actual=2]");
    }

    @Test
    void ofManyIdenticalAtOnceOneIsWritten() {
        Worker worker = Worker.at(race, "wf");
        CyclicBarrier start = new CyclicBarrier(16);
        List<Background<Object>> calls = IntStream.range(0, 16)
                .mapToObj(i -> race.<Object>inBackground(() -> {
                    start.await();
                    return write(worker);
                }))
                .toList();
        List<String> verdicts = calls.stream()
                .map(Background::result)
                .map(FencedWriteRaces::verdict)
                .toList();
        assertThat(verdicts).containsOnlyOnce("Written");
        assertThat(verdicts).filteredOn("AlreadyApplied"::equals).hasSize(15);
        assertThat(race.stores.workflows().find("wf").orElseThrow().revision()).isEqualTo(2);
    }

    @Test
    void anIdenticalOneThatWaitedForTheFirstHearsAlreadyApplied() {
        Worker worker = Worker.at(race, "wf");
        Caller first = race.caller();
        assertThat(verdict(write(worker.in(first.stores)))).isEqualTo("Written");
        Background<Object> waiting = waiting(worker);
        String stood = first.commit();
        assertThat(verdict(waiting.result())).isEqualTo("AlreadyApplied");
        race.assertStands(stood);
    }

    @Test
    void anotherThatWaitedForTheFirstIsAConflict() {
        Worker worker = Worker.at(race, "wf");
        Caller first = race.caller();
        assertThat(verdict(writeOther(worker.in(first.stores)))).isEqualTo("Written");
        Background<Object> waiting = waiting(worker);
        String stood = first.commit();
        assertThat(verdict(waiting.result())).isEqualTo("RevisionConflict[actual=2]");
        race.assertStands(stood);
    }

    // D-09, H38: the verdict comes from the statement that lost
    @Test
    void aRevisionThatRoseMeanwhileIsAConflict() {
        Worker worker = Worker.at(race, "wf");
        Rival rival = race.rival().update("workflow", "wf", "revision = revision + 1, snapshot = snapshot || ' '");
        assertRefused(waiting(worker), rival, "RevisionConflict[actual=2]");
    }

    @Test
    void aStatusThatChangedMeanwhileIsNamed() {
        Worker worker = Worker.at(race, "wf");
        Rival rival = race.rival().update("workflow", "wf", "revision = revision + 1, status = 'queued'");
        assertRefused(waiting(worker), rival, "StatusConflict[actual=QUEUED]");
    }

    @Test
    void aWorkflowThatEndedMeanwhileStaysEnded() {
        Worker worker = Worker.at(race, "wf");
        Rival rival = race.rival().update("workflow", "wf", "revision = revision + 1, status = 'closed'");
        assertRefused(waiting(worker), rival, "Terminal[actual=CLOSED]");
    }

    @Test
    void aCancellationAskedForMeanwhileIsKeptAndTold() {
        Worker worker = Worker.at(race, "wf");
        Caller rival = race.caller();
        rival.stores.workflows().requestCancel("wf", "enough");
        Background<Object> waiting = waiting(worker);
        rival.commit();
        Object answer = waiting.result();
        assertThat(verdict(answer)).isEqualTo("Written");
        assertThat(written(answer).cancelRequest())
                .hasValueSatisfying(request -> assertThat(request.reason()).contains("enough"));
        assertThat(race.stores.workflows().find("wf").orElseThrow().cancelRequest())
                .isPresent();
    }

    @Test
    void aWorkflowThatWasRemovedMeanwhileIsNotFound() {
        Worker worker = Worker.at(race, "wf");
        Rival rival = race.rival().delete("workflow", "wf");
        assertRefused(waiting(worker), rival, "NotFound[]");
    }

    // H18
    @Test
    void aWorkflowThatWasRemovedAndMadeAnewMeanwhileIsAnother() {
        Worker worker = Worker.at(race, "wf");
        Rival rival = race.rival()
                .run(
                        "create temporary table kept on commit drop as select * from holdfast.workflow where scope = :scope")
                .delete("workflow", "wf")
                .run("insert into holdfast.workflow (scope, id, request_id, status, revision, snapshot)"
                        + " select scope, id, request_id, status, revision, snapshot from kept");
        assertRefused(waiting(worker), rival, "NotFound[]");
        assertThat(verdict(race.changingNothing(() -> write(worker)))).isEqualTo("NotFound[]");
    }

    // H04: a stale write cannot commit
    @Test
    void aWriteThatWaitedForTheStatePastTheEndOfTheLeaseIsRefused() {
        Worker worker = Worker.at(race, "wf");
        race.expireSoon("lease", "wf");
        Rival rival = race.rival().lock("workflow", "wf");
        Background<Object> waiting = waiting(worker);
        race.awaitExpired("lease", "wf");
        assertRefused(waiting, rival, "FenceLost[reason=EXPIRED]");
    }

    @Test
    void aWriteThatWaitedForTheLeasePastItsEndIsRefused() {
        Worker worker = Worker.at(race, "wf");
        race.expireSoon("lease", "wf");
        Rival rival = race.rival().lock("lease", "wf");
        Background<Object> waiting = waiting(worker);
        race.awaitExpired("lease", "wf");
        assertRefused(waiting, rival, "FenceLost[reason=EXPIRED]");
    }

    @Test
    void aWriteThatWaitedForATakeoverIsRefused() {
        Worker worker = Worker.at(race, "wf");
        race.expire("lease", "wf");
        Caller rival = race.caller();
        Race.granted(rival.stores.leases().acquire(worker.lease().key(), "b", Race.TTL));
        Background<Object> waiting = waiting(worker);
        String stood = rival.commit();
        assertThat(verdict(waiting.result())).isEqualTo("FenceLost[reason=SUPERSEDED]");
        race.assertStands(stood);
    }

    @Test
    void aWriteThatWaitedForARestartOfItsOwnerIsRefused() {
        Worker worker = Worker.at(race, "wf");
        Caller restarted = race.caller();
        Race.granted(restarted.stores.leases().acquire(worker.lease().key(), "a", Race.TTL));
        Background<Object> waiting = race.inBackground(() -> write(worker));
        race.awaitBlockedOrDone(waiting);
        String stood = restarted.commit();
        assertThat(verdict(waiting.result())).isEqualTo("FenceLost[reason=SUPERSEDED]");
        race.assertStands(stood);
    }

    // H06: whoever takes over while a write waits for the state either waits too, or the write is refused
    @Test
    void aWriteThatWaitsForTheStateCannotBeOvertakenByATakeover() {
        Worker worker = Worker.at(race, "wf");
        Rival rival = race.rival().lock("workflow", "wf");
        Background<Object> waiting = waiting(worker);
        Background<Lease> successor = race.inBackground(() -> race.granted("wf", "a"));
        race.awaitBlockedOrDone(successor);
        rival.rollback();
        assertThat(verdict(waiting.result())).isEqualTo("Written");
        assertThat(successor.result().fence().token()).isEqualTo(2);
        assertThat(written(waiting.result()).updatedAt())
                .as("written under token 1 before token 2 was granted")
                .isBefore(successor.result().grantedAt());
    }

    // C1 waits with the lease locked, the lease ends, and the next holder waits in line: H06 as it is told there
    @Test
    void aWriteThatWaitedPastTheEndLeavesTheLeaseToWhoWaitsForIt() {
        Worker worker = Worker.at(race, "wf");
        race.expireSoon("lease", "wf");
        Rival rival = race.rival().lock("workflow", "wf");
        Background<Object> waiting = waiting(worker);
        race.awaitExpired("lease", "wf");
        Background<Lease> successor = race.inBackground(() -> race.granted("wf", "b"));
        race.awaitBlockedOrDone(successor);
        rival.rollback();
        assertThat(verdict(waiting.result())) // by itself, or by the next holder if it looks again only then
                .isIn("FenceLost[reason=EXPIRED]", "FenceLost[reason=SUPERSEDED]");
        assertThat(successor.result().fence().token()).isEqualTo(2);
        assertThat(race.stores.workflows().find("wf").orElseThrow().revision()).isEqualTo(1);
    }

    @Test
    void aWriteThatWaitedForAReleaseIsRefused() {
        Worker worker = Worker.at(race, "wf");
        // Locked as by a takeover: a fenced update does not wait for a mere release, it comes before it.
        Rival rival = race.rival().lock("lease", "wf").update("lease", "wf", "owner = null, expires_at = now()");
        assertRefused(waiting(worker), rival, "FenceLost[reason=NONE]");
    }

    @Test
    void aWriteThatWaitedForAPurgeOfTheLeaseIsRefused() {
        Worker worker = Worker.at(race, "wf");
        race.expire("lease", "wf");
        Caller rival = race.caller();
        assertThat(rival.stores
                        .cleanup()
                        .pass(new Cutoff(Duration.ZERO, Duration.ZERO, 10))
                        .leases())
                .isEqualTo(1);
        Background<Object> waiting = waiting(worker);
        String stood = rival.commit();
        assertThat(verdict(waiting.result())).isEqualTo("FenceLost[reason=NONE]");
        race.assertStands(stood);
    }

    @Test
    void aWriteUnderALeaseThatWasRenewedMeanwhileIsWritten() {
        Worker worker = Worker.at(race, "wf");
        race.expireSoon("lease", "wf");
        Rival rival = race.rival()
                .lock("lease", "wf")
                .update("lease", "wf", "expires_at = clock_timestamp() + interval '1 minute'");
        Background<Object> waiting = waiting(worker);
        race.awaitExpired("lease", "wf");
        rival.commit();
        assertThat(verdict(waiting.result())).isEqualTo("Written");
    }
}
