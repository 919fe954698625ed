package io.holdfast.cli;

import io.holdfast.Scope;
import io.holdfast.migrations.SchemaCheck;
import java.sql.SQLException;

/** What was done by hand to something, the latest first. */
final class OperatorActions {

    private static final String OF_TARGET = """
            select a.done_at, a.done_by, a.action, a.reason from {schema}.operator_action a
             where a.scope = ? and a.action = ? and a.target = ? order by a.done_at desc, a.id limit 10
            """;

    private OperatorActions() {}

    static Table of(Session session, Scope scope, String action, String target) throws SQLException {
        Table table = new Table("done_at", "done_by", "action", "reason");
        if (SchemaCheck.status(session.connection(), session.schema(), OperationsComponent.COMPONENT)
                .works()) {
            session.list(
                            OF_TARGET,
                            row -> new Object[] {
                                Session.time(row, "done_at"),
                                row.getString("done_by"),
                                row.getString("action"),
                                row.getString("reason")
                            },
                            scope.id(),
                            action,
                            target)
                    .forEach(table::add);
        }
        return table;
    }

    static void print(Answer answer, Table actions) {
        if (actions.isEmpty()) {
            answer.value("operator_actions", actions.json());
            return;
        }
        answer.line("").line(Style.HEADING, "Done by hand:").table("operator_actions", actions, "");
    }
}
