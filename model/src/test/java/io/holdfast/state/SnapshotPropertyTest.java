package io.holdfast.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.codec.Canonical;
import io.holdfast.codec.JsonText;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SnapshotPropertyTest {

    // A failing seed goes here.
    private final long seed = Long.getLong("holdfast.test.seed", System.nanoTime());
    private final Random random = new Random(seed);

    @Test
    void anyStateIsWrittenReadAndWrittenAgainAsTheSameBytes() {
        System.out.println("SnapshotPropertyTest: seed " + seed);
        for (int i = 0; i < 2_000; i++) {
            WorkflowState state = state();
            String text = Snapshots.write(state);
            WorkflowState read = Snapshots.read(text);
            assertThat(read).as("seed %d", seed).isEqualTo(state);
            assertThat(Snapshots.write(read)).as("seed %d", seed).isEqualTo(text);
            // The writer of snapshots has no rule of its own: the general canonical form gives the same bytes.
            Object tree = JsonText.read("snapshot", text, Snapshots.MAX_BYTES);
            assertThat(Canonical.write("snapshot", tree)).as("seed %d", seed).isEqualTo(text);
        }
    }

    private WorkflowState state() {
        String workflowId = ident();
        WorkflowStateBuilder builder = WorkflowState.builder(workflowId, ident())
                .status(status())
                .attempts(random.nextInt(101))
                .budget(new WorkflowBudget(
                        1 + random.nextInt(100),
                        1 + random.nextInt(10_000),
                        1 + random.nextInt(100),
                        1 + random.nextInt(100),
                        random.nextBoolean() ? random.nextDouble() * 86_400 : Math.scalb(1.0, -random.nextInt(1_000))))
                .events(events(workflowId))
                .evidenceFingerprints(fingerprints())
                .gateEvidenceFingerprints(fingerprints())
                .compatibilityFingerprints(compatibility())
                .cancellationRequested(random.nextBoolean())
                .retryCount(random.nextInt(101))
                .repairCount(random.nextInt(101));
        if (random.nextBoolean()) {
            builder.tenantScopeFingerprint(fingerprint()).currentStage(ident()).deadlineAt(time());
        }
        return builder.build();
    }

    private List<WorkflowEvent> events(String workflowId) {
        List<WorkflowEvent> events = new ArrayList<>();
        for (int i = random.nextInt(6); i > 0; i--) {
            Map<String, String> metadata = new HashMap<>();
            for (int j = random.nextInt(8); j > 0; j--) {
                metadata.put("k" + text(20), text(200));
            }
            events.add(new WorkflowEvent(ident(), workflowId, status(), status(), time(), metadata));
        }
        return events;
    }

    private Set<String> fingerprints() {
        Set<String> set = new HashSet<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            set.add(fingerprint());
        }
        return set;
    }

    private Map<String, String> compatibility() {
        Map<String, String> map = new HashMap<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            map.put(ident(), fingerprint());
        }
        return map;
    }

    private WorkflowStatus status() {
        return WorkflowStatus.values()[random.nextInt(WorkflowStatus.values().length)];
    }

    /** From year 1 to year 9999, with a fraction of nanoseconds that is cut. */
    private Instant time() {
        long second = random.nextLong(-62_135_596_800L, 253_402_300_800L);
        return Instant.ofEpochSecond(second, random.nextBoolean() ? 0 : random.nextInt(1_000_000_000));
    }

    private String fingerprint() {
        return String.format(
                "sha256:%016x%016x%016x%016x",
                random.nextLong(), random.nextLong(), random.nextLong(), random.nextLong());
    }

    private String ident() {
        String tail = "ABCXYZabcxyz0189_.-";
        StringBuilder ident = new StringBuilder().append(tail.charAt(random.nextInt(16)));
        for (int i = random.nextInt(128); i > 0; i--) {
            ident.append(tail.charAt(random.nextInt(tail.length())));
        }
        return ident.toString();
    }

    /** Up to {@code length} code points from everywhere, most often from where escapes and sort orders go wrong. */
    private String text(int length) {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(length); i > 0; i--) {
            int c = switch (random.nextInt(5)) {
                case 0 -> random.nextInt(0x20);
                case 1 -> " \"\\/aZ\u007F\u0080\u00E9".charAt(random.nextInt(9));
                case 2 -> 0xD7F0 + random.nextInt(0x10);
                case 3 -> 0xFFE0 + random.nextInt(0x20);
                default -> 0x10000 + random.nextInt(0x100000);
            };
            text.appendCodePoint(c);
        }
        return text.toString();
    }
}
