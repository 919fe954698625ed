package io.holdfast.cli;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Transactions that are open for long, and prepared ones that nobody finished. */
record LongTransactionsCheck(Duration tolerated) implements Check {

    private static final String OPEN = """
            select a.pid, a.state, a.usename, cast(extract(epoch from clock_timestamp() - a.xact_start) as bigint) as seconds
              from pg_stat_activity a
             where a.datname = current_database() and a.backend_type = 'client backend'
               and a.xact_start < clock_timestamp() - ? * interval '1 millisecond' and a.application_name <> 'holdfast-cli'
             order by a.xact_start limit 10
            """;

    private static final String PREPARED = """
            select count(*) as n from pg_prepared_xacts p
             where p.database = current_database() and p.prepared < clock_timestamp() - ? * interval '1 millisecond'
            """;

    /** Of other roles' sessions a role without pg_read_all_stats sees only that they are there. */
    private static final String UNSEEN = """
            select count(*) as n from pg_stat_activity a
             where a.datname = current_database() and a.usesysid is not null and a.backend_type is null
            """;

    @Override
    public String name() {
        return "long-transactions";
    }

    @Override
    public List<Finding> look(Session session, Examination examination) throws SQLException {
        List<Finding> findings = new ArrayList<>(session.list(
                OPEN,
                row -> found("process " + row.getLong("pid") + " of role " + Cell.safe(row.getString("usename")) + ", "
                        + row.getString("state") + ", has a transaction open for " + row.getLong("seconds") + " s"),
                tolerated.toMillis()));
        long prepared = session.list(PREPARED, row -> row.getLong("n"), tolerated.toMillis())
                .get(0);
        if (prepared > 0) {
            findings.add(found("prepared transactions that nobody has finished: " + prepared));
        }
        long unseen = session.list(UNSEEN, row -> row.getLong("n")).get(0);
        if (unseen > 0) {
            findings.add(notice(
                    "sessions of other roles that could not be looked at: " + unseen,
                    "a transaction that is open for long would not be found",
                    "grant pg_read_all_stats to this role"));
        }
        return findings;
    }

    private Finding found(String what) {
        return trouble(
                what,
                "its locks make leases and workflows wait, and vacuum removes no dead row that is younger than it",
                "find out what it is doing; end it, and have the server end its like with"
                        + " idle_in_transaction_session_timeout or transaction_timeout; a prepared one has to be rolled back by its name");
    }
}
