package io.holdfast.example.blackbox;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** An application as the suite expects it, in memory, with its faults; it dies with a process that stands for it. */
final class FakeApplication implements AutoCloseable {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private record Reply(int status, Object body) {}

    private final FakeDatabase database;
    private final String name;
    private final Map<String, String> cannot;
    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Process process;
    private final CompletableFuture<Void> death;

    FakeApplication(FakeDatabase database, String name, Map<String, String> cannot) throws IOException {
        this.database = database;
        this.name = name;
        this.cannot = cannot;
        this.server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        this.process = new ProcessBuilder("sleep", "600").start();
        this.death = process.onExit().thenRun(() -> {
            synchronized (database) {
                database.diedAt.put(name, System.nanoTime());
            }
            server.stop(0);
        });
        server.setExecutor(threads);
        server.createContext("/", this::serve);
        server.start();
    }

    String argument() {
        return address() + "," + process.pid();
    }

    private String address() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    @Override
    public void close() {
        process.destroyForcibly();
        death.join();
        threads.shutdownNow();
    }

    private void serve(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] sent = exchange.getRequestBody().readAllBytes();
            Reply reply;
            synchronized (database) {
                reply = reply(exchange, sent.length == 0 ? JSON.createObjectNode() : JSON.readTree(sent));
            }
            byte[] body = JSON.writeValueAsString(reply.body()).getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(reply.status(), reply.status() == 204 ? -1 : body.length);
            if (reply.status() != 204) {
                exchange.getResponseBody().write(body);
            }
        }
    }

    private Reply reply(HttpExchange exchange, JsonNode body) {
        URI uri = exchange.getRequestURI();
        String[] path = uri.getPath().substring(1).split("/");
        Map<String, String> query = query(uri);
        String request = exchange.getRequestMethod() + " " + path[1] + (path.length > 3 ? " " + path[3] : "");
        return switch (request) {
            case "GET about" ->
                new Reply(
                        200,
                        Map.of(
                                "server",
                                "fake",
                                "hibernate",
                                "none",
                                "instance",
                                name,
                                "health",
                                Map.of("ready", address() + "/health/ready", "live", address() + "/health/live"),
                                "cannot",
                                cannot));
            case "GET ready" -> health("holdfast");
            case "GET live" -> health("lease-keeper");
            case "GET leases", "POST leases", "DELETE leases" -> lease(exchange.getRequestMethod(), path[2], query);
            case "POST orders" -> start(body, query);
            default ->
                path.length == 2
                        ? new Reply(200, database.list(query.get("status")))
                        : order(request, database.orders.get(path[2]), query);
        };
    }

    private Reply health(String check) {
        String name = database.has(Fault.CHECK_LEFT_OUT) ? "other" : check;
        return new Reply(
                database.has(Fault.NOT_READY) ? 503 : 200,
                Map.of("status", "UP", "checks", List.of(Map.of("name", name, "status", "UP"))));
    }

    private Reply start(JsonNode body, Map<String, String> query) {
        String id = body.path("id").asString();
        if (!id.matches("[A-Za-z0-9_.-]{1,128}")) {
            return new Reply(
                    400, Map.of("error", database.has(Fault.LIMIT_NOT_SAID) ? "bad" : "workflowId must be 1 to 128"));
        }
        if (database.orders.containsKey(id) && !database.has(Fault.STARTS_TWICE)) {
            return conflict();
        }
        var order = new FakeDatabase.Order(
                id, body.path("item").asString(), body.path("quantity").asLong());
        if (!query.containsKey("break") || database.has(Fault.BREAK_IS_NOT_NOTICED)) {
            database.orders.put(id, order);
            return new Reply(201, order.view());
        }
        return broken();
    }

    private Reply order(String request, FakeDatabase.Order order, Map<String, String> query) {
        if (order == null) {
            return new Reply(404, Map.of("error", "no such order"));
        }
        boolean ended = !order.status.equals("RUNNING");
        switch (request) {
            case "GET orders":
                database.cached.add(order.id);
                return new Reply(200, order.view());
            case "GET orders cached":
                return new Reply(200, Map.of("cached", database.cached.contains(order.id)));
            case "POST orders fail":
                if (ended && !database.has(Fault.ENDED_MOVES_ON)) {
                    return conflict();
                }
                order.status = "FAILED";
                order.revision++;
                return new Reply(200, order.view());
            case "POST orders nested":
                order.moveWorkflow();
                order.stage = database.has(Fault.OUTER_COMMITS) ? "changed" : order.stage;
                return new Reply(200, order.view());
            case "POST orders dirty":
                order.moveWorkflow();
                order.item = "changed";
                return new Reply(
                        200,
                        Map.of(
                                "flushedEarly",
                                database.has(Fault.FLUSHES_EARLY),
                                "managed",
                                !database.has(Fault.DETACHES),
                                "item",
                                order.item));
            case "POST orders work":
                var lease = database.leases.get(query.get("key"));
                boolean fenced = lease == null
                        || !lease.holder().equals(name)
                        || lease.token() != Long.parseLong(query.get("token"));
                return fenced && !database.has(Fault.TOKEN_NOT_LOOKED_AT) ? conflict() : advance(order, query);
            case "POST orders advance":
                return ended && !database.has(Fault.ENDED_MOVES_ON) ? conflict() : advance(order, query);
            default:
                return new Reply(404, Map.of());
        }
    }

    private Reply advance(FakeDatabase.Order order, Map<String, String> query) {
        String expected = query.get("expect");
        if (expected != null
                && Long.parseLong(expected) != order.revision
                && !database.has(Fault.REVISION_NOT_LOOKED_AT)) {
            return conflict();
        }
        if (query.containsKey("break")) {
            if (database.has(Fault.WORKFLOW_SURVIVES_ROLLBACK)) {
                order.moveWorkflow();
            }
            return broken();
        }
        if (database.has(Fault.CLEARS_CACHE)) {
            database.cached.clear();
        }
        order.moveWorkflow();
        order.stage = database.has(Fault.ROW_LEFT_BEHIND) ? order.stage : order.workflowStage;
        return new Reply(200, order.view());
    }

    private Reply lease(String method, String key, Map<String, String> query) {
        var lease = database.leases.get(key);
        boolean live = lease != null && database.isLive(lease);
        boolean ours = live && lease.holder().equals(name);
        switch (method) {
            case "DELETE":
                if (ours) {
                    database.leases.remove(key);
                }
                return new Reply(204, "");
            case "GET":
                return new Reply(200, seen(lease, ours));
            default:
                if (live && !ours && !database.has(Fault.BOTH_HOLD)) {
                    return new Reply(409, Map.of("held", false, "holder", lease.holder()));
                }
                long token = database.tokens.merge(key, 1L, database.has(Fault.TOKEN_STAYS) ? Math::max : Long::sum);
                long ttl = Long.parseLong(query.get("ttl")) * 1_000_000_000L;
                database.leases.put(key, new FakeDatabase.Lease(name, token, ttl, System.nanoTime()));
                return new Reply(200, Map.of("held", true, "holder", name, "token", token));
        }
    }

    private static Map<String, Object> seen(FakeDatabase.Lease lease, boolean ours) {
        Map<String, Object> seen = new HashMap<>(Map.of("held", ours));
        if (lease != null) {
            seen.put("holder", lease.holder());
            seen.put("token", lease.token());
            seen.put("renewed", (System.nanoTime() - lease.takenAt()) / (lease.ttlNanos() / 3));
        }
        return seen;
    }

    private static Reply conflict() {
        return new Reply(409, Map.of("error", "no"));
    }

    private static Reply broken() {
        return new Reply(500, Map.of("error", "broken"));
    }

    private static Map<String, String> query(URI uri) {
        Map<String, String> query = new HashMap<>();
        if (uri.getQuery() != null) {
            for (String pair : uri.getQuery().split("&")) {
                query.put(pair.substring(0, pair.indexOf('=')), pair.substring(pair.indexOf('=') + 1));
            }
        }
        return query;
    }
}
