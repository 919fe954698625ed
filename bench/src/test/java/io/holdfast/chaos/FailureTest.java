package io.holdfast.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.failure.CorruptRecordException;
import io.holdfast.failure.OutcomeUnknownException;
import io.holdfast.failure.StoreTimeoutException;
import jakarta.persistence.RollbackException;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FailureTest {

    @Test
    void whatAFaultIsAReasonForIsTakenAtItsWord() {
        assertThat(Failure.word(new StoreTimeoutException("", Map.of()))).isEqualTo("refused:STORE_TIMEOUT");
        assertThat(Failure.word(new OutcomeUnknownException("", Map.of()))).isEqualTo("unknown:OUTCOME_UNKNOWN");
        assertThat(Failure.word(new CorruptRecordException("run", "r", "be whole")))
                .isEqualTo("unexpected:CORRUPT_RECORD");
    }

    @Test
    void onlyAnOutcomeThatIsSaidToBeUnknownIsUnknown() {
        assertThat(Failure.word(new NullPointerException())).isEqualTo("unexpected:java.lang.NullPointerException");
        assertThat(Failure.word(new RollbackException())).isEqualTo("unexpected:jakarta.persistence.RollbackException");
    }

    @Test
    void aCommitOfTheApplicationsIsUnknownAndNothingElseOfItIs() {
        assertThat(Failure.ofApplication(new RollbackException(), true)).isEqualTo("unknown:PersistenceException");
        assertThat(Failure.ofApplication(new RollbackException(), false)).isEqualTo("refused:PersistenceException");
        assertThat(Failure.ofApplication(new IllegalStateException(), true))
                .isEqualTo("unexpected:java.lang.IllegalStateException");
    }
}
