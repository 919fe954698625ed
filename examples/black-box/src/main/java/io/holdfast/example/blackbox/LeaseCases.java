package io.holdfast.example.blackbox;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Leases that the keepers of two instances want. */
final class LeaseCases {

    private static final Duration TTL = Duration.ofSeconds(2);

    private final Pair pair;
    private final Instance first;
    private final Instance second;

    LeaseCases(Pair pair) {
        this.pair = pair;
        this.first = pair.first();
        this.second = pair.second();
    }

    List<Case> cases() {
        return List.of(
                new Case("lease-contended", this::contended),
                new Case("lease-kept-past-its-ttl", this::keptPastItsTtl),
                new Case("work-under-fence", this::workUnderFence));
    }

    static String path(String key) {
        return "/api/leases/" + key;
    }

    /** @return the token */
    static long take(Instance instance, String key, Duration ttl) {
        Answer answer = ask(instance, key, ttl).expect(200);
        answer.expect("held", true, answer.bool("held"));
        answer.text("holder");
        return answer.number("token");
    }

    static Answer ask(Instance instance, String key, Duration ttl) {
        return instance.post(path(key) + "?ttl=" + ttl.toSeconds());
    }

    static void refused(Instance instance, String key, Duration ttl, String holder) {
        Answer answer = ask(instance, key, ttl).expect(409);
        answer.expect("held", false, answer.bool("held"));
        answer.expect("holder", holder, answer.text("holder"));
    }

    static String name(Instance instance) {
        return instance.get("/api/about").expect(200).text("instance");
    }

    private void contended() {
        String key = pair.id("contended");
        long token = take(first, key, TTL);
        refused(second, key, TTL, name(first));
        Answer seen = second.get(path(key)).expect(200);
        seen.expect("held", false, seen.bool("held"));
        seen.expect("holder", name(first), seen.text("holder"));
        first.delete(path(key)).expect(204);
        long next = take(second, key, TTL);
        if (next <= token) {
            throw new CaseFailure("POST " + path(key) + " (second): expected a token greater than " + token
                    + ", which the first had, was " + next);
        }
        refused(first, key, TTL, name(second));
        second.delete(path(key)).expect(204);
    }

    private void keptPastItsTtl() {
        String key = pair.id("kept");
        String holder = name(first);
        long token = take(first, key, TTL);
        long end = System.nanoTime() + TTL.multipliedBy(2).toNanos();
        Answer kept = Until.present(
                Instance.PATIENCE,
                () -> {
                    refused(second, key, TTL, holder);
                    Answer answer = first.get(path(key)).expect(200);
                    boolean enough = System.nanoTime() - end > 0 && answer.number("renewed") >= 1;
                    return enough ? Optional.of(answer) : Optional.empty();
                },
                () -> "GET " + path(key) + " (first): expected renewed to reach 1, it did not");
        kept.expect("held", true, kept.bool("held"));
        kept.expect("token", token, kept.number("token"));
        first.delete(path(key)).expect(204);
    }

    private void workUnderFence() {
        String id = pair.id("fenced");
        View started = new Orders(first).start(id);
        String work = Orders.path(id) + "/work?key=" + id + "&token=";
        long token = take(first, id, Duration.ofSeconds(30));
        View worked = View.of(first.post(work + token).expect(200))
                .movedOnFrom(started)
                .inStep();
        first.post(work + (token + 1)).expect(409).text("error");
        second.post(work + token).expect(409).text("error");
        first.delete(path(id)).expect(204);
        first.post(work + token).expect(409).text("error");
        new Orders(second).view(id).same(worked);
    }
}
