package io.holdfast.repository;

import io.holdfast.Scope;
import io.holdfast.cleanup.Ended;
import io.holdfast.cleanup.Keep;
import io.holdfast.cleanup.Kind;
import io.holdfast.cleanup.Removed;
import io.holdfast.cleanup.RetentionPace;
import io.holdfast.cleanup.RetentionPolicy;
import io.holdfast.cleanup.RetentionReport;
import io.holdfast.cleanup.RetentionRule;
import io.holdfast.failure.InvalidValueException;
import io.holdfast.repository.Batch.Position;
import io.holdfast.repository.Transactions.Effect;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Once through everything: scope by scope, kind by kind, batch by batch; removing, or only counting. */
final class RetentionRun {

    /** How often a scope's floor is tried for that new leases keep locked, before the window is left for the next run. */
    private static final int ATTEMPTS = 10;

    /** The most leases at once: new leases of the scope wait while they go. */
    private static final int LEASES = 100;

    /** Rows that are only counted are so many at once. */
    private static final RetentionPace COUNTING =
            new RetentionPace(10_000, Duration.ofMinutes(1), 0, Duration.ZERO, Duration.ofHours(1));

    private final Transactions transactions;
    private final RetentionPolicy policy;
    private final Pacing pacing;
    private final @Nullable Consumer<Removed> progress;
    private final String operation;
    private final long end;

    private final Map<Scope, Removed> scopes = new LinkedHashMap<>();
    private Removed total = Removed.NOTHING;
    private Duration rest = Duration.ZERO;
    private long rested;
    private boolean stopped;
    private long referred;

    private RetentionRun(
            Transactions transactions,
            RetentionPolicy policy,
            RetentionPace pace,
            @Nullable Consumer<Removed> progress) {
        this.transactions = transactions;
        this.policy = policy;
        this.pacing = new Pacing(pace);
        this.progress = progress;
        this.operation = progress == null ? "cleanup.plan" : "cleanup.run";
        this.end = System.nanoTime() + pace.atMost().toNanos();
    }

    /** @param transactions the facade's own, which nothing wraps */
    static void requireOwn(Transactions transactions) {
        if (transactions.isCallers()) {
            throw new InvalidValueException(
                    "cleanup",
                    "be of a facade that commits by itself: in a caller's transaction every lock would stay");
        }
    }

    static RetentionRun counting(Transactions transactions, RetentionPolicy policy) {
        return new RetentionRun(transactions, policy, COUNTING, null);
    }

    static RetentionRun removing(
            Transactions transactions, RetentionPolicy policy, RetentionPace pace, Consumer<Removed> progress) {
        return new RetentionRun(transactions, policy, pace, progress);
    }

    private record Next(@Nullable String scope) {}

    // Names no scope, since it looks for one: nine looks into an index.
    private static final Statement<Next> NEXT = Statement.returning(Next.class, """
            select min(n.scope) as scope from (
              (select w.scope from {workflow} w where w.scope > :scope order by w.scope limit 1) union all
              (select i.scope from {idempotency_key} i where i.scope > :scope order by i.scope limit 1) union all
              (select x.scope from {lease} x where x.scope > :scope order by x.scope limit 1) union all
              (select r.scope from {run} r where r.scope > :scope order by r.scope limit 1) union all
              (select t.scope from {workspace_session} t where t.scope > :scope order by t.scope limit 1) union all
              (select e.scope from {execution} e where e.scope > :scope order by e.scope limit 1) union all
              (select c.scope from {checkpoint} c where c.scope > :scope order by c.scope limit 1) union all
              (select a.scope from {approval} a where a.scope > :scope order by a.scope limit 1) union all
              (select g.scope from {agent_checkpoint} g where g.scope > :scope order by g.scope limit 1)) n
            """);

    /** @param only empty for all scopes */
    RetentionReport over(Optional<Scope> only) {
        RetentionReport report = through(only);
        Referred.tell(referred);
        return report;
    }

    private RetentionReport through(Optional<Scope> only) {
        if (only.isPresent()) {
            through(only.get());
        } else {
            Optional<Scope> next = Optional.of(Scope.UNSCOPED);
            while (next.isPresent()) {
                through(next.get());
                next = goesOn() ? after(next.get()) : Optional.empty();
            }
        }
        return new RetentionReport(scopes, !stopped);
    }

    private Optional<Scope> after(Scope scope) {
        Next next = transactions.single(
                operation,
                Effect.READ,
                s -> s.call(NEXT).set("scope", scope.id()).row());
        return Optional.ofNullable(next.scope()).map(Scope::new);
    }

