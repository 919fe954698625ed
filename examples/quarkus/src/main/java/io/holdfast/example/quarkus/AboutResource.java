package io.holdfast.example.quarkus;

import io.quarkus.runtime.Quarkus;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.util.Map;
import org.hibernate.Version;

/** What runs here. Answers only once the application has started. */
@Path("api/about")
public class AboutResource {

    /** @param cannot what this framework has no way to do, with the reason */
    public record About(
            String server, String hibernate, String instance, Map<String, String> health, Map<String, String> cannot) {}

    private static final Map<String, String> HEALTH = Map.of("ready", "/q/health/ready", "live", "/q/health/live");

    @GET
    @Produces(MediaType.APPLICATION_JSON)
    public About about() {
        String version = Quarkus.class.getPackage().getImplementationVersion();
        return new About("Quarkus " + version, Version.getVersionString(), HeldLeases.INSTANCE, HEALTH, Map.of());
    }
}
