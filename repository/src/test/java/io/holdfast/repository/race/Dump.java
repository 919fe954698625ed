package io.holdfast.repository.race;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/** All that the tables hold of a scope, as text; also which transaction wrote a row, so that no rewriting goes unseen. */
final class Dump {

    private static final String ALL = """
            select string_agg(d.line, e'\\n' order by d.line) from (
              select 'workflow ' || w.xmin || ' ' || w as line from holdfast.workflow w where w.scope = ?
              union all
              select 'idempotency_key ' || i.xmin || ' ' || i from holdfast.idempotency_key i where i.scope = ?
              union all
              select 'lease ' || x.xmin || ' ' || x from holdfast.lease x where x.scope = ?
              union all
              select 'lease_floor ' || f.xmin || ' ' || f from holdfast.lease_floor f where f.scope = ?
              union all
              select 'run ' || r.xmin || ' ' || r from holdfast.run r where r.scope = ?
              union all
              select 'run_event ' || e.xmin || ' ' || e from holdfast.run_event e where e.scope = ?
              union all
              select 'workspace_session ' || s.xmin || ' ' || s from holdfast.workspace_session s where s.scope = ?
              union all
              select 'agent_checkpoint ' || g.xmin || ' ' || g from holdfast.agent_checkpoint g where g.scope = ?
              union all
              select 'approval ' || a.xmin || ' ' || a from holdfast.approval a where a.scope = ?
              union all
              select 'execution ' || e.xmin || ' ' || e from holdfast.execution e where e.scope = ?
              union all
              select 'execution_step ' || s.xmin || ' ' || s from holdfast.execution_step s where s.scope = ?
              union all
              select 'execution_effect ' || f.xmin || ' ' || f from holdfast.execution_effect f where f.scope = ?
              union all
              select 'execution_event ' || v.xmin || ' ' || v from holdfast.execution_event v where v.scope = ?
              union all
              select 'checkpoint ' || c.xmin || ' ' || c from holdfast.checkpoint c where c.scope = ?
              union all
              select 'checkpoint_entry ' || h.xmin || ' ' || h from holdfast.checkpoint_entry h where h.scope = ?) d
            """;

    private static final long TABLES = ALL.chars().filter(c -> c == '?').count();

    private Dump() {}

    static String of(Connection connection, String scope) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(ALL)) {
            for (int table = 1; table <= TABLES; table++) {
                statement.setString(table, scope);
            }
            try (ResultSet rows = statement.executeQuery()) {
                rows.next();
                return String.valueOf(rows.getString(1));
            }
        }
    }
}
