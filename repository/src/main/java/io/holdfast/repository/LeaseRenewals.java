package io.holdfast.repository;

import static java.util.Objects.requireNonNull;

import io.holdfast.failure.InvalidValueException;
import io.holdfast.lease.Renewal;
import io.holdfast.repository.Transactions.Effect;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Renews many leases at once, of one scope or, for the keeper of a process, of all that it holds. */
final class LeaseRenewals {

    private static final int MAX = 10_000;

    /** So many by a statement: it keeps its locks until it ends, and this many take some 20 to 30 milliseconds. */
    static final int AT_ONCE = 1_000;

    private LeaseRenewals() {}

    private record RenewalRow(
            long place,
            String verdict,
            @Nullable String owner,
            @Nullable Long token,
            @Nullable Long ttlMs,
            @Nullable Instant grantedAt,
            @Nullable Instant expiresAt,
            @Nullable Long remainingMicros) {

        LeaseRow lease() {
            return new LeaseRow(verdict, owner, token, ttlMs, grantedAt, expiresAt, remainingMicros);
        }
    }

    private static final Statement<RenewalRow> RENEW_ALL = Statement.returning(RenewalRow.class, """
            with asked as materialized (
              select * from unnest(cast(:scopes as text[]), cast(:kinds as text[]), cast(:ids as text[]),
                                   cast(:owners as text[]), cast(:tokens as bigint[]))
                       with ordinality as a (scope, kind, id, owner, token, place)),
            held as materialized (   -- in the order of keys, as everywhere; a locked row is left out, not waited for
              select a.place, a.owner as wanted_owner, a.token as wanted_token,
                     x.scope, x.kind, x.id, x.owner, x.token, x.ttl_ms, x.granted_at, x.expires_at from asked a
                join {lease} x on x.scope = a.scope and x.kind = a.kind and x.id = a.id
               order by x.scope, x.kind, x.id for no key update of x skip locked),
            moment as materialized (select clock_timestamp() as at from (select count(*) from held) first),
            judged as materialized (
              select h.*, greatest(h.expires_at, m.at + h.ttl_ms * interval '1 millisecond') as until, case
                when h.owner is null then 'LOST_NONE'
                when h.owner <> h.wanted_owner or h.token <> h.wanted_token then 'LOST_SUPERSEDED'
                when h.expires_at <= m.at then 'LOST_EXPIRED'
                else 'RENEWED' end as verdict
                from held h, moment m),
            renewed as (
              update {lease} x set expires_at = j.until
                from judged j
               where j.verdict = 'RENEWED' and x.scope = j.scope and x.kind = j.kind and x.id = j.id)
            select j.place, j.verdict, j.owner, j.token, j.ttl_ms, j.granted_at, j.until as expires_at,
                   cast(extract(epoch from j.until - clock_timestamp()) * 1000000 as bigint) as remaining_micros
              from judged j
            union all   -- not joined: by a plan that is made for ten, ten thousand with ten thousand outlast every timeout
            select a.place,
                   case when exists (select from {lease} x where x.scope = a.scope and x.kind = a.kind and x.id = a.id)
                        then 'DEFERRED' else 'LOST_NONE' end,
                   null, null, null, null, null, null
              from asked a where a.place not in (select h.place from held h)   -- is looked up in a hash table
             order by place
            """);

    static Map<LeaseHolding, Renewal> renew(Transactions transactions, List<LeaseHolding> holdings) {
        if (holdings.size() > MAX) {
            throw new InvalidValueException("held", "be at most " + MAX + " leases");
        }
        Map<LeaseHolding, Renewal> answers = new LinkedHashMap<>();
        for (int from = 0; from < holdings.size(); from += AT_ONCE) {
            answers.putAll(atOnce(transactions, holdings.subList(from, Math.min(holdings.size(), from + AT_ONCE))));
        }
        return answers;
    }

    private static Map<LeaseHolding, Renewal> atOnce(Transactions transactions, List<LeaseHolding> holdings) {
        List<RenewalRow> rows = transactions.single(
                "lease.renewAll",
                Effect.WRITE,
                s -> s.call(RENEW_ALL)
                        .set("scopes", array(holdings, h -> h.scope().id()))
                        .set("kinds", array(holdings, h -> h.key().kind()))
                        .set("ids", array(holdings, h -> h.key().id()))
                        .set("owners", array(holdings, h -> h.fence().owner()))
                        .set(
                                "tokens",
                                array(holdings, h -> Long.toString(h.fence().token())))
                        .rows());
        Map<LeaseHolding, Renewal> answers = new LinkedHashMap<>();
        for (RenewalRow row : rows) {
            LeaseHolding holding = requireNonNull(holdings.get((int) row.place() - 1));
            answers.put(holding, JpaLeases.renewal(row.lease(), holding.key()));
        }
        return answers;
    }

    private static String array(List<LeaseHolding> holdings, Function<LeaseHolding, String> part) {
        return TextArray.of(holdings.stream().map(part).toList());
    }
}
