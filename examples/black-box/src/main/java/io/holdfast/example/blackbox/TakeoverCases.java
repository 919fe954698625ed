package io.holdfast.example.blackbox;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The first instance is killed. Each of these cases stands on the one before. */
final class TakeoverCases {

    private static final Duration TTL = Duration.ofSeconds(3);

    /** For the lease to run out, and for the second to have time to ask. */
    private static final Duration TAKEOVER = TTL.plusSeconds(20);

    /** What the killed instance had. */
    private record Left(String id, View order, long token, List<View> confirmed) {}

    private final Pair pair;
    private final Instance first;
    private final Instance second;
    private final Orders onSecond;
    private Optional<Left> left = Optional.empty();
    private Optional<Long> newToken = Optional.empty();

    TakeoverCases(Pair pair) {
        this.pair = pair;
        this.first = pair.first();
        this.second = pair.second();
        this.onSecond = new Orders(pair.second());
    }

    List<Case> cases() {
        return List.of(
                new Case("takeover-after-kill", this::takeover),
                new Case("old-token-fenced-off", this::oldTokenFencedOff),
                new Case("killed-mid-write", this::killedMidWrite),
                new Case("survivor-still-serves", this::survivorStillServes));
    }

    private void takeover() {
        String id = pair.id("taken-over");
        View order = new Orders(first).start(id);
        String holder = LeaseCases.name(first);
        Traffic traffic = Traffic.on(first, pair);
        traffic.awaitMoves(2);
        long token = LeaseCases.take(first, id, TTL);
        LeaseCases.refused(second, id, TTL, holder);
        first.kill();
        left = Optional.of(new Left(id, order, token, traffic.end()));
        long next = Until.present(
                TAKEOVER,
                () -> {
                    Answer answer = LeaseCases.ask(second, id, TTL);
                    return answer.status() == 409
                            ? Optional.<Long>empty()
                            : Optional.of(answer.expect(200).number("token"));
                },
                () -> "POST " + LeaseCases.path(id) + " (second): the lease of the killed instance was not taken over");
        if (next <= token) {
            throw new CaseFailure("POST " + LeaseCases.path(id) + " (second): expected a token greater than " + token
                    + ", which the killed instance had, was " + next);
        }
        newToken = Optional.of(next);
    }

    private Left left() {
        return left.orElseThrow(() -> new CaseFailure("takeover-after-kill did not come so far as to kill"));
    }

    private void oldTokenFencedOff() {
        Left then = left();
        long token = newToken.orElseThrow(() -> new CaseFailure("takeover-after-kill did not get the lease"));
        String work = Orders.path(then.id()) + "/work?key=" + then.id() + "&token=";
        second.post(work + then.token()).expect(409).text("error");
        onSecond.view(then.id()).same(then.order());
        View.of(second.post(work + token).expect(200)).movedOnFrom(then.order()).inStep();
    }

    /** A move that was under way is there as a whole or not at all, and none that was confirmed is gone. */
    private void killedMidWrite() {
        for (View confirmed : left().confirmed()) {
            View found = onSecond.view(confirmed.id()).inStep();
            if (found.revision() == confirmed.revision()) {
                found.same(confirmed);
            } else {
                found.movedOnFrom(confirmed);
            }
            onSecond.advance(found.id()).movedOnFrom(found).inStep();
        }
    }

    private void survivorStillServes() {
        left();
        if (first.isAlive()) {
            throw new CaseFailure("process " + first.place().pid() + " is alive");
        }
        String id = pair.id("survivor");
        View started = onSecond.start(id).at(1).inStep();
        View moved = onSecond.advance(id).movedOnFrom(started).inStep();
        if (onSecond.list("RUNNING").stream().noneMatch(view -> view.id().equals(id))) {
            throw new CaseFailure("GET /api/orders?status=RUNNING (second): expected " + id + " to be listed");
        }
        View.of(second.post(Orders.path(id) + "/fail", Map.of("reason", "closing time"))
                        .expect(200))
                .in("FAILED")
                .at(moved.revision() + 1);
    }
}
