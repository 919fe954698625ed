package io.holdfast.example.spring;

import io.holdfast.HoldfastException;
import io.holdfast.failure.InvalidValueException;
import io.holdfast.state.TransitionRefusedException;
import java.util.Map;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/** What clients hear. Holdfast's exceptions arrive as they were thrown: Spring translates only those of JPA and Hibernate. */
@RestControllerAdvice
class Failures {

    @ExceptionHandler
    ResponseEntity<Map<String, String>> invalid(InvalidValueException e) {
        return answer(HttpStatus.BAD_REQUEST, e);
    }

    @ExceptionHandler({OrderConflict.class, TransitionRefusedException.class})
    ResponseEntity<Map<String, String>> conflict(RuntimeException e) {
        return answer(HttpStatus.CONFLICT, e);
    }

    /** From the flush or the commit of the application's own row: its text is the driver's, and stays here. */
    @ExceptionHandler
    ResponseEntity<Map<String, String>> conflict(ConcurrencyFailureException e) {
        return answer(HttpStatus.CONFLICT, new OrderConflict("the order was changed meanwhile"));
    }

    @ExceptionHandler
    ResponseEntity<Map<String, String>> missing(NoSuchOrder e) {
        return answer(HttpStatus.NOT_FOUND, e);
    }

    @ExceptionHandler
    ResponseEntity<Map<String, String>> store(HoldfastException e) {
        return answer(e.retryable() ? HttpStatus.SERVICE_UNAVAILABLE : HttpStatus.INTERNAL_SERVER_ERROR, e);
    }

    @ExceptionHandler
    ResponseEntity<Map<String, String>> broken(Trials.Broken e) {
        return answer(HttpStatus.INTERNAL_SERVER_ERROR, e);
    }

    private static ResponseEntity<Map<String, String>> answer(HttpStatus status, RuntimeException e) {
        return ResponseEntity.status(status).body(Map.of("error", String.valueOf(e.getMessage())));
    }
}
