package io.holdfast.example.spring;

import java.util.Map;
import org.hibernate.Version;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringBootVersion;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

@RestController
class AboutController {

    record About(
            String server, String hibernate, String instance, Map<String, String> health, Map<String, String> cannot) {}

    private static final Map<String, String> HEALTH =
            Map.of("ready", "/actuator/health/readiness", "live", "/actuator/health/liveness");

    private final String instance;

    AboutController(@Value("${instance}") String instance) {
        this.instance = instance;
    }

    /** Tomcat listens only when everything else is there. */
    @GetMapping("/api/about")
    About about() {
        return new About(
                "Spring Boot " + SpringBootVersion.getVersion(),
                Version.getVersionString(),
                instance,
                HEALTH,
                Map.of());
    }
}
