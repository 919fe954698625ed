package io.holdfast.cli;

import io.holdfast.cleanup.Cleanup;
import io.holdfast.cleanup.Kind;
import io.holdfast.cleanup.Removed;
import io.holdfast.cleanup.RetentionPace;
import io.holdfast.cleanup.RetentionPolicy;
import io.holdfast.cleanup.RetentionReport;
import io.holdfast.cleanup.RetentionRule;
import io.holdfast.migrations.Component;
import io.holdfast.repository.Holdfast;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "cleanup",
        description = {
            "Removes workflows and runs that ended long ago with what belongs to them, approvals that were settled long ago, and"
                    + " keys and leases whose time was over long ago.",
            "",
            "Goes through everything once, batch by batch, each a short transaction that waits for nobody's lock, with rests"
                    + " between them, so it may run beside anything and be broken off at any time: what is removed is removed,"
                    + " and running it again goes on. Never touches a running workflow, one whose lease is held, a live lease,"
                    + " or the key of work that is under way. Before a lease row goes, the scope's token floor is raised, so"
                    + " that tokens keep growing.",
            "",
            "Of a run nothing goes while anything of it or of its family (a, a/b, a/b/c) is unfinished in any store, while one"
                    + " of its effects is of unknown outcome, an approval of it is not settled, or its lease is held. Runs with"
                    + " statuses of the application's own, and sessions, go only when they are named; of sessions an empty"
                    + " transcript stays."
        },
        footer = {
            "",
            "Examples:",
            "  holdfast cleanup --dry-run",
            "  holdfast cleanup --runs done=30d --runs cancelled=7d --sessions 90d --entries 10",
            "  holdfast cleanup --finished 90d --expired 7d --scope acme",
            "  holdfast cleanup --finished 30d --keep failed=180d --keep closed=ever",
            "  holdfast cleanup --rest 0 --batch 1000 --within 6h   # fast, where nobody is at work",
        })
final class CleanupCommand extends DatabaseCommand {

    @Option(
            names = "--finished",
            paramLabel = "AGE",
            defaultValue = "30d",
            converter = Age.class,
            description =
                    "Workflows, and runs in the journal, the checkpoints and the agents' checkpoints, that ended so long ago;"
                            + " ${DEFAULT-VALUE} unless told otherwise. As 30d, 12h, 90m, 5s.")
    private Duration finished = Duration.ZERO;

    @Option(
            names = "--keep",
            paramLabel = "STATUS=AGE",
            description =
                    "Those that ended so for so long instead, or for `ever`; once for each status: succeeded, failed or closed of"
                            + " workflows; completed, failed or rejected of runs; finished or purged of agents.")
    private Map<String, String> keep = new LinkedHashMap<>();

    @Option(
            names = "--newest",
            paramLabel = "ROWS",
            description =
                    "No more than so many of each status in a scope, those created last, however young; 0 to 1000000."
                            + " As many as there are unless told otherwise.")
    private @Nullable Integer newest;

    @Option(
            names = "--approvals",
            paramLabel = "AGE",
            defaultValue = "90d",
            description =
                    "Approvals that were rejected, consumed or withdrawn so long ago, or `ever`; ${DEFAULT-VALUE} unless"
                            + " told otherwise. One that has only expired is not settled.")
    private String approvals = "";

    @Option(
            names = "--runs",
            paramLabel = "STATUS=AGE",
            description =
                    "Runs of the store of runs that were last written so long ago in this status; once for each status that"
                            + " is one of an end, which is the application's to know: any but running. None unless told.")
    private Map<String, String> runs = new LinkedHashMap<>();

    @Option(
            names = "--sessions",
            paramLabel = "AGE",
            converter = Age.class,
            description = "Empties transcripts that were last saved so long ago. None unless told.")
    private @Nullable Duration sessions;

    @Option(
            names = "--entries",
            paramLabel = "ROWS",
            description =
                    "Leaves so many entries, the last ones, in the history of a run that has ended; 1 to 1000000. All unless"
                            + " told.")
    private @Nullable Integer entries;

    @Option(
            names = "--expired",
            paramLabel = "AGE",
            defaultValue = "7d",
            converter = Age.class,
            description = "Keys and leases whose time was over so long ago; ${DEFAULT-VALUE} unless told otherwise.")
    private Duration expired = Duration.ZERO;

