package io.holdfast.cli;

import io.holdfast.Scope;
import io.holdfast.lease.LeaseKey;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A lease row and how it stands by the database's clock: held, expired (held by nobody else since), or free. */
record LeaseFound(
        String scope,
        String kind,
        String id,
        String state,
        @Nullable String owner,
        long token,
        long ttlMs,
        Instant grantedAt,
        Instant expiresAt,
        @Nullable Long secondsLeft) {

    static final Page.Columns<LeaseFound> COLUMNS = new Page.Columns<>() {
        @Override
        public String[] names() {
            return new String[] {
                "scope", "kind", "id", "state", "owner", "token", "seconds_left", "granted_at", "expires_at"
            };
        }

        @Override
        public @Nullable Object[] cells(LeaseFound x) {
            return new @Nullable Object[] {
                x.scope, x.kind, x.id, x.state, x.owner, x.token, x.secondsLeft, x.grantedAt, x.expiresAt
            };
        }

        @Override
        public List<String> place(LeaseFound x) {
            return List.of(x.scope, x.kind, x.id);
        }
    };

    private static final String LIST = """
            select x.scope, x.kind, x.id, x.state, x.owner, x.token, x.ttl_ms, x.granted_at, x.expires_at, x.seconds_left
              from (select l.scope, l.kind, l.id, l.owner, l.token, l.ttl_ms, l.granted_at, l.expires_at,
                           case when l.owner is null then 'free' when l.expires_at > m.at then 'held' else 'expired' end as state,
                           case when l.owner is not null and l.expires_at > m.at
                                then cast(ceil(extract(epoch from l.expires_at - m.at)) as bigint) end as seconds_left
                      from {schema}.lease l, (select clock_timestamp() as at) m) x
             where (cast(? as text) is null or x.scope = ?) and (cast(? as text) is null or x.kind = ?)
               and (cast(? as text) is null or x.state = ?) and (x.scope, x.kind, x.id) > (?, ?, ?)
             order by x.scope, x.kind, x.id limit ?
            """;

    static List<LeaseFound> list(
            Session session,
            @Nullable String scope,
            @Nullable String kind,
            @Nullable String state,
            List<String> after,
            int limit)
            throws SQLException {
        return session.list(
                LIST,
                LeaseFound::of,
                scope,
                scope,
                kind,
                kind,
                state,
                state,
                after.get(0),
                after.get(1),
                after.get(2),
                limit);
    }

    private static final String FIND = """
            select l.scope, l.kind, l.id, l.owner, l.token, l.ttl_ms, l.granted_at, l.expires_at,
                   case when l.owner is null then 'free' when l.expires_at > m.at then 'held' else 'expired' end as state,
                   case when l.owner is not null and l.expires_at > m.at
                        then cast(ceil(extract(epoch from l.expires_at - m.at)) as bigint) end as seconds_left
              from {schema}.lease l, (select clock_timestamp() as at) m
             where l.scope = ? and l.kind = ? and l.id = ?
            """;

    static Optional<LeaseFound> find(Session session, Scope scope, LeaseKey key) throws SQLException {
        return session.first(FIND, LeaseFound::of, scope.id(), key.kind(), key.id());
    }

    private static LeaseFound of(ResultSet row) throws SQLException {
        return new LeaseFound(
                row.getString("scope"),
                row.getString("kind"),
                row.getString("id"),
                row.getString("state"),
                row.getString("owner"),
                row.getLong("token"),
                row.getLong("ttl_ms"),
                Session.time(row, "granted_at"),
                Session.time(row, "expires_at"),
                row.getObject("seconds_left", Long.class));
    }

    Map<String, @Nullable Object> facts() {
        Map<String, @Nullable Object> facts = new LinkedHashMap<>();
        facts.put("scope", scope);
        facts.put("kind", kind);
        facts.put("id", id);
        facts.put("state", state);
        facts.put("owner", owner);
        facts.put("token", token);
        facts.put("ttl_ms", ttlMs);
        facts.put("seconds_left", secondsLeft);
        facts.put("granted_at", grantedAt);
        facts.put("expires_at", expiresAt);
        return facts;
    }
}
