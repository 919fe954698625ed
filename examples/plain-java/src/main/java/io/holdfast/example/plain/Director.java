package io.holdfast.example.plain;

import static java.util.Objects.requireNonNull;

import io.holdfast.example.plain.Terminal.Colour;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Starts the workers and does to them what happens to processes. Every worker stops in mid-step and waits for a word, so
 * nothing here depends on timing: the first victim is killed there and never gets it. The second is frozen there and gets it
 * when it is thawed, which is when another has taken over and stands in mid-step itself.
 */
final class Director {

    static final int WORKERS = 3;

    private static final Duration PATIENCE = Duration.ofSeconds(120);

    /** What a worker told; empty: it has ended. */
    private record Heard(WorkerProcess worker, Optional<Notice> notice) {}

    /** Where a worker was stopped. */
    private record Victim(WorkerProcess worker, String order, long token) {}

    private final RunClock clock;
    private final int orders;
    private final Timeline timeline;
    private final Progress progress;
    private final Executor provider;
    private final BlockingQueue<Heard> queue = new LinkedBlockingQueue<>();
    private final Set<WorkerProcess> idle = new HashSet<>();
    private final Map<String, List<String>> answers = new TreeMap<>();

    private @Nullable Victim killed;
    private @Nullable Victim frozen;
    private @Nullable WorkerProcess successor; // of the frozen one, in mid-step until that has had its say
    private boolean heardOut;
    private boolean canFreeze = true;
    private boolean refused;
    private volatile boolean interrupted;

    Director(RunClock clock, int orders, Timeline timeline, Progress progress) {
        this.clock = clock;
        this.orders = orders;
        this.timeline = timeline;
        this.progress = progress;
        long millis = Math.min(150, 20_000 / Math.max(1, orders)); // so that there is something to watch
        this.provider = CompletableFuture.delayedExecutor(millis, TimeUnit.MILLISECONDS);
    }

    /** Returns when every order is finished. Whether what was to be refused was refused is {@link #wasRefused}. */
    void run(String scope, Database database, Leftovers leftovers) throws IOException, InterruptedException {
        List<WorkerProcess> workers = new ArrayList<>();
        Thread atExit = new Thread(() -> {
            interrupted = true;
            workers.forEach(WorkerProcess::kill);
        });
        Runtime.getRuntime().addShutdownHook(atExit);
        try {
            for (int number = 1; number <= WORKERS; number++) {
                workers.add(WorkerProcess.start(
                        number,
                        scope,
                        database,
                        (worker, notice) -> queue.add(new Heard(worker, Optional.of(notice))),
                        worker -> queue.add(new Heard(worker, Optional.empty()))));
                progress.doing("worker-" + number, "starting");
            }
            leftovers.note(workers.stream().map(WorkerProcess::handle).toList());
            direct(workers);
        } finally {
            workers.forEach(WorkerProcess::close);
            progress.over();
        }
    }

    private void direct(List<WorkerProcess> workers) throws InterruptedException {
        int ready = 0;
        while (idle.size() < WORKERS) {
            long left = PATIENCE.minus(clock.elapsed()).toNanos();
            Heard heard = queue.poll(left, TimeUnit.NANOSECONDS);
            if (heard == null) {
                throw new DemoFailure("The workers were not done after " + PATIENCE.toSeconds() + " s: " + progress);
            }
            if (heard.notice.isEmpty()) {
                ended(heard.worker);
            } else if (heard.notice.get().kind() == Notice.Kind.READY) {
                progress.doing(heard.worker.name(), "ready");
                if (++ready == WORKERS) {
                    workers.forEach(WorkerProcess::go);
                }
            } else {
                told(heard.worker, heard.notice.get());
            }
        }
    }

    private void ended(WorkerProcess worker) {
        boolean asIntended = killed != null && killed.worker == worker;
        if (!idle.add(worker) || asIntended) {
            return;
        }
        if (interrupted) {
            throw new DemoFailure("Interrupted: the workers are ended, and the server with this process");
        }
        throw new DemoFailure(worker.name() + " ended before its work did:\n  " + String.join("\n  ", worker.errors()));
    }

