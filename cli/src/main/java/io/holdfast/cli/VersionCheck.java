package io.holdfast.cli;

import java.sql.SQLException;
import java.util.List;

/** A server that is too old. */
record VersionCheck(int oldest) implements Check {

    private static final String VERSION =
            "select current_setting('server_version_num')::int / 10000 as major, current_setting('server_version') as text";

    @Override
    public String name() {
        return "version";
    }

    @Override
    public List<Finding> look(Session session, Examination examination) throws SQLException {
        return session.list(
                        VERSION,
                        row -> row.getInt("major") >= oldest
                                ? List.<Finding>of()
                                : List.of(tooOld(row.getString("text"))))
                .get(0);
    }

    private Finding tooOld(String version) {
        return trouble(
                "the server is PostgreSQL " + version,
                "Holdfast is tested from PostgreSQL " + oldest + " on; what is older is not repaired any more",
                "upgrade the server");
    }
}
