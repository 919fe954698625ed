package io.holdfast.bench;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.SchedulerClient;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import io.holdfast.Scope;
import io.holdfast.testing.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import javax.sql.DataSource;

/** db-scheduler's one-time tasks, fetched and locked in one statement, as it advises for many of them. */
final class DbSchedulerJobs extends Jobs {

    static final String SETTINGS = "lock-and-fetch 1.0 to 4.0, polling each 100 ms";

    private static final String[] TABLE = {
        """
        create table scheduled_tasks (
            task_name text not null, task_instance text not null, task_data bytea,
            execution_time timestamptz not null, picked boolean not null, picked_by text,
            last_success timestamptz, last_failure timestamptz, consecutive_failures int,
            last_heartbeat timestamptz, version bigint not null, priority smallint,
            primary key (task_name, task_instance))
        """,
        "create index execution_time_idx on scheduled_tasks (execution_time)",
        "create index last_heartbeat_idx on scheduled_tasks (last_heartbeat)",
        "create index priority_execution_time_idx on scheduled_tasks (priority desc, execution_time asc)"
    };

    private final DataSource source;
    private final TestDatabase database;
    private final OneTimeTask<Void> task = Tasks.oneTime("noop").execute((instance, context) -> done());

    DbSchedulerJobs(DataSource source, TestDatabase database, int number) {
        super("db-scheduler", number);
        this.source = source;
        this.database = database;
        database.execute(TABLE);
    }

    @Override
    Calls.Ready enqueuing(Scope scope, int threads) {
        database.execute("truncate scheduled_tasks");
        SchedulerClient client = SchedulerClient.Builder.create(source, task).build();
        return new Calls.Ready() {
            @Override
            public Operation.Call calls(int thread) {
                return number -> client.scheduleIfNotExists(task.instance(Rows.id(thread, number)), Instant.now());
            }

            @Override
            public long effects(long[] done) {
                return Long.parseLong(database.value("select count(*) from scheduled_tasks"));
            }
        };
    }

    @Override
    AutoCloseable workers(Scope scope, int threads) {
        Scheduler scheduler = Scheduler.create(source, task)
                .threads(threads)
                .pollUsingLockAndFetch(1.0, 4.0)
                .pollingInterval(Duration.ofMillis(100))
                .shutdownMaxWait(Duration.ofSeconds(5))
                .build();
        scheduler.start();
        return scheduler::stop;
    }
}
