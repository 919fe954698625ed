package io.holdfast.bench;

import io.holdfast.bench.Contest.Goal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The list of what is measured, and what is wanted of it. */
final class Contests {

    /** By one thread the commit bounds both sides; the aim leaves more room there. */
    private static final Goal WRITE = new Goal(0.95, 0.75);

    private static final Goal WRITE_ALONE = new Goal(0.9, 0.75);
    private static final Goal READ = new Goal(0.9, 0.75);

    private Contests() {}

    static List<Contest> all(Arena arena, Options options) {
        return options.threads().stream()
                .flatMap(threads -> with(threads, arena, options).stream())
                .filter(options::wants)
                .toList();
    }

    private static List<Contest> with(int threads, Arena arena, Options options) {
        List<Contest> contests = new ArrayList<>();
        List<Operation> writes = List.of(
                new WorkflowOperations.Create(),
                new WorkflowOperations.Write(false),
                new WorkflowOperations.Write(true),
                new LeaseOperations.Acquire(),
                new LeaseOperations.Renew(),
                new LeaseOperations.Release(),
                new KeyOperations.Reserve(),
                new KeyOperations.Complete(),
                new StepOperations.Begin(),
                new StepOperations.Finish(),
                new StepOperations.Whole(),
                new RunOperations.AppendEvent(1),
                new RunOperations.AppendEvent(1_000),
                new JournalOperations.Commit(false),
                new JournalOperations.Commit(true));
        List<Operation> reads =
                List.of(new WorkflowOperations.Find(), new LeaseOperations.Inspect(), new KeyOperations.FindKey());
        writes.forEach(operation -> contests.add(same(operation, threads, threads == 1 ? WRITE_ALONE : WRITE, arena)));
        reads.forEach(operation -> contests.add(same(operation, threads, READ, arena)));

        String delay = String.format(Locale.ROOT, "+%sms", options.delayMillis());
        var both = new StepOperations.Both();
        contests.add(Contest.of(
                both, threads, goal(threads, 1.1), arena.holdfast(), arena.handWritten(), arena.hibernate()));
        arena.pgbench()
                .ifPresent(pgbench -> contests.add(Contest.of(
                                both,
                                threads,
                                new Goal(0.85, 0),
                                arena.holdfast().longer(),
                                pgbench.longer())
                        .named("begin+finish-pgbench")));
        contests.add(Contest.of(both, threads, goal(threads, 2), arena.holdfastDelayed(), arena.handWrittenDelayed())
                .named("begin+finish" + delay));
        contests.add(Contest.of(
                        new StepOperations.Whole(), threads, goal(threads, 2.2), arena.holdfast(), arena.handWritten())
                .named("step-by-transaction"));
        contests.add(Contest.of(
                        new StepOperations.Whole(),
                        threads,
                        Goal.NONE,
                        arena.holdfastDelayed(),
                        arena.handWrittenDelayed())
                .named("step-by-transaction" + delay));
        if (threads > 1) {
            contests.add(Contest.of(
                    new LeaseOperations.Contended(),
                    threads,
                    goal(threads, 1.5),
                    arena.holdfast().longer(),
                    arena.handWritten().longer()));
            contests.add(Contest.of(
                            new LeaseOperations.Contended(),
                            threads,
                            Goal.NONE,
                            arena.holdfast().longer(),
                            arena.handWrittenPatient().longer())
                    .named("contended-same-waits"));
        }
        return contests;
    }

    /** The same statement, and once more unprepared; and what one does with entities. */
    private static Contest same(Operation operation, int threads, Goal goal, Arena arena) {
        List<Entrant> entrants = new ArrayList<>(List.of(arena.holdfast(), arena.jdbc()));
        if (threads > 1) {
            entrants.addAll(List.of(arena.holdfastUnprepared(), arena.jdbcUnprepared()));
        }
        if (!(operation instanceof RunOperations.AppendEvent || operation instanceof JournalOperations.Commit)) {
            entrants.add(arena.hibernate());
        }
        return Contest.of(operation, threads, goal, entrants.toArray(Entrant[]::new));
    }

    private static Goal goal(int threads, double median) {
        return threads == 1 ? Goal.NONE : new Goal(median, 0);
    }
}
