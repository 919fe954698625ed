package io.holdfast.cli;

import java.sql.SQLException;
import java.util.List;

/** Commits that a crash can take back. */
record DurabilityCheck() implements Check {

    private static final String OFF = """
            select s.name from (values ('fsync'), ('full_page_writes'), ('synchronous_commit')) s (name)
             where current_setting(s.name) = 'off'
            """;

    @Override
    public String name() {
        return "durability";
    }

    @Override
    public List<Finding> look(Session session, Examination examination) throws SQLException {
        return session.list(OFF, row -> found(row.getString("name")));
    }

    private Finding found(String setting) {
        String mend = "switch " + setting + " on and reload the server's configuration";
        return switch (setting) {
            case "synchronous_commit" ->
                notice(
                        "synchronous_commit is off",
                        "a crash of the server takes back the commits of its last moments: tokens that were granted, steps"
                                + " that were finished",
                        mend);
            default ->
                trouble(
                        setting + " is off",
                        "a crash of the machine can destroy the database, not only lose its last commits",
                        mend);
        };
    }
}
