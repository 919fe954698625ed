package io.holdfast.state;

import static io.holdfast.state.WorkflowStateTest.fingerprint;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.failure.InvalidValueException;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class OutcomeTest {

    @Test
    void goldenFingerprintsAreMet() {
        assertThat(Outcome.succeeded("req-1", "wf-1", fingerprint('f')).fingerprint())
                .isEqualTo("sha256:f1c0a0a0ad75663d1a477417224b152383b44cf714a4904f83cba08a0e6babac");
        assertThat(Outcome.failed("req-1", "wf-1", "SQL_EXECUTION_FAILED").fingerprint())
                .isEqualTo("sha256:a0002ac5ec86263e249af393050c8488754ea422e3b7085f73254744a9c6f118");
    }

    @Test
    void aFieldOfAnotherFormIsRefused() {
        assertThatThrownBy(() -> Outcome.succeeded("req-1", "wf-1", "raw-result"))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageStartingWith("resultFingerprint must ");
        assertThatThrownBy(() -> new Outcome(
                        Outcome.Status.REJECTED, "req 1", Optional.empty(), Optional.empty(), Optional.empty()))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageStartingWith("requestId must ");
    }
}
