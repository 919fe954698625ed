package io.holdfast.example.quarkus;

import io.holdfast.failure.InvalidValueException;
import io.holdfast.lease.Fence;
import io.holdfast.state.WorkflowStatus;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Orders over HTTP. Each answer is read after its transaction. */
@Path("api/orders")
@Consumes(MediaType.APPLICATION_JSON)
@Produces(MediaType.APPLICATION_JSON)
@ApplicationScoped
public class OrderResource {

    private static final String BREAK = "after";

    @Inject
    Orders orders;

    @Inject
    OrderViews views;

    public record Failure(String reason) {}

    @POST
    public Response start(NewOrder order, @QueryParam("break") @Nullable String breaking) {
        orders.start(order, BREAK.equals(breaking));
        return Response.status(Response.Status.CREATED)
                .entity(views.of(order.id()))
                .build();
    }

    @GET
    @Path("{id}")
    public OrderView order(@PathParam("id") String id) {
        return views.of(id);
    }

    @GET
    public List<OrderView> list(@QueryParam("status") @DefaultValue("RUNNING") String status) {
        return views.in(WorkflowStatus.of(status.toLowerCase(Locale.ROOT)));
    }

    @POST
    @Path("{id}/advance")
    public OrderView advance(
            @PathParam("id") String id,
            @QueryParam("expect") @Nullable Long expected,
            @QueryParam("break") @Nullable String breaking) {
        orders.advance(id, expected == null ? OptionalLong.empty() : OptionalLong.of(expected), BREAK.equals(breaking));
        return views.of(id);
    }

    @POST
    @Path("{id}/fail")
    public OrderView fail(@PathParam("id") String id, Failure failure) {
        orders.fail(id, failure.reason());
        return views.of(id);
    }

    @POST
    @Path("{id}/nested")
    public OrderView nested(@PathParam("id") String id) {
        orders.nested(id);
        return views.of(id);
    }

    @POST
    @Path("{id}/dirty")
    public Orders.Dirty dirty(@PathParam("id") String id) {
        return orders.dirty(id);
    }

    @GET
    @Path("{id}/cached")
    public Map<String, Boolean> cached(@PathParam("id") String id) {
        return Map.of("cached", views.isCached(id));
    }

    /** @param key whose lease guards the work: a workflow has one, of its own id */
    @POST
    @Path("{id}/work")
    public OrderView work(@PathParam("id") String id, @QueryParam("key") String key, @QueryParam("token") long token) {
        if (!id.equals(key)) {
            throw new InvalidValueException("key", "be the order's id");
        }
        orders.work(id, new Fence(HeldLeases.INSTANCE, token));
        return views.of(id);
    }
}
