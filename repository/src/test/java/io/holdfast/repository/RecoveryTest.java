package io.holdfast.repository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.HoldfastException;
import io.holdfast.Scope;
import io.holdfast.approval.ApprovalRequest;
import io.holdfast.approval.Decision;
import io.holdfast.approval.Expiry;
import io.holdfast.failure.OutcomeUnknownException;
import io.holdfast.journal.JournalCommit;
import io.holdfast.journal.NewRun;
import io.holdfast.journal.Opened;
import io.holdfast.journal.RecoverablePage;
import io.holdfast.journal.RecoverableRun;
import io.holdfast.journal.RunClaim;
import io.holdfast.journal.RunKind;
import io.holdfast.journal.RunLeases;
import io.holdfast.journal.RunStatus;
import io.holdfast.testing.ServerProxy;
import io.holdfast.testing.TestDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Runs whose process has died are taken over while the database goes away. None stays behind, and none is taken twice. */
class RecoveryTest {

    private static final Scope SCOPE = Scope.of("recovery");
    private static final int RUNS = 50;
    private static final int PAGE = 20;
    private static final String DEFINITION = "definition-1";
    private static final Duration TTL = Duration.ofMinutes(10);

    /** Claims that fail until the database takes connections again. */
    private static final int AWAY = 3;

    private final Heard heard = new Heard();
    private TestDatabase database;
    private ServerProxy proxy;
    private Holdfast holdfast;
    private Stores stores;

    @BeforeEach
    void fiftyRunsWhoseProcessHasDied() {
        database = TestDatabase.migrated("recovery");
        proxy = ServerProxy.to(database);
        holdfast = Holdfast.open(settings()).observed(heard);
        stores = holdfast.in(SCOPE);
        for (int i = 1; i <= RUNS; i++) {
            stores.journal().open(NewRun.of(run(i), RunKind.WORKFLOW, DEFINITION, "{}"), "dead", TTL);
        }
        letLeasesRunOut();
        heard.forget();
    }

    @AfterEach
    void close() {
        holdfast.close();
        proxy.close();
        database.close();
    }

    private Settings settings() {
        return Settings.of(proxy.url(), database.user(), database.password()).withPoolSize(2);
    }

    private static String run(int i) {
        return String.format(Locale.ROOT, "run-%02d", i);
    }

    private void letLeasesRunOut() {
        database.execute("update holdfast.lease set granted_at = granted_at - interval '1 day',"
                + " expires_at = clock_timestamp() - interval '1 second'");
    }

    /** What an engine does now and then: whatever is left behind, a page after the other. */
    private final class Sweep {
        final List<String> claimed = new ArrayList<>();
        final List<String> failed = new ArrayList<>();
        private final RunLeases leases;
        private final Runnable whenItStaysAway;

        Sweep() {
            this(stores.runLeases(), () -> {});
        }

        Sweep(RunLeases leases, Runnable whenItStaysAway) {
            this.leases = leases;
            this.whenItStaysAway = whenItStaysAway;
        }

        Sweep made() {
            Optional<String> after = Optional.of("");
            while (after.isPresent()) {
                RecoverablePage page = leases.recoverable(after.get(), PAGE);
                page.runs().forEach(this::claim);
                after = page.next();
            }
            return this;
        }

        private void claim(RecoverableRun run) {
            try {
                assertThat(leases.claim(run.id(), "live", TTL, DEFINITION)).isInstanceOf(RunClaim.Granted.class);
                claimed.add(run.id());
            } catch (HoldfastException e) { // the next sweep finds it again
                failed.add(run.id());
                if (failed.size() == AWAY) {
                    whenItStaysAway.run();
                }
            }
        }
    }

    @Test
    void aDatabaseThatGoesAwayInTheMiddleOfARecoveryLeavesNoRunBehind() throws Exception {
        // Without a pool: that goes on trying, so that a matter of time would be how many claims fail.
        try (Holdfast unpooled = Holdfast.open(proxy.dataSource()).observed(heard)) {
            RunLeases leases = unpooled.in(SCOPE).runLeases();
            Sweep first = new Sweep(leases, () -> connections(true));
            try (RowLock lock = RowLock.by(database, "select from holdfast.lease where id = 'run-10' for update")) {
                Background<Sweep> sweep = Background.run(first::made);
                Background.awaitBlocked(lock.connection());
                connections(false);
                // Whoever held the lock must outlive who waits for it, or the claim may be granted first.
                lock.killWhoWaits();
                sweep.get();
            }
            assertThat(first.failed).hasSize(AWAY).startsWith("run-10");

            Sweep second = new Sweep(leases, () -> {}).made();

            assertThat(second.claimed).isEqualTo(first.failed);
            assertThat(first.claimed.size() + second.claimed.size()).isEqualTo(RUNS);
            assertThat(leases.recoverable("", PAGE).runs()).isEmpty();
        }
        assertThat(database.value("select count(*) from holdfast.lease where owner = 'live' and token = 2"))
                .isEqualTo(Integer.toString(RUNS));
        assertThat(heard.ended.stream().filter(line -> line.startsWith("journal.claim ")))
                .as("each claim is told of, also those that failed")
                .hasSize(RUNS + AWAY);
        assertThat(heard.ended.stream().filter(line -> line.equals("journal.claim granted")))
                .hasSize(RUNS);
    }

