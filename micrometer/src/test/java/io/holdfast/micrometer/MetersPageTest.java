package io.holdfast.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The table of meters in docs/observability.md, the list in the code, and what is registered are the same. */
class MetersPageTest {

    @Test
    void thePageHasEveryMeter() throws Exception {
        List<String> rows = Arrays.stream(Meters.values())
                .map(meter -> "| `" + meter.meter() + "` | " + meter.kind() + " | "
                        + meter.tags().stream().map(tag -> "`" + tag + "`").collect(Collectors.joining(", ")) + " | "
                        + meter.description() + " |")
                .map(row -> row.replace("|  |", "| |"))
                .toList();
        assertThat(Files.readAllLines(Path.of("..", "docs", "observability.md")))
                .filteredOn(line -> line.startsWith("| `holdfast."))
                .containsExactlyElementsOf(rows);
    }

    @Test
    void whatIsRegisteredIsListedWithItsTags() throws Exception {
        SimpleMeterRegistry meters = new SimpleMeterRegistry();
        try (Scene scene = new Scene(MicrometerObserver.of(meters))) {
            scene.work();
        }
        Set<String> registered = new HashSet<>();
        for (Meter meter : meters.getMeters()) {
            registered.add(meter.getId().getName() + " "
                    + meter.getId().getTags().stream().map(Tag::getKey).toList());
        }
        assertThat(registered)
                .containsExactlyInAnyOrderElementsOf(Arrays.stream(Meters.values())
                        .map(meter -> meter.meter() + " " + meter.tags())
                        .toList());
    }
}
