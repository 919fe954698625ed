package io.holdfast.repository.race;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.repository.Stores;
import io.holdfast.session.Message;
import io.holdfast.session.SessionSave;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(Race.Parameter.class)
class SessionRaceTest {

    private final Race race;

    SessionRaceTest(Race race) {
        this.race = race;
    }

    private static SessionSave save(Stores stores, String text, long expected) {
        return stores.workspaceSessions().save("s", List.of(Message.of("user", text)), expected);
    }

    private Background<SessionSave> saving(String text, long expected) {
        Background<SessionSave> background = race.inBackground(() -> save(race.stores, text, expected));
        race.awaitBlockedOrDone(background);
        return background;
    }

    @Test // R12
    void ofTwoFirstSavesTheSecondHearsTheRevisionOfTheFirst() {
        Caller first = race.caller();
        assertThat(save(first.stores, "one", 0)).isEqualTo(new SessionSave.Saved(1));
        Background<SessionSave> waiting = saving("other", 0);
        String stood = first.commit();
        assertThat(waiting.result()).isEqualTo(new SessionSave.Conflict(0, 1));
        race.assertStands(stood);
    }

    @Test
    void aTwinThatWaitedForTheFirstIsSavedAlready() {
        Caller first = race.caller();
        save(first.stores, "one", 0);
        Background<SessionSave> waiting = saving("one", 0);
        String stood = first.commit();
        assertThat(waiting.result()).isEqualTo(new SessionSave.AlreadySaved(1));
        race.assertStands(stood);
    }

    @Test
    void whoWaitedForAFirstSaveThatWasRolledBackIsTheFirst() {
        Caller first = race.caller();
        save(first.stores, "one", 0);
        Background<SessionSave> waiting = saving("other", 0);
        first.rollback();
        assertThat(waiting.result()).isEqualTo(new SessionSave.Saved(1));
    }

    @Test
    void ofTwoSavesOfOneRevisionTheSecondIsAConflict() {
        save(race.stores, "one", 0);
        Caller first = race.caller();
        assertThat(save(first.stores, "two", 1)).isEqualTo(new SessionSave.Saved(2));
        Background<SessionSave> waiting = saving("other", 1);
        String stood = first.commit();
        assertThat(waiting.result()).isEqualTo(new SessionSave.Conflict(1, 2));
        race.assertStands(stood);
    }

    @Test
    void ofSixteenFirstSavesOneIsSaved() {
        CyclicBarrier start = new CyclicBarrier(16);
        List<SessionSave> answers = IntStream.range(0, 16)
                .mapToObj(i -> race.inBackground(() -> {
                    start.await();
                    return save(race.stores, "of " + i, 0);
                }))
                .toList()
                .stream()
                .map(Background::result)
                .toList();
        assertThat(answers).filteredOn(new SessionSave.Saved(1)::equals).hasSize(1);
        assertThat(answers).filteredOn(new SessionSave.Conflict(0, 1)::equals).hasSize(15);
    }

    @Test
    void readsAnswerAtOnceWhateverIsLocked() {
        save(race.stores, "one", 0);
        race.rival().lock("workspace_session", "s");
        race.withoutWaiting(() -> {
            assertThat(race.stores.workspaceSessions().find("s")).isPresent();
            assertThat(race.stores.workspaceSessions().list("", 10)).hasSize(1);
            return true;
        });
    }
}
