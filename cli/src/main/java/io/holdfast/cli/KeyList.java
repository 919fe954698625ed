package io.holdfast.cli;

import io.holdfast.migrations.Component;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "list",
        description = {
            "Lists idempotency keys by scope and key.",
            "",
            "reserved: the work is under way, or was given up. completed: its outcome is known. An expired key may be reserved"
                    + " anew, unless it is reserved and its workflow's lease is held."
        },
        footer = {
            "",
            "Examples:",
            "  holdfast key list --state reserved --expired",
            "  holdfast key list --scope acme --workflow order-1001 --json",
        })
final class KeyList extends ListCommand {

    /** How a key stands. */
    enum State {
        RESERVED,
        COMPLETED;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Option(names = "--state", paramLabel = "STATE", description = "Only those that are ${COMPLETION-CANDIDATES}.")
    private @Nullable State state;

    @Option(names = "--expired", description = "Only those whose time is over.")
    private boolean expired;

    @Option(names = "--workflow", paramLabel = "ID", description = "Only those of this workflow.")
    private @Nullable String workflow;

    KeyList(Host host) {
        super(host);
    }

    private record Found(
            String scope,
            String key,
            String state,
            boolean expired,
            String workflowId,
            Instant createdAt,
            @Nullable Instant expiresAt) {

        static Found of(ResultSet row) throws SQLException {
            return new Found(
                    row.getString("scope"),
                    row.getString("key"),
                    row.getString("status"),
                    row.getBoolean("expired"),
                    row.getString("workflow_id"),
                    Session.time(row, "created_at"),
                    Session.instant(row, "expires_at"));
        }
    }

    private static final Page.Columns<Found> COLUMNS = new Page.Columns<>() {
        @Override
        public String[] names() {
            return new String[] {"scope", "key", "state", "expired", "workflow_id", "created_at", "expires_at"};
        }

        @Override
        public @Nullable Object[] cells(Found k) {
            return new @Nullable Object[] {k.scope, k.key, k.state, k.expired, k.workflowId, k.createdAt, k.expiresAt};
        }

        @Override
        public List<String> place(Found k) {
            return List.of(k.scope, k.key);
        }
    };

    private static final String LIST = """
            select k.scope, k.key, k.status, coalesce(k.expires_at <= clock_timestamp(), false) as expired, k.workflow_id,
                   k.created_at, k.expires_at
              from {schema}.idempotency_key k
             where (cast(? as text) is null or k.scope = ?) and (cast(? as text) is null or k.status = ?)
               and (not ? or k.expires_at <= clock_timestamp()) and (cast(? as text) is null or k.workflow_id = ?)
               and (k.scope, k.key) > (?, ?)
             order by k.scope, k.key limit ?
            """;

    @Override
    int run(Database database, Answer answer) {
        String wanted = state == null ? null : state.toString();
        List<String> after = page.place("", "");
        List<Found> rows = database.read("key list", session -> {
            requireTables(session, Component.core());
            return session.list(
                    LIST,
                    Found::of,
                    scope.orAll(),
                    scope.orAll(),
                    wanted,
                    wanted,
                    expired,
                    workflow,
                    workflow,
                    after.get(0),
                    after.get(1),
                    page.fetched());
        });
        page.print(answer, "keys", rows, COLUMNS);
        return ExitStatus.OK;
    }
}
