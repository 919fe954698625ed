package io.holdfast.bench;

import dev.dbos.transact.DBOS;
import dev.dbos.transact.config.DBOSConfig;
import dev.dbos.transact.workflow.Workflow;
import io.holdfast.state.Snapshots;
import io.holdfast.testing.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/** DBOS Transact: a workflow of so many steps, each of which gives back a state as the others store it; no lease, no fence. */
final class DbosSteps {

    static final String SETTINGS = "listening to no queue";

    private DbosSteps() {}

    /** What it makes a proxy of. */
    public interface Flow {

        String go(String input);
    }

    /** Input and result are short. */
    public static final class Chain implements Flow {

        private final DBOS dbos;
        private final int steps;
        private final String state = Snapshots.write(States.first("w"));

        Chain(DBOS dbos, int steps) {
            this.dbos = dbos;
            this.steps = steps;
        }

        @Override
        @Workflow(name = "chain")
        public String go(String input) {
            for (int i = 0; i < steps; i++) {
                dbos.runStep(() -> state, "step");
            }
            return "done";
        }
    }

    static Match.Side of(int steps, DataSource source, TestDatabase database) {
        return Calls.of("dbos", (scope, threads) -> {
            DBOS dbos = new DBOS(DBOSConfig.defaults("bench")
                    .withDataSource(source)
                    .withAppVersion("bench")
                    .withExecutorId("bench")
                    .withListenQueues("none"));
            Flow flow = dbos.registerProxy(Flow.class, new Chain(dbos, steps));
            dbos.launch();
            long before = ended(database);
            return new Calls.Ready() {
                @Override
                public Operation.Call calls(int thread) {
                    return number -> flow.go("w");
                }

                @Override
                public long effects(long[] done) throws SQLException {
                    return ended(database) - before;
                }

                @Override
                public void close() {
                    dbos.shutdown();
                }
            };
        });
    }

    private static long ended(TestDatabase database) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                ResultSet rows =
                        statement.executeQuery("select count(*) from dbos.workflow_status where status = 'SUCCESS'")) {
            rows.next();
            return rows.getLong(1);
        }
    }
}
