package io.holdfast.example.jakarta;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.servlet.ServletContext;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import java.util.Map;
import org.hibernate.Version;

/** What runs here. Answers only once the application has started. */
@Path("about")
@ApplicationScoped
public class AboutResource {

    /** @param cannot what this server has no way to do, with the reason */
    public record About(
            String server, String hibernate, String instance, Map<String, String> health, Map<String, String> cannot) {}

    /** Where this server answers for its health, as it was started. */
    private static final String HEALTH = System.getProperty("health", "/health");

    @GET
    @Produces(MediaType.APPLICATION_JSON)
    public About about(@Context ServletContext server) {
        Map<String, String> health = Map.of("ready", HEALTH + "/ready", "live", HEALTH + "/live");
        return new About(server.getServerInfo(), Version.getVersionString(), HeldLeases.INSTANCE, health, Map.of());
    }
}
