package io.holdfast.example.blackbox;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Orders and their workflows, one request at a time. */
final class OrderCases {

    private final Pair pair;
    private final Instance first;
    private final Orders orders;
    private final Orders fromSecond;

    OrderCases(Pair pair) {
        this.pair = pair;
        this.first = pair.first();
        this.orders = new Orders(pair.first());
        this.fromSecond = new Orders(pair.second());
    }

    List<Case> cases() {
        return List.of(
                new Case("starts", this::starts),
                new Case("not-found", this::notFound),
                new Case("bad-input", this::badInput),
                new Case("starts-once", this::startsOnce),
                new Case("rolls-back-together", this::rollsBackTogether),
                new Case("advances", this::advances),
                new Case("conflict-by-revision", this::conflictByRevision),
                new Case("fails-for-good", this::failsForGood),
                new Case("lists", this::lists),
                new Case("nested-commits-alone", this::nestedCommitsAlone),
                new Case("dirty-entities-left-alone", this::dirtyEntitiesLeftAlone),
                new Case("cache-left-alone", this::cacheLeftAlone));
    }

    private void starts() {
        String id = pair.id("starts");
        View started = orders.start(id).in("RUNNING").at(1).inStep();
        started.from().expect("id", id, started.id());
        started.from().expect("item", Orders.ITEM, started.item());
        started.from().expect("quantity", Orders.QUANTITY, started.quantity());
        orders.view(id).same(started);
        fromSecond.view(id).same(started);
    }

    private void notFound() {
        String path = Orders.path(pair.id("nobody"));
        first.get(path).expect(404);
        first.post(path + "/advance").expect(404);
        first.post(path + "/fail", Map.of("reason", "none")).expect(404);
    }

    private void badInput() {
        String tooLong = "x".repeat(129);
        Answer answer = first.post("/api/orders", Orders.body(tooLong)).expect(400);
        String error = answer.text("error");
        if (!error.contains("workflowId") || !error.contains("128")) {
            throw answer.wrong("expected error to name workflowId and its limit, 128");
        }
        first.get(Orders.path(tooLong)).expect(404);
        String spaced = "a b" + pair.id("");
        first.post("/api/orders", Orders.body(spaced)).expect(400);
        first.get(Orders.path(spaced.replace(" ", "%20"))).expect(404);
    }

    private void startsOnce() {
        String id = pair.id("once");
        View started = orders.start(id);
        first.post("/api/orders", Orders.body(id)).expect(409);
        pair.second().post("/api/orders", Orders.body(id)).expect(409);
        orders.view(id).same(started);
    }

    private void rollsBackTogether() {
        String id = pair.id("together");
        first.post("/api/orders?break=after", Orders.body(id)).expect(500);
        first.get(Orders.path(id)).expect(404);
        View started = orders.start(id).at(1); // a workflow that had stayed behind would be in the way
        first.post(Orders.path(id) + "/advance?break=after").expect(500);
        orders.view(id).same(started);
        fromSecond.view(id).same(started);
        orders.advance(id).movedOnFrom(started).inStep();
    }

    private void advances() {
        String id = pair.id("advances");
        View before = orders.start(id);
        for (int i = 0; i < 4; i++) {
            Orders by = i % 2 == 0 ? orders : fromSecond;
            View after = by.advance(id).in("RUNNING").movedOnFrom(before).inStep();
            orders.view(id).same(after);
            fromSecond.view(id).same(after);
            before = after;
        }
    }

    private void conflictByRevision() {
        String id = pair.id("conflict");
        View started = orders.start(id);
        String advance = Orders.path(id) + "/advance?expect=";
        View moved = View.of(first.post(advance + started.revision()).expect(200))
                .movedOnFrom(started)
                .inStep();
        first.post(advance + started.revision()).expect(409);
        pair.second().post(advance + started.revision()).expect(409);
        first.post(advance + (moved.revision() + 1)).expect(409);
        orders.view(id).same(moved);
        View.of(pair.second().post(advance + moved.revision()).expect(200)).movedOnFrom(moved);
    }

    private void failsForGood() {
        String id = pair.id("fails");
        View started = orders.start(id);
        View failed = View.of(first.post(Orders.path(id) + "/fail", Map.of("reason", "out of stock"))
                        .expect(200))
                .in("FAILED")
                .at(started.revision() + 1);
        pair.second().post(Orders.path(id) + "/advance").expect(409);
        first.post(Orders.path(id) + "/fail", Map.of("reason", "again")).expect(409);
        orders.view(id).same(failed);
    }

    private void lists() {
        String running = pair.id("lists-running");
        String failed = pair.id("lists-failed");
        View started = orders.start(running);
        orders.start(failed);
        first.post(Orders.path(failed) + "/fail", Map.of("reason", "lost")).expect(200);
        requireListed(running, "RUNNING", true).orElseThrow().same(started);
        requireListed(running, "FAILED", false);
        requireListed(failed, "FAILED", true).orElseThrow().in("FAILED").same(orders.view(failed));
        requireListed(failed, "RUNNING", false);
    }

    private Optional<View> requireListed(String id, String status, boolean wanted) {
        Optional<View> found = fromSecond.list(status).stream()
                .filter(view -> view.id().equals(id))
                .findFirst();
        if (found.isPresent() != wanted) {
            throw new CaseFailure("GET /api/orders?status=" + status + " (second): expected " + id + " to be "
                    + (wanted ? "listed, it was not" : "left out, it was listed"));
        }
        return found;
    }

    private void nestedCommitsAlone() {
        String id = pair.id("nested");
        View started = orders.start(id);
        View after =
                View.of(first.post(Orders.path(id) + "/nested").expect(200)).movedOnFrom(started);
        after.from().expect("stage, whose transaction was rolled back,", started.stage(), after.stage());
        after.from().expect("item, whose transaction was rolled back,", started.item(), after.item());
        orders.view(id).same(after);
        fromSecond.view(id).same(after);
    }

    private void dirtyEntitiesLeftAlone() {
        String id = pair.id("dirty");
        View started = orders.start(id);
        Answer answer = first.post(Orders.path(id) + "/dirty").expect(200);
        answer.expect("flushedEarly", false, answer.bool("flushedEarly"));
        answer.expect("managed", true, answer.bool("managed"));
        View after = orders.view(id).movedOnFrom(started);
        after.from().expect("item", answer.text("item"), after.item());
        after.from().expect("stage", started.stage(), after.stage());
        if (after.item().equals(started.item())) {
            throw answer.wrong("expected another item than before");
        }
        fromSecond.view(id).same(after);
    }

    private void cacheLeftAlone() {
        String cached = pair.id("cached");
        String other = pair.id("not-cached");
        orders.start(cached);
        orders.start(other);
        Until.holds(
                Instance.PATIENCE,
                () -> orders.view(cached).id().equals(cached) && isCached(cached),
                () -> "GET " + Orders.path(cached) + "/cached (first): an order that is read was not in the cache");
        orders.advance(other);
        first.post(Orders.path(other) + "/fail", Map.of("reason", "done")).expect(200);
        if (!isCached(cached)) {
            throw new CaseFailure("GET " + Orders.path(cached)
                    + "/cached (first): expected true, was false after writes to another" + " order's workflow");
        }
    }

    private boolean isCached(String id) {
        return first.get(Orders.path(id) + "/cached").expect(200).bool("cached");
    }
}
