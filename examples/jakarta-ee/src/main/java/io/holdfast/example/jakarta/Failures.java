package io.holdfast.example.jakarta;

import io.holdfast.HoldfastException;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.ExceptionMapper;
import jakarta.ws.rs.ext.Provider;
import java.util.Map;

/** What a client hears when something was not done. */
final class Failures {

    private Failures() {}

    @Provider
    public static class OfOrders implements ExceptionMapper<Refused> {
        @Override
        public Response toResponse(Refused e) {
            return answer(e.status(), e);
        }
    }

    @Provider
    public static class OfDemand implements ExceptionMapper<Orders.Broken> {
        @Override
        public Response toResponse(Orders.Broken e) {
            return answer(500, e);
        }
    }

    @Provider
    public static class OfHoldfast implements ExceptionMapper<HoldfastException> {
        @Override
        public Response toResponse(HoldfastException e) {
            return answer(
                    switch (e.code()) {
                        case INVALID_INPUT -> 400;
                        case INVALID_TRANSITION, BUDGET_EXCEEDED -> 409;
                        default -> e.retryable() ? 503 : 500;
                    },
                    e);
        }
    }

    /** Holdfast's messages carry no SQL, no payload and no credential: a client may see them. */
    private static Response answer(int status, RuntimeException e) {
        return Response.status(status)
                .type(MediaType.APPLICATION_JSON)
                .entity(Map.of("error", e.getMessage()))
                .build();
    }
}
