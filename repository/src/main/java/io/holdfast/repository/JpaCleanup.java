package io.holdfast.repository;

import io.holdfast.Scope;
import io.holdfast.cleanup.Cleanup;
import io.holdfast.cleanup.Cutoff;
import io.holdfast.cleanup.Removed;
import io.holdfast.cleanup.RetentionPace;
import io.holdfast.cleanup.RetentionPolicy;
import io.holdfast.cleanup.RetentionReport;
import io.holdfast.codec.Given;
import io.holdfast.repository.Batch.Position;
import io.holdfast.repository.Transactions.Effect;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Removes what is old. It goes against the order of locks, which is safe because it waits for none: {@code skip locked}
 * everywhere. A locked row is looked at as it is now, so what changed since the snapshot is judged anew.
 */
final class JpaCleanup implements Cleanup {

    private static final String PASS = "cleanup.pass";

    private final Transactions transactions;
    private final Optional<Scope> scope;

    /** @param scope empty for all scopes */
    JpaCleanup(Transactions transactions, Optional<Scope> scope) {
        this.transactions = transactions;
        this.scope = scope;
    }

    private record Found(String scope) {}

    // Names no scope, since it looks for those where something is due: from scope to scope along the keys, a look each.
    private static final Statement<Found> SCOPES = Statement.returning(Found.class, """
            with recursive given as materialized (
              select clock_timestamp() - :finished * interval '1 millisecond' as finished,
                     clock_timestamp() - :expired * interval '1 millisecond' as expired),
            every (scope) as (
              select '' collate "C"
              union all
              select n.scope from every e cross join lateral (
                select min(m.scope) as scope from (
                  (select w.scope from {workflow} w where w.scope > e.scope order by w.scope limit 1) union all
                  (select i.scope from {idempotency_key} i where i.scope > e.scope order by i.scope limit 1) union all
                  (select x.scope from {lease} x where x.scope > e.scope order by x.scope limit 1)) m) n
               where n.scope is not null)
            select e.scope from every e cross join given g
             where exists (   -- the order is that of the index, so that the first look decides
                 select from (select w.finished_at from {workflow} w where w.scope = e.scope and w.finished_at is not null
                               order by w.finished_at limit 1) w where w.finished_at <= g.finished)
                or exists (
                 select from (select i.expires_at from {idempotency_key} i where i.scope = e.scope and i.expires_at is not null
                               order by i.expires_at limit 1) i where i.expires_at <= g.expired)
                or exists (   -- no index knows: those that are not due are passed by, along the key as the offset has it
                 select from (select x.expires_at from {lease} x where x.scope = e.scope
                               order by x.kind, x.id offset 0) x where x.expires_at <= g.expired)
             order by e.scope
            """);

    @Override
    public Removed pass(Cutoff cutoff) {
        Given.value("cutoff", cutoff);
        int workflows = 0;
        int keys = 0;
        int leases = 0;
        for (Scope each : scopes(cutoff)) {
            workflows += remove(
                    FinishedWorkflows.due(transactions, PASS, each, cutoff.finished()),
                    Position.OF_TIMES,
                    cutoff.limit() - workflows);
            keys += remove(
                    ExpiredKeys.due(transactions, PASS, each, cutoff.expired()),
                    Position.OF_TIMES,
                    cutoff.limit() - keys);
            leases += remove(
                    SpentLeases.due(transactions, PASS, each, cutoff.expired()),
                    Position.OF_NAMES,
                    cutoff.limit() - leases);
        }
        return new Removed(workflows, keys, leases);
    }

    private List<Scope> scopes(Cutoff cutoff) {
        return scope.map(List::of)
                .orElseGet(() -> transactions
                        .single(
                                "cleanup.scopes",
                                Effect.READ,
                                s -> s.call(SCOPES)
                                        .set("finished", cutoff.finished().toMillis())
                                        .set("expired", cutoff.expired().toMillis())
                                        .rows())
                        .stream()
                        .map(row -> new Scope(row.scope()))
                        .toList());
    }

    private int remove(Due due, Position start, int limit) {
        return limit == 0 ? 0 : Referred.oneBatch(transactions, due, start, limit);
    }

    @Override
    public RetentionReport plan(RetentionPolicy policy) {
        return RetentionRun.counting(transactions, Given.value("policy", policy))
                .over(scope);
    }

    @Override
    public RetentionReport run(RetentionPolicy policy, RetentionPace pace, Consumer<Removed> progress) {
        Given.value("policy", policy);
        Given.value("pace", pace);
        Given.value("progress", progress);
        return RetentionRun.removing(transactions, policy, pace, progress).over(scope);
    }
}