    /** Nobody else may connect, until he may. */
    private void connections(boolean allowed) {
        TestDatabase.get().execute("alter database \"" + database.name() + "\" allow_connections " + allowed);
    }

    @Test
    void aClaimWhoseAnswerWasLostIsFoundAgainWhenItsLeaseHasRunOut() {
        Sweep first = new Sweep();
        ServerProxy.Strike strike = proxy.cutAfter("'mismatch'");
        first.made();
        assertThat(strike.happened()).isTrue();
        assertThat(first.failed).containsExactly("run-01");

        assertThat(new Sweep().made().claimed)
                .as("it was granted, and is not anybody's to take")
                .isEmpty();
        letLeasesRunOut();
        Sweep third = new Sweep().made();
        assertThat(third.claimed).hasSize(RUNS).startsWith("run-01");
        assertThat(database.value("select count(*) from holdfast.lease where owner = 'live' and token = 3"))
                .isEqualTo(Integer.toString(RUNS));
    }

    @Test
    void aClaimWhoseAnswerWasLostIsMendedByItsRepetition() {
        proxy.cutAfter("'mismatch'");
        assertThatThrownBy(() -> stores.runLeases().claim("run-01", "live", TTL, DEFINITION))
                .isInstanceOf(OutcomeUnknownException.class);
        assertThat(stores.runLeases().claim("run-01", "other", TTL, DEFINITION)).isInstanceOf(RunClaim.Busy.class);
        assertThat(stores.runLeases().claim("run-01", "live", TTL, DEFINITION)).isInstanceOf(RunClaim.Granted.class);
        assertThat(database.value("select token from holdfast.lease where id = 'run-01'"))
                .isEqualTo("3");
    }

    /** A rejected approval is on no list of what is to be done; the run that was claimed with it is. */
    @Test
    void aRunThatWasClaimedWithADecisionIsFoundWhenWhoeverDecidedHasDied() {
        ApprovalRequest request = ApprovalRequest.of("ap", "waiting", "the call", Expiry.DEFAULT);
        NewRun waiting = NewRun.of("waiting", RunKind.AGENT, DEFINITION, "{}");
        Opened.Done opened = (Opened.Done) stores.journal().open(waiting, "worker", TTL);
        stores.approvals().register(request);
        JournalCommit pause =
                JournalCommit.to(opened.head()).status(RunStatus.PAUSED).build();
        stores.journal().commit(opened.lease().fence(), pause);
        String before = run(RUNS); // the others come first
        assertThat(stores.runLeases().recoverable(before, PAGE).runs())
                .as("it waits")
                .isEmpty();

        holdfast.atomically(bound -> {
            Stores both = bound.in(stores.scope());
            both.runLeases().claim("waiting", "person", TTL, DEFINITION);
            return both.approvals().decide("ap", Decision.reject(request.digest(), "ann", ""));
        });
        assertThat(stores.runLeases().recoverable(before, PAGE).runs())
                .as("somebody has it")
                .isEmpty();
        letLeasesRunOut();
        assertThat(stores.runLeases().recoverable(before, PAGE).runs())
                .singleElement()
                .isInstanceOfSatisfying(RecoverableRun.Claimable.class, left -> {
                    assertThat(left.id()).isEqualTo("waiting");
                    assertThat(left.status()).isEqualTo(RunStatus.PAUSED);
                    assertThat(left.lastOwner()).contains("person");
                });
    }

    // BL-07
    @Test
    void aRunThatIsJustBeingOpenedIsNobodysToRecover() throws Exception {
        String before = run(RUNS);
        AtomicBoolean opening = new AtomicBoolean(true);
        Background<Integer> openings = Background.run(() -> {
            try {
                for (int i = RUNS + 1; i <= RUNS + 300; i++) {
                    NewRun next = NewRun.of("run-9" + i, RunKind.WORKFLOW, DEFINITION, "{}");
                    assertThat(stores.journal().open(next, "live", TTL)).isInstanceOf(Opened.Done.class);
                }
                return 300;
            } finally {
                opening.set(false);
            }
        });
        int sweeps = 0;
        do {
            assertThat(stores.runLeases().recoverable(before, PAGE).runs()).isEmpty();
            sweeps++;
        } while (opening.get());
        assertThat(openings.get()).isEqualTo(300);
        assertThat(sweeps).isPositive();
    }
}
