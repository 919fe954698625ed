package io.holdfast.failure;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.HoldfastException;
import java.io.EOFException;
import java.io.IOException;
import java.sql.BatchUpdateException;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransientConnectionException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SqlStatesTest {

    private static final String SECRET = "jdbc:postgresql://db/app?password=hunter2 select * from secrets";

    @ParameterizedTest
    @CsvSource({
        "57014, STORE_TIMEOUT, true",
        "55P03, STORE_TIMEOUT, true",
        "08000, STORE_UNAVAILABLE, true",
        "08001, STORE_UNAVAILABLE, true",
        "08006, STORE_UNAVAILABLE, true",
        "57P01, STORE_UNAVAILABLE, true",
        "57P02, STORE_UNAVAILABLE, true",
        "57P03, STORE_UNAVAILABLE, true",
        "57P04, STORE_UNAVAILABLE, true",
        "57P05, STORE_UNAVAILABLE, true",
        "25P03, STORE_UNAVAILABLE, true",
        "25P04, STORE_UNAVAILABLE, true",
        "53100, STORE_UNAVAILABLE, true",
        "53300, STORE_UNAVAILABLE, true",
        "25006, STORE_UNAVAILABLE, true",
        "40001, TRANSACTION_LOST, true",
        "40P01, TRANSACTION_LOST, true",
        "23505, STATE_CONFLICT, false",
        "23503, STATE_CONFLICT, false",
        "23001, STATE_CONFLICT, false",
        "42P01, SCHEMA_MISMATCH, false",
        "42703, SCHEMA_MISMATCH, false",
        "3F000, SCHEMA_MISMATCH, false",
        "42501, STORE_DENIED, false",
        "28000, STORE_DENIED, false",
        "28P01, STORE_DENIED, false",
        "3D000, STORE_DENIED, false",
        "0LP01, STORE_DENIED, false",
        "22001, INVALID_INPUT, false",
        "22021, INVALID_INPUT, false",
        "23514, STORE_UNAVAILABLE, false",
        "42601, STORE_UNAVAILABLE, false",
        "XX000, STORE_UNAVAILABLE, false"
    })
    void aStateBecomesTheExceptionOfTheTable(String state, HoldfastException.Code code, boolean retryable) {
        HoldfastException made = SqlStates.classify("read", new SQLException(SECRET, state));
        assertThat(made.code()).isEqualTo(code);
        assertThat(made.retryable()).isEqualTo(retryable);
    }

    @Test
    void nothingOfTheOriginalIsCarriedOverButTheState() {
        var original = new IllegalStateException(SECRET, new SQLException(SECRET, "08006"));
        HoldfastException made = SqlStates.classify("read", original);
        assertThat(made).hasNoCause().hasMessage("read: the database is not available (SQLState 08006)");
        assertThat(made.getSuppressed()).isEmpty();
        assertThat(made.details()).isEqualTo(Map.of("operation", "read", "sqlstate", "08006"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "28P01 | the database refused the login: check user and password",
                "28000 | the database refused the login: check user and password",
                "3D000 | there is no such database",
                "42501 | this role lacks a privilege: it needs usage on the schema,"
                        + " on its tables select, insert, update, delete, and on its functions execute",
                "08001 | could not connect: check host and port",
                "55P03 | took longer than allowed and was given up",
                "40001 | lost a race that its transaction does not survive; repeat all of it",
                "XX000 | the database failed"
            })
    void aMessageSaysWhatToCheckAndEndsWithTheState(String state, String text) {
        assertThat(SqlStates.classify("read", new SQLException(SECRET, state)))
                .hasMessage("read: " + text + " (SQLState " + state + ")");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "23503 | violates foreign key constraint \"invoice_of\" on table \"invoice\"",
                "23001 | violates RESTRICT setting of foreign key constraint \"invoice_of\" on table \"invoice\"",
            })
    void aForeignKeyThatWasViolatedIsNamedAndNothingElse(String state, String says) {
        String text = "ERROR: update or delete on table \"workflow\" " + says
                + "\n  Detail: Key (scope, id)=(shop, secret) is still referenced from table \"invoice\".";
        HoldfastException made = SqlStates.classify("purge", new RuntimeException(new SQLException(text, state)));
        assertThat(made)
                .hasMessage("purge: a foreign key of the application's, invoice_of, refers to what was to go (SQLState "
                        + state + ")");
        assertThat(made.details())
                .isEqualTo(Map.of("operation", "purge", "sqlstate", state, "constraint", "invoice_of"));
    }

    /** In another language there are other quotes. */
    @Test
    void aForeignKeyThatCannotBeReadIsNotNamed() {
        assertThat(SqlStates.classify("purge", new SQLException(SECRET, "23503")))
                .hasMessage("purge: a foreign key of the application's refers to what was to go (SQLState 23503)");
    }

    @Test
    void aRefusedValueAndAnUnknownOutcomeTellTheStateAsWell() {
        assertThat(SqlStates.classify("read", new SQLException(SECRET, "22021")))
                .hasMessageEndingWith("(SQLState 22021)");
        assertThat(SqlStates.classify("write", new SQLException(SECRET, "08006"), true))
                .hasMessageEndingWith("(SQLState 08006)");
    }

    @Test
    void aMistakeOfTheProgramIsNotCalledTheDatabasesFault() {
        List<RuntimeException> mistakes = List.of(
                new NullPointerException(SECRET),
                new ClassCastException(SECRET),
                new IllegalStateException(SECRET),
                new IllegalArgumentException(SECRET));
        for (RuntimeException mistake : mistakes) {
            String name = mistake.getClass().getSimpleName();
            HoldfastException made = SqlStates.classify("read", new RuntimeException(SECRET, mistake));
            assertThat(made)
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessage("read: failed in the library or in Hibernate: " + name);
            assertThat(made.retryable()).isFalse();
            assertThat(made.details()).isEqualTo(Map.of("operation", "read", "cause", name));
        }
    }

    @Test
    void whatADriverThrewIsTheDatabasesAlsoIfItsRootIsAMistake() {
        var error = new RuntimeException(new SQLException(SECRET, "XX000", new IllegalStateException(SECRET)));
        assertThat(SqlStates.classify("read", error)).hasMessage("read: the database failed (SQLState XX000)");
        var stateless = new RuntimeException(new SQLException(SECRET, new IllegalStateException(SECRET)));
        assertThat(SqlStates.classify("read", stateless)).hasMessage("read: the connection failed");
    }

    /** Without a state: the class of what it came from, which holds no secret. */
    @Test
    void whatHasNoStateNamesTheClassOfItsRoot() {
        var unknown = new RuntimeException(SECRET, new Error(SECRET));
        assertThat(SqlStates.classify("read", unknown))
                .hasMessage("read: the database failed")
                .extracting(HoldfastException::details)
                .isEqualTo(Map.of("operation", "read", "cause", "Error"));
        assertThat(SqlStates.classify("read", new RuntimeException(new EOFException()), true)
                        .details())
                .containsEntry("cause", "EOFException");
    }

    @ParameterizedTest
    @ValueSource(strings = {"08003", "08006", "08S01", "57P01", "57P02"})
    void aConnectionLostWhenTheAnswerWasDueIsNeitherSuccessNorFailure(String state) {
        HoldfastException made = SqlStates.classify("update", new SQLException(SECRET, state), true);
        assertThat(made).isInstanceOf(OutcomeUnknownException.class);
        assertThat(made.details()).containsEntry("sqlstate", state);
    }

    @Test
    void aSocketThatEndedWhenTheAnswerWasDueIsTheSame() {
        var broken = new RuntimeException(new EOFException());
        assertThat(SqlStates.classify("update", broken, true)).isInstanceOf(OutcomeUnknownException.class);
        assertThat(SqlStates.classify("update", broken, false)).isInstanceOf(StoreUnavailableException.class);
    }

    /** The server said no, or was never reached: it is known that nothing was written. */
    @ParameterizedTest
    @ValueSource(strings = {"40001", "23505", "53100", "53300", "57014", "25006", "08001", "08004", "57P03"})
    void aRefusalWhenTheAnswerWasDueIsNotUnknown(String state) {
        assertThat(SqlStates.classify("update", new SQLException(SECRET, state), true))
                .isNotInstanceOf(OutcomeUnknownException.class);
    }

    @Test
    void aPoolThatGivesNoConnectionIsAnOutageThatMayPass() {
        HoldfastException made = SqlStates.classify("read", new SQLTransientConnectionException(SECRET));
        assertThat(made).isInstanceOf(StoreUnavailableException.class);
        assertThat(made.retryable()).isTrue();
        assertThat(made.details()).doesNotContainKey("sqlstate");
    }

    @Test
    void aPoolThatGivesNoConnectionHasNotSentTheWriteEvenIfItsCauseIsALostConnection() {
        var pool = new SQLTransientConnectionException(SECRET, "08006", new SQLException(SECRET, "08006"));
        HoldfastException made = SqlStates.classify("update", pool, true);
        assertThat(made).isInstanceOf(StoreUnavailableException.class);
        assertThat(made.retryable()).isTrue();
    }

    @Test
    void aClosedPoolTellsNoStateAndIsAnOutage() {
        assertThat(SqlStates.classify("read", new SQLException("pool has been closed"))
                        .retryable())
                .isTrue();
    }

    @Test
    void aDriversTimeoutWithoutAStateIsATimeout() {
        assertThat(SqlStates.classify("read", new SQLTimeoutException(SECRET)))
                .isInstanceOf(StoreTimeoutException.class);
    }

    @Test
    void anOrmsQueryTimeoutWithoutAStateIsATimeout() {
        assertThat(SqlStates.classify("read", new jakarta.persistence.QueryTimeoutException(SECRET)))
                .isInstanceOf(StoreTimeoutException.class);
    }

    @Test
    void anInterruptedThreadMayTryAgain() {
        HoldfastException made = SqlStates.classify("read", new RuntimeException(new InterruptedException()));
        assertThat(made).isInstanceOf(StoreUnavailableException.class);
        assertThat(made.retryable()).isTrue();
    }

    @Test
    void aBrokenSocketMayPassAndABugDoesNot() {
        assertThat(SqlStates.classify("read", new RuntimeException(new IOException(SECRET)))
                        .retryable())
                .isTrue();
        assertThat(SqlStates.classify("read", new NullPointerException()).retryable())
                .isFalse();
    }

    @Test
    void theStateIsFoundInTheNextExceptionOfABatch() {
        var batch = new BatchUpdateException();
        batch.setNextException(new SQLException(SECRET, "40001"));
        assertThat(SqlStates.classify("batch", new RuntimeException(batch)))
                .isInstanceOf(TransactionLostException.class);
    }

    @Test
    @Timeout(5)
    void aChainThatRunsInACircleEnds() {
        var first = new RuntimeException();
        var second = new RuntimeException(first);
        first.initCause(second);
        assertThat(SqlStates.classify("read", first)).isInstanceOf(StoreUnavailableException.class);
    }

    @Test
    void whatIsNoStateIsIgnored() {
        var odd = new SQLException(SECRET, "hunter2", new SQLException(SECRET, "40P01"));
        assertThat(SqlStates.classify("read", odd).details()).containsEntry("sqlstate", "40P01");
    }

    @Test
    void oneOfOursPassesThroughAsItIs() {
        var ours = new StoreDeniedException("refused", Map.of());
        assertThat(SqlStates.classify("read", ours)).isSameAs(ours);
        assertThat(SqlStates.classify("read", new RuntimeException(ours))).isSameAs(ours);
    }
}
