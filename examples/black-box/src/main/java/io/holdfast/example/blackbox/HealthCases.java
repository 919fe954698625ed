package io.holdfast.example.blackbox;

import java.util.List;

/** What an orchestrator asks, where the application says that it is asked. */
final class HealthCases {

    private final Pair pair;

    HealthCases(Pair pair) {
        this.pair = pair;
    }

    List<Case> cases() {
        return List.of(new Case("health", this::health));
    }

    private void health() {
        for (Instance instance : List.of(pair.first(), pair.second())) {
            Answer about = instance.get("/api/about").expect(200);
            requireUp(instance.get(about.text("health.ready")), "holdfast");
            requireUp(instance.get(about.text("health.live")), "lease-keeper");
        }
    }

    /** @param check which has to be among the checks, where the framework lists them as MicroProfile Health does */
    private static void requireUp(Answer answer, String check) {
        answer.expect(200);
        answer.expect("status", "UP", answer.text("status"));
        if (answer.has("checks") && answer.values("checks", "name").stream().noneMatch(check::equals)) {
            throw answer.wrong("expected a check " + check);
        }
    }
}