    private void through(Scope scope) {
        RetentionRule rule = policy.of(scope);
        if (!rule.ended().isEmpty() && goesOn()) {
            for (var bound : EndedWorkflows.bounds(transactions, operation, scope, rule)) {
                walk(scope, Kind.WORKFLOWS, Position.OF_TIMES, workflows(scope, bound));
            }
        }
        rule.expired().ifPresent(age -> {
            walk(scope, Kind.KEYS, Position.OF_TIMES, ExpiredKeys.due(transactions, operation, scope, age));
            walk(scope, Kind.LEASES, Position.OF_NAMES, leases(scope, age));
        });
        rule.others().entrySet().stream()
                .sorted(Map.Entry.comparingByKey(
                        Comparator.comparing(Ended::kind).thenComparing(Ended::status)))
                .forEach(each -> others(scope, each.getKey(), each.getValue()));
    }

    private void others(Scope scope, Ended which, Keep keep) {
        if (goesOn()) {
            Optional<Due> due = switch (which.kind()) {
                case SESSIONS -> OldSessions.due(transactions, operation, scope, keep);
                case ENTRIES -> Optional.of(CutHistories.due(transactions, operation, scope, keep));
                default -> EndedRows.due(transactions, operation, scope, which, keep);
            };
            due.ifPresent(rows -> walk(scope, which.kind(), Position.OF_TIMES, rows));
        }
    }

    private void walk(Scope scope, Kind kind, Position start, Due due) {
        Position at = start;
        for (boolean more = true; more && goesOn(); ) {
            long begun = System.nanoTime();
            rested = 0;
            Batch batch = batch(due, at);
            rest = pacing.after(Duration.ofNanos(System.nanoTime() - begun - rested), batch.count() > 0);
            if (batch.count() > 0) {
                count(scope, Removed.of(kind, batch.count()));
            }
            more = batch.more();
            at = batch.last();
        }
    }

    private Batch batch(Due due, Position at) {
        if (progress == null) {
            return due.count(at, pacing.rows());
        }
        while (true) {
            Optional<Batch> batch = Referred.next(due, at, pacing.rows());
            if (batch.isPresent()) {
                referred += batch.get().passedBy() ? 1 : 0;
                return batch.get();
            }
            pacing.halve();
            if (!goesOn()) {
                return new Batch(0, false, at);
            }
        }
    }

    private void count(Scope scope, Removed removed) {
        scopes.merge(scope, removed, Removed::plus);
        total = total.plus(removed);
        if (progress != null) {
            progress.accept(total);
        }
    }

    private Due workflows(Scope scope, EndedWorkflows.Bound bound) {
        return new Due() {
            @Override
            public Batch count(Position after, int rows) {
                return EndedWorkflows.count(transactions, scope, bound, after, rows);
            }

            @Override
            public Batch remove(Position after, int rows) {
                return EndedWorkflows.remove(transactions, scope, bound, after, rows);
            }
        };
    }

    private Due leases(Scope scope, Duration age) {
        return new Due() {
            @Override
            public Batch count(Position after, int rows) {
                return SpentLeases.look(transactions, operation, scope, age, after, rows);
            }

            @Override
            public Batch remove(Position after, int rows) {
                return removeLeases(scope, age, after, Math.min(rows, LEASES));
            }
        };
    }

    private Batch removeLeases(Scope scope, Duration age, Position at, int limit) {
        Batch window = SpentLeases.look(transactions, operation, scope, age, at, limit);
        if (window.count() == 0) {
            return window;
        }
        for (int attempt = 0; attempt < ATTEMPTS && goesOn(); attempt++) {
            OptionalInt removed = SpentLeases.remove(transactions, operation, scope, age, at, window.last(), limit);
            if (removed.isPresent()) {
                return window.withCount(removed.getAsInt());
            }
            rest = pacing.pause();
        }
        return window.withCount(0);
    }

    /** Whether another statement may begin; first the rest that is due. */
    private boolean goesOn() {
        if (!rest.isZero()) {
            pause();
            rest = Duration.ZERO;
        }
        stopped |= Thread.currentThread().isInterrupted() || end - System.nanoTime() <= 0;
        return !stopped;
    }

    private void pause() {
        long begun = System.nanoTime();
        try {
            long nanos = Math.min(rest.toNanos(), end - System.nanoTime());
            new CountDownLatch(1).await(nanos, TimeUnit.NANOSECONDS); // a sleep, which an interrupt ends
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        rested += System.nanoTime() - begun;
    }
}
