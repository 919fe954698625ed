package io.holdfast.repository;

/**
 * What keeps anything of a run from being removed. A block spreads over the run's family, which is every run below the same
 * root: {@code a}, {@code a/b} and {@code a/b/c}; and to those that name it as their parent, or that it names.
 */
final class StillNeeded {

    private StillNeeded() {}

    /**
     * A condition on the run that {@code n.run} names. Each look is one into an index of what is not known to
     * have ended, so that a status of a newer release keeps a run; a value, not "not
     * exists", which might become a join that reads the whole scope for a few rows.
     */
    static final String NOT = """
            (select true from {run} b where b.scope = :scope and b.status = 'running'
                and b.id || '/' >= split_part(n.run, '/', 1) || '/' and b.id || '/' < split_part(n.run, '/', 1) || '0'
              limit 1) is null
            and (select true from {execution} b where b.scope = :scope and b.finished_at is null
                    and b.id || '/' >= split_part(n.run, '/', 1) || '/' and b.id || '/' < split_part(n.run, '/', 1) || '0'
                  limit 1) is null
            and (select true from {execution} b where b.scope = :scope and b.parent_id = n.run and b.finished_at is null
                  limit 1) is null
            and (select true from {execution} b   -- on its recovery the parent would begin this one anew
                   join {execution} p on p.scope = :scope and p.id = b.parent_id
                  where b.scope = :scope and b.id = n.run and p.finished_at is null) is null
            and (select true from {execution_effect} b   -- nobody knows what came of it
                  where b.scope = :scope and b.run_id = n.run and b.status not in ('confirmed', 'resolved') limit 1) is null
            and (select true from {checkpoint} b where b.scope = :scope and b.finished_at is null
                    and b.run_id || '/' >= split_part(n.run, '/', 1) || '/'
                    and b.run_id || '/' < split_part(n.run, '/', 1) || '0' limit 1) is null
            and (select true from {agent_checkpoint} b
                  where b.scope = :scope and b.status not in ('finished', 'purged')
                    and b.run_id || '/' >= split_part(n.run, '/', 1) || '/'
                    and b.run_id || '/' < split_part(n.run, '/', 1) || '0' limit 1) is null
            and (select true from {approval} b where b.scope = :scope and b.status not in ('rejected', 'consumed', 'withdrawn')
                    and b.run_id || '/' >= split_part(n.run, '/', 1) || '/'
                    and b.run_id || '/' < split_part(n.run, '/', 1) || '0' limit 1) is null
            and coalesce((   -- in use: whoever holds the lease may still be reading it
              select x.owner is null or x.expires_at <= clock_timestamp() from {lease} x
               where x.scope = :scope and x.kind = 'run' and x.id = n.run), true)""";

    /**
     * Of the rows {@code due}, with {@code id} and {@code run}, those whose lease nobody has: {@code free}. The leases are
     * relied on to be dead, so they are locked; whoever has one locked may be renewing it or taking it over.
     */
    static final String FREE = """
            leased as materialized (   -- whether a lease is there at all, locked or not
              select d.id from due d
               where (select true from {lease} x where x.scope = :scope and x.kind = 'run' and x.id = d.run)),
            guard as materialized (
              select d.id, g.owner, g.expires_at from due d cross join lateral (
                select x.owner, x.expires_at from {lease} x
                 where x.scope = :scope and x.kind = 'run' and x.id = d.run for no key update of x skip locked) g),
            moment as materialized (select clock_timestamp() as at from (select count(*) from guard) first),
            dead as materialized (
              select g.id from guard g cross join moment m where g.owner is null or g.expires_at <= m.at),
            free as materialized (   -- "is true" so that they are hashed, not gone through for each row
              select d.id from due d
               where d.id not in (select id from leased) or (d.id in (select id from dead)) is true),
            """;
}
