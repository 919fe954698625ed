package io.holdfast.repository;

import io.holdfast.Scope;
import io.holdfast.codec.Given;
import io.holdfast.codec.Identifier;
import io.holdfast.failure.InvalidValueException;
import io.holdfast.lease.Acquisition;
import io.holdfast.lease.Fence;
import io.holdfast.lease.Lease;
import io.holdfast.lease.LeaseKey;
import io.holdfast.lease.Leases;
import io.holdfast.lease.Renewal;
import io.holdfast.lease.TokensExhaustedException;
import io.holdfast.repository.Statements.Call;
import io.holdfast.repository.Transactions.Effect;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Leases in table {@code lease}. Lock by key alone, judge once on the clock after the lock, write what the verdict allows. */
final class JpaLeases implements Leases {

    private static final System.Logger LOG = System.getLogger(Holdfast.class.getName());

    private final Transactions transactions;
    private final Scope scope;

    JpaLeases(Transactions transactions, Scope scope) {
        this.transactions = transactions;
        this.scope = scope;
    }

    private static final Statement<LeaseRow> ACQUIRE = Statement.returning(LeaseRow.class, """
            with {patience},
            seen as materialized (   -- look before queueing: who finds it busy takes no lock and waits for nobody
              select x.owner, x.expires_at from {lease} x where x.scope = :scope and x.kind = :kind and x.id = :id),
            held as materialized (   -- for update: waits for fenced writers, whose token must not change under them
              select x.owner, x.token, x.expires_at from {lease} x, (select count(*) from patience) first
               where x.scope = :scope and x.kind = :kind and x.id = :id
                 and not exists (select from seen where owner <> :owner and expires_at > clock_timestamp())
                 for update of x),
            floor as materialized (   -- only for a new row; share: a purge that raises it waits for us, or we for it
              select f.floor from {lease_floor} f, (select count(*) from patience) first
               where f.scope = :scope and not exists (select from seen) for share of f),
            moment as materialized (   -- after the locks: now() would be the start of the transaction
              select clock_timestamp() as at from (select count(*) from held) first, (select count(*) from floor) second),
            fresh as (
              insert into {lease} as x (scope, kind, id, owner, token, ttl_ms, granted_at, expires_at)
              select :scope, :kind, :id, :owner, f.floor + 1, :ttl, m.at, m.at + :ttl * interval '1 millisecond'
                from floor f, moment m
              on conflict (scope, kind, id) do nothing
              returning x.token, x.granted_at, x.expires_at),
            taken as (
              update {lease} x set owner = :owner, token = h.token + 1, ttl_ms = :ttl,
                     granted_at = m.at, expires_at = m.at + :ttl * interval '1 millisecond'
                from held h, moment m
               where x.scope = :scope and x.kind = :kind and x.id = :id
                 and (h.owner is null or h.owner = :owner or h.expires_at <= m.at) and h.token < 9223372036854775807
              returning x.token, x.granted_at, x.expires_at),
            granted as (select * from fresh union all select * from taken)
            select case when g.expires_at > clock_timestamp() + :ttl * interval '0.9 milliseconds'
                             then case when h.owner <> :owner then 'TAKEN_OVER' else 'GRANTED' end
                        when g.token is not null then 'AGAIN'   -- the insert waited for a rival: part of its time is gone
                        when h.token = 9223372036854775807
                             and (h.owner is null or h.owner = :owner or h.expires_at <= m.at) then 'EXHAUSTED'
                        when coalesce(h.expires_at, s.expires_at) > clock_timestamp() then 'BUSY'
                        when s.expires_at is null and f.floor is null then 'NO_FLOOR'
                        else 'AGAIN' end as verdict,
                   cast(:owner as text) as owner, g.token, cast(:ttl as bigint) as ttl_ms, g.granted_at, g.expires_at,
                   cast(extract(epoch from coalesce(g.expires_at, h.expires_at, s.expires_at) - clock_timestamp()) * 1000000
                        as bigint) as remaining_micros
              from moment m left join granted g on true left join held h on true left join seen s on true
                   left join floor f on true
            """);

    @Override
    public Acquisition acquire(LeaseKey key, String owner, Duration ttl) {
        Given.value("key", key);
        Identifier.ident("owner", owner);
        if (Given.value("ttl", ttl).compareTo(Lease.MIN_TTL) < 0 || ttl.compareTo(Lease.MAX_TTL) > 0) {
            throw new InvalidValueException("ttl", "be 1 second to 1 day");
        }
        return Again.until("lease.acquire", () -> {
            LeaseRow row = transactions.single(
                    "lease.acquire",
                    Effect.WRITE,
                    s -> on(s.call(ACQUIRE), key)
                            .set("owner", owner)
                            .set("ttl", ttl.toMillis())
                            .row());
            return switch (row.verdict()) {
                case "GRANTED" -> Optional.of(new Acquisition.Granted(row.lease(key)));
                case "TAKEN_OVER" -> Optional.of(new Acquisition.Granted(takenOver(row.lease(key))));
                case "BUSY" -> Optional.of(new Acquisition.Busy(row.remaining()));
                case "EXHAUSTED" -> throw new TokensExhaustedException(key);
                case "NO_FLOOR" -> layFloor("lease.acquire");
                default -> Optional.empty();
            };
        });
    }

