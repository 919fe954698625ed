package io.holdfast.cli;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What the statement of a deed answers.
 *
 * @param verdict {@value #DONE}, or why nothing was done
 * @param action its row in table {@code operator_action}, if it was done
 */
record Deed(String verdict, Instant at, @Nullable String action) {

    private static final String DONE = "DONE";

    static Deed of(ResultSet row) throws SQLException {
        return new Deed(row.getString("verdict"), Session.time(row, "at"), row.getString("id"));
    }

    boolean done() {
        return verdict.equals(DONE);
    }

    /** Tells that it was done: in a line of its own, and where that is noted. */
    void tell(Answer answer, String by, String line) {
        answer.value("done_at", at)
                .value("done_by", by)
                .value("operator_action", action)
                .line(line)
                .line("noted as done by " + Cell.safe(by) + " at " + Cell.text(at));
    }
}
