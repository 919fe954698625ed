package io.holdfast.repository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.Scope;
import io.holdfast.testing.TestDatabase;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import jdk.jfr.EventType;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FlightRecordingTest {

    private static final String OPERATION = "io.holdfast.Operation";
    private static final String LOST = "io.holdfast.LeaseLost";

    @TempDir
    private Path folder;

    @Test
    void aRecordingThatAsksForThemHasTheOperationsAndTheLostLeases() throws Exception {
        List<RecordedEvent> events = recorded(true);
        assertThat(events)
                .filteredOn(event -> event.getEventType().getName().equals(OPERATION))
                .anySatisfy(event -> {
                    assertThat(event.getString("operation")).isEqualTo("workflow.create");
                    assertThat(event.getString("outcome")).isEqualTo("done");
                    assertThat(event.getInt("attempts")).isEqualTo(1);
                    assertThat(event.getDuration()).isGreaterThan(Duration.ofNanos(1));
                    assertThat(event.getThread().getJavaName())
                            .isEqualTo(Thread.currentThread().getName());
                });
        assertThat(events)
                .filteredOn(event -> event.getEventType().getName().equals(LOST))
                .extracting(event -> event.getString("cause"))
                .containsExactly("LOST");
    }

    @Test
    void aRecordingThatDoesNotAskHasNone() throws Exception {
        assertThat(recorded(false)).isEmpty();
    }

    @Test
    void noEventHasAFieldForAnIdOrAPayload() {
        assertThat(Stream.of(OperationEvent.class, LeaseLostEvent.class)
                        .flatMap(type -> EventType.getEventType(type).getFields().stream())
                        .map(field -> field.getName()))
                .containsOnly(
                        "startTime",
                        "duration",
                        "eventThread",
                        "stackTrace",
                        "operation",
                        "outcome",
                        "attempts",
                        "cause");
        assertThat(FlightRecorder.getFlightRecorder().getEventTypes())
                .filteredOn(type -> type.getName().startsWith("io.holdfast."))
                .hasSize(2)
                .noneMatch(EventType::isEnabled);
    }

    private List<RecordedEvent> recorded(boolean asked) throws IOException, InterruptedException {
        Path file = folder.resolve("holdfast.jfr");
        try (Recording recording = new Recording();
                KeeperScene scene = new KeeperScene();
                Holdfast holdfast = Holdfast.open(TestDatabase.get().dataSource())) {
            if (asked) {
                recording.enable(OPERATION);
                recording.enable(LOST);
            }
            recording.start();
            new Worker(holdfast.in(Scope.of("recorded-" + UUID.randomUUID())), "wf").created();
            Heard heard = new Heard();
            try (LeaseKeeper keeper = LeaseKeeper.over(scene.keepers, KeeperScene.QUICK.withObserver(heard))) {
                scene.kept(keeper, "lost", KeeperScene.MINUTE);
                scene.takenOver("lost");
                await().until(() -> !heard.lost.isEmpty()); // told after the recording
            }
            recording.stop();
            recording.dump(file);
        }
        return RecordingFile.readAllEvents(file).stream()
                .filter(event -> event.getEventType().getName().startsWith("io.holdfast."))
                .toList();
    }
}
