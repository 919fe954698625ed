package io.holdfast.example.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.failure.NoTransactionException;
import io.holdfast.repository.Holdfast;
import io.holdfast.testing.TestDatabase;
import io.holdfast.workflow.Workflows;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.OptionalLong;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** Requests, with one {@code EntityManager} for each of them or one for each transaction. */
@SpringBootTest(classes = Application.class, webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT)
@Import(OpenInViewContract.Requests.class)
abstract class OpenInViewContract {

    static final TestDatabase DATABASE = TestDatabase.empty("spring-view");

    @DynamicPropertySource
    static void dataSource(DynamicPropertyRegistry properties) {
        properties.add("spring.datasource.url", DATABASE::url);
        properties.add("spring.datasource.username", DATABASE::user);
        properties.add("spring.datasource.password", DATABASE::password);
    }

    @RestController
    static class Requests {

        private final OrderService service;
        private final PurchaseOrders orders;
        private final Trials trials;
        private final Workflows joined;

        Requests(OrderService service, PurchaseOrders orders, Trials trials, Holdfast joining) {
            this.service = service;
            this.orders = orders;
            this.trials = trials;
            this.joined = joining.in(HoldfastBeans.ORDERS).workflows();
        }

        @GetMapping("/test/{id}/outside")
        String outside(@PathVariable String id) {
            orders.findById(id); // with open-in-view there is an EntityManager now
            try {
                joined.find(id);
                return "joined nothing";
            } catch (NoTransactionException e) {
                return "refused";
            }
        }

        /** Two transactions of one request, and one that is rolled back between them. */
        @GetMapping("/test/{id}/several")
        String several(@PathVariable String id) {
            service.advance(id, OptionalLong.empty());
            try {
                trials.breakAfter(() -> service.advance(id, OptionalLong.empty()));
            } catch (Trials.Broken e) {
                return service.advance(id, OptionalLong.empty()).stage();
            }
            return "not broken";
        }
    }

    @Value("${local.server.port}")
    private int port;

    @Autowired
    private OrderService service;

    private final String id = "order-" + UUID.randomUUID();

    @Test
    void aCallOutsideATransactionIsRefused() throws Exception {
        service.start(id, "labels", 1);
        assertThat(get("outside")).isEqualTo("refused");
    }

    @Test
    void eachTransactionOfARequestHasItsOwnFate() throws Exception {
        service.start(id, "labels", 1);
        String stage = get("several");
        assertThat(stage).isEqualTo("step-2");
        assertThat(service.find(id).workflow().revision()).isEqualTo(3);
        assertThat(service.find(id).stage()).isEqualTo(stage);
    }

    private String get(String what) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create("http://localhost:" + port + "/test/" + id + "/" + what))
                .build();
        return HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body();
    }
}
