package io.holdfast.cli;

import io.holdfast.Scope;
import io.holdfast.codec.Identifier;
import io.holdfast.journal.EffectId;
import io.holdfast.journal.Resolution;
import io.holdfast.journal.Resolution.Finding;
import io.holdfast.journal.Resolved;
import io.holdfast.journal.RunClaim;
import io.holdfast.lease.Lease;
import io.holdfast.lease.LeaseKey;
import io.holdfast.migrations.Components;
import io.holdfast.repository.Holdfast;
import io.holdfast.repository.Stores;
import java.time.Duration;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "resolve",
        description = {
            "Says what became of an effect that nobody knew about, once somebody has found out.",
            "",
            "Takes the run's lease for as long as that takes, which nobody else may hold, and gives it back. The journal tells of"
                    + " it: an event effect_resolved with who and why, written by the statement that resolves. Whoever takes the"
                    + " run over then goes on from there: confirmed: as if it had succeeded. not_applied: it may be tried again."
                    + " failed: it did not work, and is not tried again. Once it is resolved nobody can resolve it otherwise."
        },
        footer = {
            "",
            "Examples:",
            "  holdfast effect resolve order-1001 2d25a3... not_applied --reason 'no such charge at the bank'",
            "  holdfast effect resolve order-1001 2d25a3... confirmed --result '\"receipt 4711\"' --reason 'bank statement' --yes",
        })
final class EffectResolve extends DatabaseCommand {

    private static final Duration TTL = Duration.ofSeconds(30);

    /** What somebody found out. */
    enum Found {
        CONFIRMED(Finding.CONFIRMED),
        NOT_APPLIED(Finding.NOT_APPLIED),
        FAILED(Finding.FAILED);

        private final Finding finding;

        Found(Finding finding) {
            this.finding = finding;
        }

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Parameters(index = "0", paramLabel = "RUN", description = "The run's id.")
    private String run = "";

    @Parameters(
            index = "1",
            paramLabel = "EFFECT",
            description = "The effect's id, 64 hex digits, as effect list has it.")
    private String effect = "";

    @Parameters(index = "2", paramLabel = "FINDING", description = "One of ${COMPLETION-CANDIDATES}.")
    private Found finding = Found.NOT_APPLIED;

    @Option(names = "--result", paramLabel = "JSON", description = "What it came to, for the run to go on with.")
    private @Nullable String result;

    @Mixin
    private final ScopeOption scope = new ScopeOption();

    @Mixin
    private final Confirmation confirmation = new Confirmation();

    EffectResolve(Host host) {
        super(host);
    }

    @Override
    int run(Database database, Answer answer) {
        Scope whose = scope.orUnscoped();
        Identifier.text("RUN", run, 1, LeaseKey.MAX_ID_BYTES);
        EffectId id = new EffectId(effect);
        String by = confirmation.by(host());
        Resolution resolution = resolution(by);
        EffectFound seen = database.read("effect resolve", session -> {
            requireTables(session, Components.own());
            return EffectFound.find(session, whose, run, effect).orElseThrow(this::notFound);
        });
        if (!seen.state().equals("indeterminate")) {
            throw refused(seen.state().toUpperCase(Locale.ROOT));
        }
        confirmation.ask(
                host(),
                "This says that the effect of step " + Cell.safe(seen.step()) + " of run " + Cell.safe(run) + " "
                        + ScopeOption.of(whose) + ",",
                "sent under key " + Cell.safe(seen.idempotencyKey()) + ", is " + finding + ".",
                "Nobody can take that back. The run goes on from there.");
        try (Reused connections = database.reused();
                Holdfast holdfast = Holdfast.open(connections, database.settings())) {
            resolved(holdfast.in(whose), seen, id, resolution);
        }
        answer.value("resolved", true)
                .value("scope", whose.id())
                .value("run", run)
                .value("effect", effect)
                .value("finding", finding.toString())
                .value("done_by", by)
                .line("resolved: " + finding)
                .line("the run's journal tells that " + Cell.safe(by) + " found out, and why");
        return ExitStatus.OK;
    }

    private Resolution resolution(String by) {
        Resolution resolution = Resolution.of(finding.finding, by).withReason(confirmation.reason());
        return result == null ? resolution : resolution.withResult(result);
    }

    private void resolved(Stores stores, EffectFound seen, EffectId id, Resolution resolution) {
        // An owner of its own for each attempt: whoever repeats this must not meet its own lease.
        String owner = "effect-resolve-" + UUID.randomUUID();
        RunClaim claim = stores.runLeases().claim(run, owner, TTL, seen.definitionDigest());
        if (!(claim instanceof RunClaim.Granted granted)) {
            throw refused(
                    claim instanceof RunClaim.Busy
                            ? "LEASE_HELD"
                            : claim instanceof RunClaim.Finished ? "ENDED" : "NOT_FOUND");
        }
        Lease lease = granted.lease();
        Resolved answer;
        try {
            answer = stores.journal().resolveEffect(lease.fence(), run, id, resolution);
        } finally {
            stores.leases().release(lease.key(), lease.fence()); // of a paused run it was given back with the finding
        }
        if (!(answer instanceof Resolved.Done)) {
            throw refused(
                    answer instanceof Resolved.AlreadyResolved
                            ? "RESOLVED"
                            : answer instanceof Resolved.Finished
                                    ? "ENDED"
                                    : answer instanceof Resolved.NotIndeterminate ? "PENDING" : "LEASE_LOST");
        }
    }

    private Refusal notFound() {
        return Refusal.notAsAsked(
                "NOT_FOUND",
                "no such effect of run " + Cell.safe(run) + " " + ScopeOption.of(scope.orUnscoped())
                        + "; --scope names another");
    }

    private static Refusal refused(String verdict) {
        return Refusal.notAsAsked(
                verdict,
                "nothing was done: "
                        + switch (verdict) {
                            case "PENDING" ->
                                "it is pending: whoever takes the run over decides what to do; see that a worker is running";
                            case "CONFIRMED" -> "it is confirmed: it is known to have happened";
                            case "RESOLVED" -> "somebody has resolved it before";
                            case "LEASE_HELD" ->
                                "somebody holds the run's lease and is at work on it; holdfast lease show run names the holder";
                            case "ENDED" -> "the run has ended, so that its journal is closed";
                            case "LEASE_LOST" -> "the lease was lost meanwhile; try again";
                            default -> "the run is gone";
                        });
    }
}
