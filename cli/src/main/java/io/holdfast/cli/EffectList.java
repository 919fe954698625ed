package io.holdfast.cli;

import io.holdfast.migrations.Components;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "list",
        description = {
            "Lists the effects of runs that are not settled, by scope, run and the order in which they were begun.",
            "",
            "pending: sent or about to be; whoever takes the run over decides what to do. indeterminate: its engine has given"
                    + " up finding out; ask the other side under the idempotency key, and say what you found with effect resolve."
        },
        footer = {
            "",
            "Examples:",
            "  holdfast effect list --state indeterminate",
            "  holdfast effect list --run order-1001 --scope acme --json",
        })
final class EffectList extends ListCommand {

    /** How an effect stands that is not settled. */
    enum State {
        PENDING,
        INDETERMINATE;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Option(names = "--state", paramLabel = "STATE", description = "Only those that are ${COMPLETION-CANDIDATES}.")
    private @Nullable State state;

    @Option(names = "--run", paramLabel = "ID", description = "Only those of this run.")
    private @Nullable String run;

    @Option(
            names = "--ended",
            description =
                    "Those of runs that have ended, too, which nobody can settle any more. Reads the whole table of effects.")
    private boolean ended;

    EffectList(Host host) {
        super(host);
    }

    @Override
    int run(Database database, Answer answer) {
        String wanted = state == null ? null : state.toString();
        List<String> after = place();
        List<EffectFound> rows = database.read("effect list", ended ? Database.LONG : limit(database), session -> {
            requireTables(session, Components.own());
            return EffectFound.list(session, ended, scope.orAll(), run, wanted, after, page.fetched());
        });
        page.print(answer, "effects", rows, EffectFound.COLUMNS);
        return ExitStatus.OK;
    }

    private List<String> place() {
        List<String> after = page.place("", "", "0");
        if (!after.get(2).matches("\\d{1,18}")) {
            throw Refusal.usage("--after takes what a page of this very list says at its end");
        }
        return after;
    }

    private static Duration limit(Database database) {
        return database.settings().commandTimeout();
    }
}
