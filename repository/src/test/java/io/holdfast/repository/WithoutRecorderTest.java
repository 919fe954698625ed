package io.holdfast.repository;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** WildFly shows a deployment no jdk.jfr, and a linked runtime may lack it. */
class WithoutRecorderTest {

    /** Runs in a JVM of its own, which lacks it. */
    static final class Probe {
        public static void main(String[] args) {
            System.out.println(
                    "recorder: " + ModuleLayer.boot().findModule("jdk.jfr").isPresent());
            System.out.println("observer: " + FlightRecording.with(null));
            FlightRecording.record(KeptLease.End.GIVEN_UP);
            System.out.println("done");
        }
    }

    @Test
    void withoutTheJdksRecorderNothingIsRecordedAndNothingFails() throws Exception {
        Process probe = new ProcessBuilder(
                        System.getProperty("java.home") + "/bin/java",
                        "--limit-modules",
                        "java.sql,java.naming,java.management",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Probe.class.getName())
                .redirectErrorStream(true)
                .start();
        String said = new String(probe.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(probe.waitFor()).as(said).isZero();
        assertThat(said.lines()).containsExactly("recorder: false", "observer: null", "done");
    }
}
