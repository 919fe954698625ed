package io.holdfast.bench;

import io.holdfast.Scope;
import io.holdfast.testing.TestDatabase;
import java.time.Duration;
import javax.sql.DataSource;
import org.jobrunr.configuration.JobRunr;
import org.jobrunr.jobs.lambdas.JobLambda;
import org.jobrunr.scheduling.JobScheduler;
import org.jobrunr.server.BackgroundJobServerConfiguration;
import org.jobrunr.storage.StorageProvider;
import org.jobrunr.storage.sql.common.SqlStorageProviderFactory;

/** JobRunr's fire-and-forget jobs. */
final class JobRunrJobs extends Jobs {

    static final String SETTINGS = "polling each 5 s, which is its shortest, and whenever workers are idle";

    private final TestDatabase database;
    private final StorageProvider storage;

    JobRunrJobs(DataSource source, TestDatabase database, int number) {
        super("jobrunr", number);
        this.database = database;
        this.storage = SqlStorageProviderFactory.using(source);
    }

    /** What is queued; it is called by its name. */
    public static final class Noop {

        private Noop() {}

        public static void run() {
            done();
        }
    }

    @Override
    Calls.Ready enqueuing(Scope scope, int threads) {
        database.execute("truncate jobrunr_jobs");
        JobScheduler scheduler =
                JobRunr.configure().useStorageProvider(storage).initialize().getJobScheduler();
        JobLambda job = Noop::run;
        return new Calls.Ready() {
            @Override
            public Operation.Call calls(int thread) {
                return number -> scheduler.enqueue(job);
            }

            @Override
            public long effects(long[] done) {
                return Long.parseLong(database.value("select count(*) from jobrunr_jobs"));
            }
        };
    }

    @Override
    AutoCloseable workers(Scope scope, int threads) {
        JobRunr.configure()
                .useStorageProvider(storage)
                .useBackgroundJobServer(BackgroundJobServerConfiguration.usingStandardBackgroundJobServerConfiguration()
                        .andWorkerCount(threads)
                        .andPollInterval(Duration.ofSeconds(5)))
                .initialize();
        return () -> JobRunr.getBackgroundJobServer().stop();
    }
}
