package io.holdfast.bench;

import dev.dbos.transact.DBOS;
import dev.dbos.transact.config.DBOSConfig;
import dev.dbos.transact.workflow.Workflow;
import io.holdfast.testing.TestDatabase;
import javax.sql.DataSource;

/** DBOS Transact: a workflow with one step, which is the least of it that survives a crash; it has no lease and no fence. */
final class DbosSteps {

    static final String SETTINGS = "listening to no queue";

    private DbosSteps() {}

    /** What it makes a proxy of. */
    public interface Flow {

        String go(String input);
    }

    /** A step that gives back a state, of the size that the others store. */
    public static final class OneStep implements Flow {

        private final DBOS dbos;

        OneStep(DBOS dbos) {
            this.dbos = dbos;
        }

        @Override
        @Workflow(name = "one-step")
        public String go(String input) {
            return dbos.runStep(() -> input, "step");
        }
    }

    static Match.Side of(DataSource source, TestDatabase database) {
        return Calls.of("dbos", (scope, threads) -> {
            DBOS dbos = new DBOS(DBOSConfig.defaults("bench")
                    .withDataSource(source)
                    .withAppVersion("bench")
                    .withExecutorId("bench")
                    .withListenQueues("none"));
            Flow flow = dbos.registerProxy(Flow.class, new OneStep(dbos));
            dbos.launch();
            String state = io.holdfast.state.Snapshots.write(States.first("w"));
            return new Calls.Ready() {
                @Override
                public Operation.Call calls(int thread) {
                    return number -> flow.go(state);
                }

                @Override
                public void close() {
                    dbos.shutdown();
                }
            };
        });
    }
}
