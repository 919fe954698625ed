package io.holdfast.repository.race;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.holdfast.failure.SchemaMismatchException;
import io.holdfast.failure.StoreUnavailableException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each guard of each statement, taken out: the race that it is for, which is won with it, must then be lost. So none is
 * there for nothing, and no race passes for nothing.
 */
class GuardTest {

    private static Stream<Guard> guards() {
        return Stream.of(
                        LeaseGuards.all(),
                        StepGuards.all(),
                        StoreGuards.all(),
                        RetentionGuards.all(),
                        RunRetentionGuards.all(),
                        RunGuards.all(),
                        ApprovalGuards.all(),
                        JournalGuards.all(),
                        AgentGuards.all(),
                        CheckpointGuards.all())
                .flatMap(guards -> guards);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("guards")
    void aRaceIsLostWithoutItsGuard(Guard guard) throws Exception {
        AtomicBoolean taken = new AtomicBoolean();
        Throwable failure;
        UnaryOperator<String> unguarded = guard.inFunction() ? Unguarded.functions(guard) : guard::takenOut;
        try (Race race = new Race(sql -> {
            String sent = unguarded.apply(sql);
            taken.compareAndSet(false, !sent.equals(sql));
            return sent;
        })) {
            failure = catchThrowable(() -> guard.scenario().accept(race));
        }
        assertThat(taken).as("the statement was sent, without its guard").isTrue();
        assertThat(failure)
                .as("what the race without \"%s\" ends in", guard)
                .isNotNull()
                .isInstanceOf(AssertionError.class);
        assertThat(failure.getCause())
                .as("not because the statement is broken")
                .matches(cause ->
                        !(cause instanceof StoreUnavailableException || cause instanceof SchemaMismatchException));
    }
}
