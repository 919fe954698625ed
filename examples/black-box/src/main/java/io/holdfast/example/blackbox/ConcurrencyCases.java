package io.holdfast.example.blackbox;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Many requests at once, spread over both instances. */
final class ConcurrencyCases {

    private static final int THREADS = 16;
    private static final int ROUNDS = 12;

    private final Pair pair;

    ConcurrencyCases(Pair pair) {
        this.pair = pair;
    }

    List<Case> cases() {
        return List.of(
                new Case("concurrent-starts", () -> together(this::starts)),
                new Case("concurrent-advances", () -> together(this::advances)));
    }

    private void starts(ExecutorService threads) {
        String id = pair.id("started-at-once");
        List<Answer> answers = all(threads, instance -> instance.post("/api/orders", Orders.body(id)));
        View started = View.of(onlyOne(answers, 201));
        new Orders(pair.first()).view(id).same(started.at(1).inStep());
    }

    /** All ask for the same move: one is made by each round, and none is lost. */
    private void advances(ExecutorService threads) {
        String id = pair.id("advanced-at-once");
        View before = new Orders(pair.first()).start(id);
        for (int round = 0; round < ROUNDS; round++) {
            String advance = Orders.path(id) + "/advance?expect=" + before.revision();
            View won = View.of(onlyOne(all(threads, instance -> instance.post(advance)), 200));
            won.movedOnFrom(before).inStep();
            new Orders(pair.first()).view(id).same(won);
            new Orders(pair.second()).view(id).same(won);
            before = won;
        }
    }

    private static Answer onlyOne(List<Answer> answers, int won) {
        List<Answer> winners =
                answers.stream().filter(answer -> answer.status() == won).toList();
        answers.stream().filter(answer -> answer.status() != won).forEach(answer -> answer.expect(409));
        if (winners.size() != 1) {
            throw answers.get(0)
                    .wrong("expected status " + won + " for one of " + answers.size() + " at once, was for "
                            + winners.size());
        }
        return winners.get(0);
    }

    private interface Ask {
        Answer of(Instance instance);
    }

    private List<Answer> all(ExecutorService threads, Ask ask) {
        List<Callable<Answer>> calls = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            Instance instance = i % 2 == 0 ? pair.first() : pair.second();
            calls.add(() -> ask.of(instance));
        }
        List<Answer> answers = new ArrayList<>();
        try {
            for (Future<Answer> answer : threads.invokeAll(calls)) {
                answers.add(answer.get());
            }
        } catch (ExecutionException e) {
            if (e.getCause() instanceof CaseFailure failure) {
                throw failure;
            }
            throw new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CaseFailure("interrupted");
        }
        return answers;
    }

    private static void together(java.util.function.Consumer<ExecutorService> body) {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            body.accept(threads);
        } finally {
            threads.shutdownNow();
        }
    }
}
