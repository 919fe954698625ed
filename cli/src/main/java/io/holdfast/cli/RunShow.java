package io.holdfast.cli;

import io.holdfast.Scope;
import io.holdfast.codec.Identifier;
import io.holdfast.lease.LeaseKey;
import io.holdfast.migrations.Components;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
        name = "show",
        description = {
            "Shows a run: what each store has of it, its lease, its effects that are not settled, its approvals, and the last of"
                    + " what its journal tells.",
            "",
            "Not its state, its messages or its events' contents, which may hold anything."
        },
        footer = {
            "",
            "Examples:",
            "  holdfast run show order-1001",
            "  holdfast run show order-1001 --scope acme --json",
        })
final class RunShow extends DatabaseCommand {

    @Parameters(paramLabel = "ID", description = "The run's id.")
    private String id = "";

    @Mixin
    private final ScopeOption scope = new ScopeOption();

    RunShow(Host host) {
        super(host);
    }

    private static final String STANDS = """
            select c.status, c.node, c.steps, c.waiting_for, c.revision - c.history_from + 1 as entries
              from {schema}.checkpoint c where c.scope = ? and c.run_id = ?
            """;

    private static final String EVENTS = """
            select v.sequence, v.type, v.at from {schema}.execution_event v
             where v.scope = ? and v.run_id = ? order by v.sequence desc limit 10
            """;

    private record Found(
            List<RunFound> stores,
            Optional<LeaseFound> lease,
            Table stands,
            List<EffectFound> effects,
            List<ApprovalFound> approvals,
            Table events) {}

    @Override
    int run(Database database, Answer answer) {
        Scope whose = scope.orUnscoped();
        Identifier.text("ID", id, 1, LeaseKey.MAX_ID_BYTES);
        Found found = database.read("run show", session -> {
            requireTables(session, Components.own());
            return look(session, whose);
        });
        if (found.stores().isEmpty() && found.approvals().isEmpty()) {
            throw Refusal.notAsAsked(
                    "NOT_FOUND", "no run " + Cell.safe(id) + " " + ScopeOption.of(whose) + "; --scope names another");
        }
        answer.value("scope", whose.id()).value("id", id);
        Table stores = new Table("store", "status", "revision", "updated_at");
        found.stores().forEach(each -> stores.add(each.store(), each.status(), each.revision(), each.updatedAt()));
        answer.table("stores", stores, "none of the stores has it, but there are approvals of it");
        if (found.lease().isPresent()) {
            answer.line("")
                    .line(Style.HEADING, "Its lease:")
                    .facts("lease", found.lease().get().facts());
        } else {
            answer.value("lease", null);
        }
        part(answer, "Where it stands:", "checkpoint", found.stands());
        part(answer, "Effects that are not settled:", "effects", table(found.effects(), EffectFound.COLUMNS));
        part(answer, "Approvals:", "approvals", table(found.approvals(), ApprovalFound.COLUMNS));
        part(answer, "Its last events, the latest first:", "events", found.events());
        return ExitStatus.OK;
    }

    private Found look(Session session, Scope whose) throws SQLException {
        Table stands = new Table("status", "node", "steps", "waiting_for", "entries");
        session.list(
                        STANDS,
                        row -> new Object[] {
                            row.getString("status"),
                            row.getString("node"),
                            row.getLong("steps"),
                            row.getString("waiting_for"),
                            row.getLong("entries")
                        },
                        whose.id(),
                        id)
                .forEach(stands::add);
        Table events = new Table("sequence", "type", "at");
        session.list(
                        EVENTS,
                        row -> new Object[] {row.getLong("sequence"), row.getString("type"), Session.time(row, "at")},
                        whose.id(),
                        id)
                .forEach(events::add);
        return new Found(
                RunFound.find(session, whose, id),
                LeaseFound.find(session, whose, LeaseKey.ofRun(id)),
                stands,
                EffectFound.openOf(session, whose, id),
                ApprovalFound.ofRun(session, whose, id),
                events);
    }

    private static <T> Table table(List<T> rows, Page.Columns<T> columns) {
        Table table = new Table(columns.names());
        rows.forEach(row -> table.add(columns.cells(row)));
        return table;
    }

    private static void part(Answer answer, String heading, String name, Table table) {
        if (table.isEmpty()) {
            answer.value(name, table.json());
        } else {
            answer.line("").line(Style.HEADING, heading).table(name, table, "");
        }
    }
}