    private void told(WorkerProcess worker, Notice notice) {
        Instant at = notice.at().orElseGet(clock::now);
        String name = worker.name();
        hearOut(worker);
        switch (notice.kind()) {
            case HELD -> {
                timeline.held(at, name, notice);
                progress.doing(name, notice.order());
                if (!notice.text().isEmpty()) {
                    note(Colour.GREEN, at, name + " took over " + notice.order() + " with token " + notice.token());
                }
            }
            case CHARGED -> charged(worker, notice);
            case REFUSED -> refused(worker, notice, at);
            case FINISHED -> {
                timeline.finished(at, notice);
                progress.finishedOne();
                progress.doing(name, "idle");
                if (succeeds(notice)) { // its lease had run out before it was frozen, and another was past this step
                    wake(worker, "has finished it");
                }
            }
            case ANSWERED ->
                answers.computeIfAbsent(notice.order(), o -> new ArrayList<>()).add(notice.text());
            case IDLE -> {
                idle.add(worker);
                progress.doing(name, "done");
            }
            case TROUBLE -> note(Colour.YELLOW, at, name + ": " + notice.text() + "; tries again");
            case READY -> throw new IllegalStateException(name + " is ready twice");
        }
    }

    private void charged(WorkerProcess worker, Notice notice) {
        var here = new Victim(worker, notice.order(), notice.token());
        if (killed == null && progress.finished() >= orders / 5) {
            killed = here;
            worker.kill();
            happened(here, "SIGKILL in mid-step: charged, and not written down");
            progress.doing(worker.name(), "killed");
        } else if (killed != null && frozen == null && canFreeze && progress.finished() >= orders * 2 / 5) {
            freeze(here);
        } else if (succeeds(notice)) {
            wake(worker, "has taken over");
        } else {
            provider.execute(worker::go);
        }
    }

    private boolean succeeds(Notice notice) {
        return frozen != null && successor == null && notice.order().equals(frozen.order);
    }

    private void wake(WorkerProcess by, String how) {
        Victim sleeper = requireNonNull(frozen);
        successor = by;
        happened(sleeper, "SIGCONT: wakes up in mid-step; " + by.name() + " " + how);
        sleeper.worker.go(); // not before: a signal may arrive later than a word does
        sleeper.worker.thaw();
    }

    private void freeze(Victim victim) {
        canFreeze = victim.worker.freeze();
        if (canFreeze) {
            frozen = victim;
            happened(victim, "SIGSTOP in mid-step: stands still while its lease runs out");
            progress.doing(victim.worker.name(), "frozen");
        } else {
            victim.worker.go();
            note(Colour.YELLOW, clock.now(), "This system has no SIGSTOP: no worker is frozen");
        }
    }

    private void refused(WorkerProcess worker, Notice notice, Instant at) {
        var here = new Victim(worker, notice.order(), notice.token());
        if (here.equals(frozen)) {
            refused = true;
        }
        happened(here, "its write is REFUSED: " + notice.text() + ", its token is not the newest", at);
        progress.doing(worker.name(), "refused");
    }

    /** The successor waits until the one that was frozen has had its say, whatever that is: its first word since it woke up. */
    private void hearOut(WorkerProcess worker) {
        if (successor != null && frozen != null && frozen.worker == worker && !heardOut) {
            heardOut = true;
            successor.go();
        }
    }

    private void happened(Victim victim, String what) {
        happened(victim, what, clock.now());
    }

    private void happened(Victim victim, String what, Instant at) {
        timeline.event(at, victim.worker.name(), victim.order, victim.token, what);
        note(Colour.RED, at, victim.worker.name() + ", " + victim.order + ", token " + victim.token + ": " + what);
    }

    private void note(Colour colour, Instant at, String text) {
        progress.note(colour, clock.seconds(at) + " s  " + text);
    }

    /** What was answered to workers who asked for an order that was completed, by order. */
    Map<String, List<String>> answers() {
        return answers;
    }

    /** Whether the write of the worker that was frozen was refused; also if none could be frozen. */
    boolean wasRefused() {
        return refused || !canFreeze;
    }
}
