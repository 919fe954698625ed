package io.holdfast.example.spring;

import io.holdfast.HoldfastException;
import io.holdfast.failure.OutcomeUnknownException;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.lang.reflect.Method;
import org.springframework.dao.TransientDataAccessException;
import org.springframework.resilience.annotation.Retryable;
import org.springframework.resilience.retry.MethodRetryPredicate;

// snippet: retry
/**
 * Repeats the whole transaction: Spring puts the retry around {@code @Transactional}, so each attempt reads anew. What
 * Holdfast threw comes out of Spring as it is; what the commit threw is Spring's.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Retryable(predicate = RetryWhenRetryable.Judge.class, maxRetries = 3, delay = 20, jitter = 20, multiplier = 2)
@interface RetryWhenRetryable {

    class Judge implements MethodRetryPredicate {
        @Override
        public boolean shouldRetry(Method method, Throwable failure) {
            return failure instanceof HoldfastException ours
                    ? ours.retryable()
                            && !(ours instanceof OutcomeUnknownException) // that may have happened: look first
                    : failure instanceof TransientDataAccessException;
        }
    }
}
// end
