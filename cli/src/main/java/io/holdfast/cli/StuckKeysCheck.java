package io.holdfast.cli;

import java.sql.SQLException;
import java.util.List;

/** Keys that say their work is under way, and nobody is at it. */
record StuckKeysCheck() implements Check {

    private static final String STUCK = """
            select count(*) as n, min(k.expires_at) as since, (array_agg(k.key order by k.expires_at))[1] as oldest
              from {schema}.idempotency_key k
             where k.status = 'reserved' and k.expires_at < clock_timestamp() - interval '1 hour'
               and not exists (select from {schema}.lease x
                                where x.scope = k.scope and x.kind = 'workflow' and x.id = k.workflow_id
                                  and x.owner is not null and x.expires_at > clock_timestamp())
            having count(*) > 0
            """;

    @Override
    public String name() {
        return "stuck-keys";
    }

    @Override
    public boolean needsTables() {
        return true;
    }

    @Override
    public List<Finding> look(Session session, Examination examination) throws SQLException {
        return session.list(
                STUCK,
                row -> trouble(
                        "keys that are still reserved, expired over an hour ago, and without anybody at work: "
                                + row.getLong("n") + ", the oldest " + Cell.safe(row.getString("oldest")) + " since "
                                + Cell.text(Session.time(row, "since")),
                        "somebody died between asking and finishing; whether its effect outside happened is not known here",
                        "ask again with the same key, which reserves it anew, or let holdfast cleanup remove it;"
                                + " holdfast key list --state reserved --expired names them"));
    }
}
