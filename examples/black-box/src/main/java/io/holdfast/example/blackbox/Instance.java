package io.holdfast.example.blackbox;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import tools.jackson.databind.json.JsonMapper;

/** One of the two running applications. */
final class Instance {

    /** No answer is awaited longer. */
    static final Duration PATIENCE = Duration.ofSeconds(20);

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final HttpClient http;
    private final Arguments.Place place;
    private final String label;

    /** @param label how reports call it */
    Instance(HttpClient http, Arguments.Place place, String label) {
        this.http = http;
        this.place = place;
        this.label = label;
    }

    Arguments.Place place() {
        return place;
    }

    Answer get(String path) {
        return send("GET", path, BodyPublishers.noBody());
    }

    Answer post(String path) {
        return send("POST", path, BodyPublishers.noBody());
    }

    Answer post(String path, Map<String, ?> body) {
        return send("POST", path, BodyPublishers.ofString(JSON.writeValueAsString(body)));
    }

    Answer delete(String path) {
        return send("DELETE", path, BodyPublishers.noBody());
    }

    boolean isAlive() {
        return place.process().isPresent();
    }

    /** Ends its process as a power cut would. */
    void kill() {
        ProcessHandle process =
                place.process().orElseThrow(() -> new CaseFailure("process " + place.pid() + " has ended already"));
        process.destroyForcibly();
        try {
            process.onExit().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new CaseFailure("process " + place.pid() + " could not be killed");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CaseFailure("interrupted");
        }
    }

    /** Of a path of the application's, or of one that is given as a whole, as health is asked elsewhere on some servers. */
    private URI address(String path) {
        return URI.create(path.startsWith("http:") ? path : place.url() + path);
    }

    private Answer send(String method, String path, BodyPublisher body) {
        String request = method + " " + path + " (" + label + ")";
        try {
            var response = http.send(
                    HttpRequest.newBuilder(address(path))
                            .timeout(PATIENCE)
                            .header("Content-Type", "application/json")
                            .header("Accept", "application/json")
                            .method(method, body)
                            .build(),
                    BodyHandlers.ofString());
            return new Answer(request, response.statusCode(), response.body());
        } catch (HttpTimeoutException e) {
            throw new CaseFailure(request + ": no answer within " + PATIENCE.toSeconds() + " s");
        } catch (ConnectException e) {
            throw new CaseFailure(request + ": no connection");
        } catch (IOException e) {
            throw new CaseFailure(request + ": no answer, the connection broke");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CaseFailure("interrupted");
        }
    }
}
