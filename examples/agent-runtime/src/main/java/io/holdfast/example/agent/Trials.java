package io.holdfast.example.agent;

import io.holdfast.Scope;
import io.holdfast.example.agent.Trial.Kind;
import io.holdfast.lease.Lease;
import io.holdfast.lease.LeaseKey;
import io.holdfast.repository.Holdfast;
import io.holdfast.repository.Stores;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

/** Kills an agent at each point of its life, starts it again, and compares what came of it with a run that nobody disturbed. */
final class Trials {

    /**
     * Which points.
     *
     * @param every each how manieth, of those at which a process is cut off; those around the bank's call always
     * @param processes how many processes are killed
     */
    record Sample(int every, int processes) {

        static final Sample ALL = new Sample(1, 6);
    }

    /** What became of a trial. */
    record Verdict(Trial trial, long doubts, int mailCalls, List<String> differences) {}

    private static final String UNDISTURBED = "undisturbed";
    private static final String REFUND = World.REFUND + ".call";

    private final Database database;
    private final Scope scope;
    private final Sample sample;
    private final Stores stores;
    private final World world;
    private final Screen screen;

    Trials(Database database, Holdfast holdfast, World world, Scope scope, Sample sample, Screen screen) {
        this.database = database;
        this.scope = scope;
        this.sample = sample;
        this.stores = holdfast.in(scope);
        this.world = world;
        this.screen = screen;
    }

    List<Verdict> run() throws IOException, InterruptedException {
        ExecutorService processes = Executors.newSingleThreadExecutor();
        try (Mortal mortal = new Mortal(database, world)) {
            // Twice, and the shorter: a machine that is just getting under way may have lost the lease in one of them.
            List<String> warmUp = mortal.live(scope, "warm-up", 0);
            List<String> undisturbed = mortal.live(scope, UNDISTURBED, 0);
            List<String> points = warmUp.size() < undisturbed.size() ? warmUp : undisturbed;
            screen.print("An undisturbed run passes " + points.size() + " points: before and after each call of "
                    + "journal, approvals, model and tools.");
            List<Trial> killed = killed(points.size());
            List<Future<?>> kills = killed.stream()
                    .<Future<?>>map(trial -> processes.submit(() -> kill(trial, points)))
                    .toList();
            List<Trial> trials = cutOff(points);
            live(mortal, trials, "first lives"); // all of them first: then nobody waits for the lease of a dead process
            live(mortal, trials, "second lives");
            List<Trial> again = twice(trials);
            live(mortal, again, "first lives, of those that die twice");
            live(mortal, again, "second lives, of those that die twice");
            live(mortal, again, "third lives");
            for (Future<?> kill : kills) {
                await(kill);
            }
            live(mortal, killed, "after a killed process");
            trials.addAll(again);
            trials.addAll(killed);
            return judge(trials);
        } finally {
            processes.shutdownNow();
            screen.clear();
        }
    }

    private List<Trial> cutOff(List<String> points) {
        List<Trial> trials = new ArrayList<>();
        for (int point = 1; point <= points.size(); point++) {
            if (point % sample.every == 0 || points.get(point - 1).endsWith(REFUND)) {
                trials.add(new Trial(name("cut", point), Kind.CUT_OFF, List.of(point)));
            }
        }
        return trials;
    }

    private List<Trial> killed(int points) {
        return IntStream.rangeClosed(1, sample.processes)
                .map(number -> number * points / (sample.processes + 1) + 1)
                .mapToObj(point -> new Trial(name("killed", point), Kind.KILLED, List.of(point)))
                .toList();
    }

    /**
     * Who has died around the bank's call left something to find out, which is where a second death could do harm: so that next
     * life is ended at each of its points as well.
     */
    private List<Trial> twice(List<Trial> trials) {
        List<Trial> twice = new ArrayList<>();
        for (Trial once : trials) {
            int first = once.life(0).size();
            if (once.life(0).get(first - 1).endsWith(REFUND)) {
                for (int second = sample.every; second <= once.life(1).size(); second += sample.every) {
                    twice.add(new Trial(name("twice-" + first, second), Kind.CUT_OFF, List.of(first, second)));
                }
            }
        }
        return twice;
    }

    private static String name(String kind, int point) {
        return String.format(Locale.ROOT, "%s-%03d", kind, point);
    }

    private void live(Mortal mortal, List<Trial> trials, String what) throws InterruptedException {
        for (int i = 0; i < trials.size(); i++) {
            Trial trial = trials.get(i);
            awaitEnd(trial.run());
            trial.lived(mortal.live(scope, trial.run(), trial.next()));
            screen.progress(what, i + 1, trials.size());
        }
    }

    /** The dead hold their leases until these run out; a living one waits for that too, but its points would then be many. */
    private void awaitEnd(String run) throws InterruptedException {
        Optional<Lease> lease = stores.leases().find(LeaseKey.ofRun(run));
        if (lease.isPresent() && lease.get().isLive()) {
            Thread.sleep(lease.get().remaining().toMillis() + 1);
        }
    }

    private Void kill(Trial trial, List<String> points) throws IOException, InterruptedException {
        AgentProcess.live(database, scope, trial.run(), trial.next());
        trial.lived(points.subList(0, trial.next())); // it cannot tell any more, but it was no other life
        return null;
    }

    private static void await(Future<?> kill) throws IOException, InterruptedException {
        try {
            kill.get();
        } catch (ExecutionException e) {
            throw new IOException(e.getCause() == null ? e : e.getCause());
        }
    }

    private List<Verdict> judge(List<Trial> trials) {
        Judge judge = new Judge(stores, world, UNDISTURBED);
        return trials.stream()
                .map(trial -> new Verdict(
                        trial, judge.doubts(trial.run()), judge.mailCalls(trial.run()), judge.differences(trial.run())))
                .toList();
    }
}
