package io.holdfast.example.blackbox;

import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** All cases against two instances; those that need the first one alive come before those that kill it. */
final class Suite {

    private static final Duration START = Duration.ofSeconds(180);

    private final Pair pair;
    private final List<Case> cases = new ArrayList<>();

    Suite(Pair pair) {
        this.pair = pair;
        cases.addAll(new OrderCases(pair).cases());
        cases.addAll(new HealthCases(pair).cases());
        cases.addAll(new LeaseCases(pair).cases());
        cases.addAll(new ConcurrencyCases(pair).cases());
        cases.addAll(new TakeoverCases(pair).cases());
    }

    /** Waits until both serve, and says who they are. */
    Answer awaitBoth(PrintStream out) {
        Answer about = about(pair.first());
        Answer other = about(pair.second());
        if (about.text("instance").equals(other.text("instance"))) {
            throw other.wrong("expected instance to be another than the first's");
        }
        out.println(about.text("server") + ", Hibernate " + about.text("hibernate") + ", instances "
                + about.text("instance") + " and " + other.text("instance"));
        return about;
    }

    private static Answer about(Instance instance) {
        return Until.present(
                START,
                () -> {
                    if (!instance.isAlive()) {
                        throw new CaseFailure("process " + instance.place().pid() + " is not there, or has ended");
                    }
                    try {
                        Answer answer = instance.get("/api/about");
                        return answer.status() == 200 ? Optional.of(answer) : Optional.empty();
                    } catch (CaseFailure e) { // it is not up yet
                        return Optional.empty();
                    }
                },
                () -> "GET " + instance.place().url() + "/api/about: no status 200");
    }

    /** @return whether no case failed */
    boolean run(Answer about, PrintStream out) {
        Map<String, String> cannot = about.texts("cannot");
        Report report = new Report(
                out, cases.stream().mapToInt(c -> c.name().length()).max().orElse(0));
        for (Case one : cases) {
            String reason = cannot.get(one.name());
            if (reason != null && !reason.isBlank()) {
                report.skipped(one.name(), reason);
            } else {
                run(one, report);
            }
        }
        cannot.forEach((name, reason) -> {
            if (reason.isBlank()) {
                report.failed(name, "GET /api/about: cannot gives no reason");
            } else if (cases.stream().noneMatch(one -> one.name().equals(name))) {
                report.failed(name, "GET /api/about: cannot names a case that there is not");
            }
        });
        return report.sum();
    }

    private static void run(Case one, Report report) {
        long start = System.nanoTime();
        try {
            one.body().run();
            report.passed(one.name(), System.nanoTime() - start);
        } catch (CaseFailure e) {
            report.failed(one.name(), String.valueOf(e.getMessage()));
        } catch (RuntimeException e) { // a mistake of the suite's own; the other cases are still worth running
            report.failed(one.name(), "the suite is at fault: " + e);
        }
    }
}
