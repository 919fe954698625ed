package io.holdfast.cli;

import io.holdfast.HoldfastException;
import io.holdfast.failure.StoreDeniedException;
import io.holdfast.migrations.Components;
import io.holdfast.migrations.Migrator;
import io.holdfast.migrations.SchemaStatus;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;

@Command(
        name = "doctor",
        description = {
            "Looks for what goes wrong in practice, and says why it matters and how to mend it. Changes nothing.",
            "",
            "Looks at: server version, tables, pooler, clocks, isolation, privileges, indexes, dead rows and age of the lease"
                    + " table, transactions that are open for long, abandoned leases, stuck keys, crashed runs, effects"
                    + " of unknown outcome, approvals whose effect is open, time zone, locale, durability. Run it as the role of the application, which is the one whose privileges matter.",
            "Exit status 1 is for trouble; a notice alone is 0."
        },
        footer = {
            "",
            "Examples:",
            "  holdfast doctor",
            "  holdfast doctor --json | jq '.findings[] | select(.level == \"trouble\") | .what'",
        })
final class DoctorCommand extends DatabaseCommand {

    private static final int WIDTH = 100;

    private static final List<Check> CHECKS = List.of(
            new VersionCheck(15),
            new SchemaVersionCheck(),
            new PoolerCheck(),
            new ClockCheck(),
            new IsolationCheck(),
            new PrivilegesCheck(),
            new IndexesCheck(),
            new DeadTuplesCheck(),
            new VacuumAgeCheck(),
            new LongTransactionsCheck(Duration.ofMinutes(5)),
            new AbandonedLeasesCheck(),
            new StuckKeysCheck(),
            new CrashedRunsCheck(),
            new UnknownOutcomesCheck(),
            new OpenApprovalsCheck(),
            new TimeZoneCheck(),
            new LocaleCheck(),
            new DurabilityCheck());

    private static final String FACTS = """
            select current_setting('server_version') as server_version, current_setting('server_encoding') as encoding,
                   d.datcollate as locale, current_setting('log_timezone') as log_time_zone, clock_timestamp() as time
              from pg_database d where d.datname = current_database()
            """;

    DoctorCommand(Host host) {
        super(host);
    }

    @Override
    int run(Database database, Answer answer) {
        Map<String, @Nullable Object> facts = database.read("doctor", session -> facts(session));
        Examination examination = examination(database);
        List<Finding> findings = findings(database, examination);
        long troubles = findings.stream()
                .filter(finding -> finding.level() == Finding.Level.TROUBLE)
                .count();
        print(answer, facts, findings);
        answer.value("healthy", troubles == 0)
                .value("checks", CHECKS.stream().map(Check::name).toList())
                .line(
                        findings.isEmpty() ? Style.GOOD : troubles == 0 ? Style.NOTICE : Style.BAD,
                        findings.isEmpty()
                                ? "all is well: " + CHECKS.size() + " checks"
                                : CHECKS.size() + " checks; trouble: " + troubles + ", notices: "
                                        + (findings.size() - troubles));
        return troubles == 0 ? ExitStatus.OK : ExitStatus.NOT_AS_ASKED;
    }

    private static Map<String, @Nullable Object> facts(Session session) throws SQLException {
        return session.list(FACTS, row -> {
                    Map<String, @Nullable Object> facts = new LinkedHashMap<>();
                    for (String name : new String[] {"server_version", "encoding", "locale", "log_time_zone"}) {
                        facts.put(name, row.getString(name));
                    }
                    facts.put("time", Session.time(row, "time"));
                    return facts;
                })
                .get(0);
    }

    private Examination examination(Database database) {
        Migrator migrator =
                Migrator.of(database.dataSource(), database.schema()).waitingAtMost(Duration.ofSeconds(5));
        Map<String, SchemaStatus> schemas;
        try {
            schemas = migrator.status(Components.installed());
        } catch (StoreDeniedException e) {
            schemas = Map.of(); // the check of privileges says why
        }
        return new Examination(host().clock(), migrator, schemas);
    }

    private List<Finding> findings(Database database, Examination examination) {
        List<Finding> findings = new ArrayList<>();
        List<String> withoutTables = new ArrayList<>();
        Map<String, List<String>> failed = new LinkedHashMap<>();
        try (Progress progress = Progress.of(host(), "looking")) {
            for (Check check : CHECKS) {
                progress.now("looking at " + check.name());
                if (check.needsTables() && !examination.hasTables()) {
                    withoutTables.add(check.name());
                    continue;
                }
                try {
                    findings.addAll(database.read("doctor", session -> check.look(session, examination)));
                } catch (HoldfastException e) {
                    failed.computeIfAbsent(String.valueOf(e.getMessage()), why -> new ArrayList<>())
                            .add(check.name());
                }
            }
        }
        failed.forEach((why, checks) ->
                findings.add(notLookedAt(checks, why, "let a role with more privileges run this, or repeat it")));
        if (!withoutTables.isEmpty()) {
            findings.add(notLookedAt(
                    withoutTables,
                    "there are no tables that this release can read",
                    "mend what is said about the schema, and run this again"));
        }
        return findings;
    }

    /** All that could not be looked at for one reason, at once. */
    private static Finding notLookedAt(List<String> checks, String why, String mend) {
        return new Finding(
                "not-looked-at",
                Finding.Level.NOTICE,
                String.join(", ", checks),
                why + "; whether all is well there is not known",
                mend);
    }

    private void print(Answer answer, Map<String, @Nullable Object> facts, List<Finding> findings) {
        answer.facts("facts", facts).line("");
        Table table = new Table("check", "level", "what", "why", "mend");
        for (Finding finding : findings) {
            table.add(finding.check(), finding.level().toString(), finding.what(), finding.why(), finding.mend());
            boolean trouble = finding.level() == Finding.Level.TROUBLE;
            answer.line(
                    trouble ? Style.BAD : Style.NOTICE,
                    wrapped((trouble ? "TROUBLE  " : "notice   ") + finding.check() + ": " + finding.what()));
            answer.line(wrapped("  why    " + finding.why()))
                    .line(wrapped("  mend   " + finding.mend()))
                    .line("");
        }
        answer.value("findings", table.json());
    }

    /** Further lines begin below the text. */
    private static String wrapped(String text) {
        StringBuilder wrapped = new StringBuilder();
        int column = 0;
        for (String word : text.split("(?<=\\S)(?= )")) {
            if (column + word.length() > WIDTH && column > 9) {
                wrapped.append("\n         ").append(word.strip());
                column = 9 + word.strip().length();
            } else {
                wrapped.append(word);
                column += word.length();
            }
        }
        return wrapped.toString();
    }
}
