package io.holdfast.example.quarkus;

import io.holdfast.lease.Fence;
import io.holdfast.lease.Lease;
import io.holdfast.repository.KeptLease;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.time.Duration;
import java.util.Optional;

/** Leases over HTTP: taken by this instance, and kept by it. */
@Path("api/leases/{key}")
@Produces(MediaType.APPLICATION_JSON)
@ApplicationScoped
public class LeaseResource {

    @Inject
    HeldLeases leases;

    public record Granted(boolean held, String holder, long token) {}

    public record Busy(boolean held, String holder) {}

    /**
     * @param held whether this instance holds it
     * @param renewed how often about: by how many thirds of its ttl, the keeper's interval, its end has been put off
     */
    public record Standing(boolean held, String holder, long token, long renewed) {}

    @POST
    public Response take(@PathParam("key") String key, @QueryParam("ttl") long seconds) {
        Optional<KeptLease> lease = leases.take(key, Duration.ofSeconds(seconds));
        if (lease.isEmpty()) {
            String holder =
                    leases.stored(key).map(other -> other.fence().owner()).orElse("");
            return Response.status(Response.Status.CONFLICT)
                    .entity(new Busy(false, holder))
                    .build();
        }
        Fence fence = lease.get().fence();
        return Response.ok(new Granted(true, fence.owner(), fence.token())).build();
    }

    @GET
    public Standing standing(@PathParam("key") String key) {
        return leases.stored(key)
                .map(lease -> new Standing(
                        leases.holds(key), lease.fence().owner(), lease.fence().token(), renewals(lease)))
                .orElse(new Standing(false, "", 0, 0));
    }

    @DELETE
    public Response release(@PathParam("key") String key) {
        leases.release(key);
        return Response.noContent().build();
    }

    private static long renewals(Lease lease) {
        Duration putOff = Duration.between(lease.grantedAt().plus(lease.ttl()), lease.expiresAt());
        long interval = lease.ttl().toMillis() / 3;
        return (putOff.toMillis() + interval / 2) / interval;
    }
}
