package io.holdfast.example.quarkus;

import io.holdfast.HoldfastException;
import jakarta.ws.rs.core.MediaType;
import java.util.Map;
import org.jboss.resteasy.reactive.RestResponse;
import org.jboss.resteasy.reactive.server.ServerExceptionMapper;

/** What a client hears when something was not done. */
public class Failures {

    @ServerExceptionMapper
    public RestResponse<Map<String, String>> of(Refused e) {
        return answer(e.status(), e);
    }

    @ServerExceptionMapper
    public RestResponse<Map<String, String>> of(Orders.Broken e) {
        return answer(500, e);
    }

    @ServerExceptionMapper
    public RestResponse<Map<String, String>> of(HoldfastException e) {
        return answer(
                switch (e.code()) {
                    case INVALID_INPUT -> 400;
                    case INVALID_TRANSITION, BUDGET_EXCEEDED -> 409;
                    default -> e.retryable() ? 503 : 500;
                },
                e);
    }

    /** Holdfast's messages carry no SQL, no payload and no credential: a client may see them. */
    private static RestResponse<Map<String, String>> answer(int status, RuntimeException e) {
        return RestResponse.ResponseBuilder.create(
                        RestResponse.Status.fromStatusCode(status), Map.of("error", String.valueOf(e.getMessage())))
                .type(MediaType.APPLICATION_JSON)
                .build();
    }
}