    @Option(
            names = "--batch",
            paramLabel = "ROWS",
            description =
                    "The most rows of a transaction, 1 to 10000; 100 unless told otherwise. Fewer while the database is"
                            + " slow.")
    private int batch = RetentionPace.DEFAULT.batch();

    @Option(
            names = "--rest",
            paramLabel = "TIMES",
            description = "Times as long as a batch took nothing is done after it, 0 to 100; 4 unless told otherwise.")
    private int rest = RetentionPace.DEFAULT.rest();

    @Option(
            names = "--within",
            paramLabel = "AGE",
            converter = Age.class,
            description =
                    "From when on no batch is begun, at most 7d; 1h unless told otherwise. Exit status 1 if that was not"
                            + " enough.")
    private Duration within = RetentionPace.DEFAULT.atMost();

    @Option(names = "--dry-run", description = "Only count what would be removed, in read-only transactions.")
    private boolean dryRun;

    @Mixin
    private final ScopeOption scope = new ScopeOption();

    CleanupCommand(Host host) {
        super(host);
    }

    @Override
    int run(Database database, Answer answer) {
        RetentionPolicy policy = RetentionPolicy.of(rule());
        RetentionPace pace =
                RetentionPace.DEFAULT.withBatch(batch).withRest(rest).withAtMost(within);
        database.read("cleanup", session -> {
            requireTables(session, Component.core());
            return true;
        });
        try (Reused connections = database.reused();
                Holdfast holdfast = Holdfast.open(connections, database.settings())) {
            Cleanup cleanup = scope.orAll() == null
                    ? holdfast.cleanup()
                    : holdfast.in(scope.orUnscoped()).cleanup();
            RetentionReport report = dryRun ? plan(cleanup, policy) : remove(cleanup, policy, pace);
            return told(report, answer);
        }
    }

    private RetentionRule rule() {
        return CleanupRule.of(finished, keep, newest)
                .with(approvals, runs)
                .with(sessions, entries)
                .rule()
                .withExpired(expired);
    }

    private RetentionReport plan(Cleanup cleanup, RetentionPolicy policy) {
        try (Progress progress = Progress.of(host(), "counting")) {
            return cleanup.plan(policy);
        }
    }

    private RetentionReport remove(Cleanup cleanup, RetentionPolicy policy, RetentionPace pace) {
        try (Progress progress = Progress.of(host(), "removing")) {
            return cleanup.run(policy, pace, removed -> {
                progress.now(sum(removed));
                host().connections().ending(sum(removed) + "; running it again goes on");
            });
        }
    }

    private int told(RetentionReport report, Answer answer) {
        Removed total = report.total();
        answer.value("dry_run", dryRun);
        answer.value("complete", report.complete());
        List<Kind> kinds = json() ? List.of(Kind.values()) : some(total);
        Table table = new Table(Stream.concat(Stream.of("scope"), kinds.stream().map(Kind::text))
                .toArray(String[]::new));
        report.scopes()
                .forEach((each, removed) -> table.add(
                        Stream.concat(Stream.of(each.id()), kinds.stream().map(removed::count))
                                .toArray()));
        answer.table("scopes", table, "nothing to remove");
        kinds.forEach(kind -> answer.value(kind.text(), total.count(kind)));
        if (total.total() > 0) {
            answer.line("").line(dryRun ? "nothing was removed: this was a dry run" : sum(total));
        }
        if (!report.complete()) {
            answer.line("not all was gone through within the time: running it again goes on");
        }
        return report.complete() ? ExitStatus.OK : ExitStatus.NOT_AS_ASKED;
    }

    private static String sum(Removed removed) {
        return "removed: "
                + some(removed).stream()
                        .map(kind -> kind.text() + " " + removed.count(kind))
                        .collect(Collectors.joining(", "));
    }

    /** Those that there always were, and of the others what there is. */
    private static List<Kind> some(Removed removed) {
        return Stream.of(Kind.values())
                .filter(kind -> kind.compareTo(Kind.LEASES) <= 0 || removed.count(kind) > 0)
                .toList();
    }
}
