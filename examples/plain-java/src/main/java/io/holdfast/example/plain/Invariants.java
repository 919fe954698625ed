package io.holdfast.example.plain;

import io.holdfast.failure.SqlStates;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;

/**
 * What must hold when all is done, each as a query for what contradicts it. They look at the tables, not at what the workers
 * said.
 */
final class Invariants {

    private static final String FINISHED_ONCE = """
            select o.request || ': ' || coalesce(w.status, 'no workflow') || ', ended ' || coalesce(e.ends, 0) || ' times'
              from holdfast_demo.orders o
              left join holdfast.workflow w on w.scope = o.scope and w.id = o.request
              left join lateral (
                select count(*) as ends from jsonb_array_elements(cast(w.snapshot as jsonb) #> '{state,events}') event
                 where event ->> 'to_status' in ('succeeded', 'failed', 'closed')) e on true
             where o.scope = ? and (w.status is distinct from 'succeeded' or e.ends <> 1)
            """;

    private static final String CHARGED_ONCE = """
            select o.request || ': ' || count(c.key) || ' charges of ' || coalesce(sum(c.amount), 0) || ' for ' || o.amount
              from holdfast_demo.orders o
              left join holdfast_demo.charge c on c.scope = o.scope and c.request = o.request
             where o.scope = ?
             group by o.request, o.amount
            having count(c.key) <> 1 or sum(c.amount) <> o.amount
            """;

    private static final String TOKENS_RISE = """
            select g.workflow || ': token ' || g.token || ' after ' || g.former
              from (select workflow, token, lag(token) over (partition by workflow order by granted_at) as former
                      from holdfast_demo.lease_grant where scope = ?) g
             where g.token <= g.former
            """;

    private static final String HISTORIES = """
            select w.id || ': ' || (event ->> 'event_id') || ' is number ' || number || ', from ' || (event ->> 'from_status')
                   || ' after ' || former
              from (select w.id, event, number,
                           lag(event ->> 'to_status', 1, 'created') over (partition by w.id order by number) as former,
                           lag(cast(event #>> '{metadata,fence}' as bigint), 1, 0::bigint) over (partition by w.id order by number)
                             as former_token
                      from holdfast.workflow w,
                           jsonb_array_elements(cast(w.snapshot as jsonb) #> '{state,events}') with ordinality as e (event, number)
                     where w.scope = ?) w
             where event ->> 'event_id' <> 'e' || number
                or event ->> 'from_status' <> former
                or cast(event #>> '{metadata,fence}' as bigint) < former_token
            """;

    private static final String NO_KEY_RESERVED = """
            select k.key || ': ' || k.status from holdfast.idempotency_key k where k.scope = ? and k.status <> 'completed'
            """;

    private static final String NO_LEASE_HELD = """
            select l.id || ': held by ' || l.owner from holdfast.lease l where l.scope = ? and l.owner is not null
            """;

    private static final Map<String, String> ALL = new LinkedHashMap<>();

    static {
        ALL.put("every order is finished, once", FINISHED_ONCE);
        ALL.put("every order is charged, once, its amount", CHARGED_ONCE);
        ALL.put("each lease's tokens only rise, grant by grant", TOKENS_RISE);
        ALL.put("event histories have no gap, no repeat, no write by an older token", HISTORIES);
        ALL.put("no idempotency key is left reserved", NO_KEY_RESERVED);
        ALL.put("no lease is left held", NO_LEASE_HELD);
    }

    /**
     * @param promise what must hold
     * @param breaches what contradicts it; none: it holds
     */
    record Verdict(String promise, List<String> breaches) {

        boolean holds() {
            return breaches.isEmpty();
        }
    }

    private Invariants() {}

    static List<Verdict> check(DataSource dataSource, String scope) {
        try (Connection connection = dataSource.getConnection()) {
            return check(connection, scope);
        } catch (SQLException e) {
            throw SqlStates.classify("check the invariants", e);
        }
    }

    static List<Verdict> check(Connection connection, String scope) throws SQLException {
        List<Verdict> verdicts = new ArrayList<>();
        for (var invariant : ALL.entrySet()) {
            verdicts.add(new Verdict(invariant.getKey(), breaches(connection, invariant.getValue(), scope)));
        }
        return verdicts;
    }

    private static List<String> breaches(Connection connection, String query, String scope) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(query)) {
            statement.setString(1, scope);
            List<String> breaches = new ArrayList<>();
            try (var rows = statement.executeQuery()) {
                while (rows.next()) {
                    breaches.add(rows.getString(1));
                }
            }
            return breaches;
        }
    }
}
