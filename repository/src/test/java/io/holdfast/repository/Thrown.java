package io.holdfast.repository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.holdfast.HoldfastException;
import java.time.Duration;
import java.util.concurrent.Callable;

/** What a call that must fail has thrown, and how long that took. */
record Thrown(HoldfastException exception, Duration after) {

    static Thrown by(Callable<?> call) {
        long start = System.nanoTime();
        Object answer;
        try {
            answer = call.call();
        } catch (HoldfastException e) {
            Duration after = Duration.ofNanos(System.nanoTime() - start);
            // The driver's and Hibernate's exceptions stay behind: their texts may hold anything.
            assertThat(e).hasNoCause();
            assertThat(e).hasNoSuppressedExceptions();
            return new Thrown(e, after);
        } catch (Exception e) {
            throw new AssertionError("not one of Holdfast's own", e);
        }
        return fail("answered " + answer);
    }

    <E extends HoldfastException> Thrown is(Class<E> type, boolean retryable) {
        assertThat(exception).isExactlyInstanceOf(type);
        assertThat(exception.retryable()).isEqualTo(retryable);
        return this;
    }

    Thrown with(String detail, String value) {
        assertThat(exception.details()).containsEntry(detail, value);
        return this;
    }
}
