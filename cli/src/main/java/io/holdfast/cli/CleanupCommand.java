package io.holdfast.cli;

import io.holdfast.Scope;
import io.holdfast.cleanup.Cleanup;
import io.holdfast.cleanup.Cutoff;
import io.holdfast.cleanup.Removed;
import io.holdfast.migrations.Component;
import io.holdfast.repository.Holdfast;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "cleanup",
        description = {
            "Removes workflows that ended long ago, and keys and leases whose time was over long ago.",
            "",
            "Goes batch by batch, each a short transaction that waits for nobody's lock, so it may run beside anything and be"
                    + " broken off at any time. Never touches a running workflow, a live lease, or the key of work that is"
                    + " under way. Before a lease row goes, the scope's token floor is raised, so that tokens keep growing."
        },
        footer = {
            "",
            "Examples:",
            "  holdfast cleanup --dry-run",
            "  holdfast cleanup --finished 90d --expired 7d --scope acme",
        })
final class CleanupCommand extends DatabaseCommand {

    @Option(
            names = "--finished",
            paramLabel = "AGE",
            defaultValue = "30d",
            converter = Age.class,
            description =
                    "Workflows that ended so long ago; ${DEFAULT-VALUE} unless told otherwise. As 30d, 12h, 90m, 5s.")
    private Duration finished = Duration.ZERO;

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
            defaultValue = "1000",
            description = "Rows of a kind in a transaction, 1 to 10000; ${DEFAULT-VALUE} unless told otherwise.")
    private int batch;

    @Option(names = "--dry-run", description = "Only count what would be removed, in a read-only transaction.")
    private boolean dryRun;

    @Mixin
    private final ScopeOption scope = new ScopeOption();

    CleanupCommand(Host host) {
        super(host);
    }

    // What is locked, or changes meanwhile, is judged when it is removed: this is an estimate.
    private static final String COUNT = """
            with given as materialized (
              select clock_timestamp() - ? * interval '1 second' as finished, clock_timestamp() - ? * interval '1 second' as expired,
                     cast(? as text) collate "C" as scope),
            w as (
              select w.scope, count(*) as n from {schema}.workflow w, given g
               where w.finished_at <= g.finished and (g.scope is null or w.scope = g.scope) group by w.scope),
            k as (
              select k.scope, count(*) as n from {schema}.idempotency_key k, given g
               where k.expires_at <= g.expired and (g.scope is null or k.scope = g.scope)
                 and (k.status = 'completed' or not exists (
                   select from {schema}.lease x where x.scope = k.scope and x.kind = 'workflow' and x.id = k.workflow_id
                      and x.owner is not null and x.expires_at > clock_timestamp() and x.granted_at < k.expires_at))
               group by k.scope),
            x as (
              select x.scope, count(*) as n from {schema}.lease x, given g
               where x.expires_at <= g.expired and (g.scope is null or x.scope = g.scope) group by x.scope)
            select scope, coalesce(w.n, 0) as workflows, coalesce(k.n, 0) as keys, coalesce(x.n, 0) as leases
              from w full join k using (scope) full join x using (scope) order by scope
            """;

    private record Due(String scope, long workflows, long keys, long leases) {}

    @Override
    int run(Database database, Answer answer) {
        Cutoff cutoff = new Cutoff(finished, expired, batch);
        return dryRun ? count(database, answer) : remove(database, answer, cutoff);
    }

    private int count(Database database, Answer answer) {
        String whose = scope.orAll();
        List<Due> due;
        try (Progress progress = Progress.of(host(), "counting")) {
            due = database.read("cleanup", Database.LONG, session -> {
                requireTables(session, Component.core());
                return session.list(
                        COUNT,
                        row -> new Due(
                                row.getString("scope"),
                                row.getLong("workflows"),
                                row.getLong("keys"),
                                row.getLong("leases")),
                        finished.toSeconds(),
                        expired.toSeconds(),
                        whose);
            });
        }
        Table table = new Table("scope", "workflows", "keys", "leases");
        due.forEach(each -> table.add(each.scope(), each.workflows(), each.keys(), each.leases()));
        answer.value("dry_run", true)
                .table("scopes", table, "nothing to remove")
                .value("workflows", due.stream().mapToLong(Due::workflows).sum())
                .value("keys", due.stream().mapToLong(Due::keys).sum())
                .value("leases", due.stream().mapToLong(Due::leases).sum());
        if (!due.isEmpty()) {
            answer.line("").line("nothing was removed: this was a dry run");
        }
        return ExitStatus.OK;
    }

    private int remove(Database database, Answer answer, Cutoff cutoff) {
        database.read("cleanup", session -> {
            requireTables(session, Component.core());
            return true;
        });
        long workflows = 0;
        long keys = 0;
        long leases = 0;
        try (Progress progress = Progress.of(host(), "removing");
                Holdfast holdfast = Holdfast.open(database.dataSource(), database.settings())) {
            Cleanup cleanup = scope.orAll() == null
                    ? holdfast.cleanup()
                    : holdfast.in(new Scope(String.valueOf(scope.orAll()))).cleanup();
            Removed removed;
            do {
                removed = cleanup.pass(cutoff);
                workflows += removed.workflows();
                keys += removed.keys();
                leases += removed.leases();
                progress.now("removed: workflows " + workflows + ", keys " + keys + ", leases " + leases);
            } while (removed.total() > 0);
        }
        answer.value("dry_run", false)
                .value("workflows", workflows)
                .value("keys", keys)
                .value("leases", leases)
                .line("removed: workflows " + workflows + ", keys " + keys + ", leases " + leases);
        return ExitStatus.OK;
    }
}