    /** Somebody let it expire, and may not know: for whoever asks what happened. */
    private Lease takenOver(Lease lease) {
        LOG.log(
                System.Logger.Level.INFO,
                "Lease {0} {1} of scope \"{2}\" had expired and was taken over by {3} with token {4}",
                lease.key().kind(),
                lease.key().id(),
                scope.id(),
                lease.fence().owner(),
                Long.toString(lease.fence().token()));
        return lease;
    }

    private record Floor(long floor) {}

    private static final Statement<Floor> LAY_FLOOR = Statement.returning(Floor.class, """
            insert into {lease_floor} as f (scope) values (:scope) on conflict (scope) do nothing returning f.floor
            """);

    /** Made before the scope's first lease, so that whoever finds neither knows that there never was one. */
    <T> Optional<T> layFloor(String operation) {
        transactions.single(
                operation,
                Effect.WRITE,
                s -> s.call(LAY_FLOOR).set("scope", scope.id()).first());
        return Optional.empty();
    }

    private static final Statement<LeaseRow> RENEW = Statement.returning(LeaseRow.class, """
            with {patience},
            held as materialized (   -- no time in this where: a row that was merely locked is not judged again after the wait
              select x.owner, x.token, x.expires_at from {lease} x, (select count(*) from patience) first
               where x.scope = :scope and x.kind = :kind and x.id = :id for no key update of x),
            moment as materialized (select clock_timestamp() as at from (select count(*) from held) first),
            renewed as (
              update {lease} x set expires_at = greatest(x.expires_at, m.at + x.ttl_ms * interval '1 millisecond')
                from held h, moment m
               where x.scope = :scope and x.kind = :kind and x.id = :id
                 and h.owner = :owner and h.token = :token and h.expires_at > m.at
              returning x.owner, x.token, x.ttl_ms, x.granted_at, x.expires_at)
            select case when r.token is not null then 'RENEWED'
                        when h.owner is null then 'LOST_NONE'
                        when h.owner <> :owner or h.token <> :token then 'LOST_SUPERSEDED'
                        else 'LOST_EXPIRED' end as verdict,
                   r.owner, r.token, r.ttl_ms, r.granted_at, r.expires_at,
                   cast(extract(epoch from r.expires_at - clock_timestamp()) * 1000000 as bigint) as remaining_micros
              from moment m left join held h on true left join renewed r on true
            """);

    @Override
    public Renewal renew(LeaseKey key, Fence fence) {
        Given.value("key", key);
        Given.value("fence", fence);
        LeaseRow row = transactions.single(
                "lease.renew",
                Effect.WRITE,
                s -> under(on(s.call(RENEW), key), fence).row());
        return renewal(row, key);
    }

    static Renewal renewal(LeaseRow row, LeaseKey key) {
        return switch (row.verdict()) {
            case "RENEWED" -> new Renewal.Renewed(row.lease(key));
            case "DEFERRED" -> new Renewal.Deferred();
            default -> new Renewal.Lost(LeaseRow.loss(row.verdict()));
        };
    }

    @Override
    public Map<LeaseKey, Renewal> renewAll(Map<LeaseKey, Fence> held) {
        Map<LeaseHolding, Renewal> answers = LeaseRenewals.renew(
                transactions,
                Given.value("held", held).entrySet().stream()
                        .map(e -> new LeaseHolding(
                                scope, Given.value("held", e.getKey()), Given.value("held", e.getValue())))
                        .toList());
        Map<LeaseKey, Renewal> byKey = new LinkedHashMap<>();
        answers.forEach((holding, renewal) -> byKey.put(holding.key(), renewal));
        return byKey;
    }

    private record Released(boolean released) {}

    // The fence alone decides, so there is nothing to judge after a wait: a changed row is looked at anew by the
    // update.
    private static final Statement<Released> RELEASE = Statement.returning(Released.class, """
            with {patience},
            released as (
              update {lease} x set owner = null, expires_at = least(x.expires_at, clock_timestamp())
                from (select count(*) from patience) first
               where x.scope = :scope and x.kind = :kind and x.id = :id and x.owner = :owner and x.token = :token
              returning x.token)
            select exists (select from released) as released
            """);

    @Override
    public boolean release(LeaseKey key, Fence fence) {
        Given.value("key", key);
        Given.value("fence", fence);
        return transactions.single(
                "lease.release",
                Effect.WRITE,
                s -> under(on(s.call(RELEASE), key), fence).row().released());
    }

    private static final Statement<LeaseRow> FIND = Statement.returning(LeaseRow.class, """
            select 'FOUND' as verdict, x.owner, x.token, x.ttl_ms, x.granted_at, x.expires_at,
                   cast(extract(epoch from x.expires_at - clock_timestamp()) * 1000000 as bigint) as remaining_micros
              from {lease} x
             where x.scope = :scope and x.kind = :kind and x.id = :id and x.owner is not null
            """);

    @Override
    public Optional<Lease> find(LeaseKey key) {
        Given.value("key", key);
        return transactions
                .single("lease.find", Effect.READ, s -> on(s.call(FIND), key).first())
                .map(row -> row.lease(key));
    }

    private <T extends Record> Call<T> on(Call<T> call, LeaseKey key) {
        return call.set("scope", scope.id()).set("kind", key.kind()).set("id", key.id());
    }

    private static <T extends Record> Call<T> under(Call<T> call, Fence fence) {
        return call.set("owner", fence.owner()).set("token", fence.token());
    }
}
