package io.holdfast.cli;

import io.holdfast.migrations.Component;
import io.holdfast.migrations.Components;
import io.holdfast.migrations.SchemaCheck;
import io.holdfast.migrations.SchemaStatus;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** A command that talks to the database. */
abstract class DatabaseCommand implements Callable<Integer> {

    private final Host host;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description =
                    "Properties (holdfast.url, holdfast.user, holdfast.password, ...) instead of the environment's"
                            + " HOLDFAST_URL, HOLDFAST_USER, HOLDFAST_PASSWORD.")
    private @Nullable Path config;

    @Option(names = "--json", description = "Answer with one JSON document.")
    private boolean json;

    DatabaseCommand(Host host) {
        this.host = host;
    }

    abstract int run(Database database, Answer answer);

    @Override
    public final Integer call() {
        Answer answer = new Answer(host, json);
        int status = run(database(), answer);
        answer.end();
        return status;
    }

    Host host() {
        return host;
    }

    boolean json() {
        return json;
    }

    private Database database() {
        return new Database(GivenSettings.of(host.environment(), config), host.connections());
    }

    /** @throws Refusal saying what to run, if tables of one of them are not there as this release needs them */
    static void requireTables(Session session, Components components) {
        components.inOrder().forEach(component -> requireTables(session, component));
    }

    /** @throws Refusal saying what to run, if the component's tables are not there as this release needs them */
    static void requireTables(Session session, Component component) {
        SchemaStatus status = SchemaCheck.status(session.connection(), session.schema(), component);
        if (status.works()) {
            return;
        }
        String where = "component " + component.name() + " in schema "
                + session.schema().quoted();
        if (status instanceof SchemaStatus.Missing || status instanceof SchemaStatus.Pending) {
            throw Refusal.notAsAsked(
                    "SCHEMA_MISMATCH",
                    where + " is " + SchemaText.name(status) + ": run `holdfast db migrate` with a role that may create"
                            + " tables, or set HOLDFAST_SCHEMA to the schema that was migrated");
        }
        throw Refusal.notAsAsked(
                "SCHEMA_MISMATCH", where + " is " + SchemaText.name(status) + ": " + SchemaText.says(status));
    }
}
