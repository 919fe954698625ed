package io.holdfast.cli;

import java.sql.SQLException;
import java.util.List;

/** Transactions begin at another isolation than READ COMMITTED. */
record IsolationCheck() implements Check {

    @Override
    public String name() {
        return "isolation";
    }

    @Override
    public List<Finding> look(Session session, Examination examination) throws SQLException {
        String isolation = session.list(
                        "select current_setting('default_transaction_isolation')", row -> row.getString(1))
                .get(0);
        if (isolation.equals("read committed")) {
            return List.of();
        }
        return List.of(trouble(
                "transactions begin at " + isolation,
                "in a transaction of the application's, whoever loses a race is not told by a value but has lost the whole"
                        + " transaction, and has to repeat it",
                "make default_transaction_isolation 'read committed' for the server, the database or the role, whichever has"
                        + " it otherwise"));
    }
}
