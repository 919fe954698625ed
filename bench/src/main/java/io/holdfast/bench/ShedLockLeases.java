package io.holdfast.bench;

import io.holdfast.Scope;
import io.holdfast.testing.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.provider.jdbctemplate.JdbcTemplateLockProvider;
import org.springframework.jdbc.core.JdbcTemplate;

/** ShedLock's locks, by the database's time: no token, so nothing can be fenced by them. */
final class ShedLockLeases {

    static final String SETTINGS = "JdbcTemplate, the database's time";

    private static final Duration MOST = Duration.ofMinutes(1);
    private static final int HELD = Operation.HELD;

    private final TestDatabase database;
    private final JdbcTemplateLockProvider provider;

    ShedLockLeases(DataSource source, TestDatabase database) {
        this.database = database;
        database.execute("""
                create table shedlock (
                    name varchar(64) primary key, lock_until timestamp not null, locked_at timestamp not null,
                    locked_by varchar(255) not null)
                """);
        provider = new JdbcTemplateLockProvider(JdbcTemplateLockProvider.Configuration.builder()
                .withJdbcTemplate(new JdbcTemplate(source))
                .usingDbTime()
                .build());
    }

    private Optional<SimpleLock> lock(String name) {
        return provider.lock(new LockConfiguration(Instant.now(), name, MOST, Duration.ZERO));
    }

    private SimpleLock locked(String name) {
        return lock(name).orElseThrow();
    }

    /** Rows of former turns stay: it remembers which ones there are. */
    private static String name(Scope scope, int thread, int number) {
        return scope.id() + "-" + Rows.id(thread, number);
    }

    private SimpleLock[] locked(Scope scope, int thread, int number) {
        return IntStream.range(0, number)
                .mapToObj(i -> locked(name(scope, thread, i)))
                .toArray(SimpleLock[]::new);
    }

    /** For every thread; they are taken side by side. */
    private SimpleLock[][] locked(int threads, int each, Scope scope) {
        return IntStream.range(0, threads)
                .parallel()
                .mapToObj(thread -> locked(scope, thread, each))
                .toArray(SimpleLock[][]::new);
    }

    private long count(Scope scope, String condition) {
        return Long.parseLong(database.value(
                "select count(*) from shedlock where name like '" + scope.id() + "-%' and " + condition));
    }

    Match.Side acquire() {
        return Calls.of("shedlock", (scope, threads) -> {
            return new Calls.Ready() {
                @Override
                public Operation.Call calls(int thread) {
                    return number -> locked(name(scope, thread, number));
                }

                @Override
                public long effects(long[] done) {
                    return count(scope, "lock_until > timezone('utc', current_timestamp)");
                }
            };
        });
    }

    Match.Side renew() {
        return Calls.of("shedlock", (scope, threads) -> {
            SimpleLock[][] held = locked(threads, HELD, scope);
            return thread -> number -> {
                SimpleLock lock = held[thread][number % HELD];
                held[thread][number % HELD] = lock.extend(MOST, Duration.ZERO).orElseThrow();
            };
        });
    }

    Match.Side release(int each) {
        return new Calls(
                "shedlock",
                (scope, threads) -> {
                    SimpleLock[][] held = locked(threads, each, scope);
                    return new Calls.Ready() {
                        @Override
                        public Operation.Call calls(int thread) {
                            return number -> held[thread][number].unlock();
                        }

                        @Override
                        public long effects(long[] done) {
                            return count(scope, "lock_until <= timezone('utc', current_timestamp)");
                        }
                    };
                },
                each);
    }

    Match.Side cycle() {
        return Calls.of("shedlock", (scope, threads) -> {
            return thread ->
                    number -> locked(name(scope, thread, number % HELD)).unlock();
        });
    }

    /** All after one, asking again as {@link LeaseOperations.Contended} does. */
    Match.Side contended() {
        return Calls.of("shedlock", (scope, threads) -> {
            return thread -> number -> granted(scope).unlock();
        });
    }

    private SimpleLock granted(Scope scope) {
        for (long wait = LeaseOperations.Contended.SHORTEST_NANOS;
                ;
                wait = Math.min(2 * wait, LeaseOperations.Contended.LONGEST_NANOS)) {
            Optional<SimpleLock> lock = lock(scope.id() + "-the-one");
            if (lock.isPresent()) {
                return lock.get();
            }
            LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(wait));
        }
    }
}
