package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.journal.EffectId;
import io.holdfast.journal.StepKey;
import io.holdfast.testing.TestDatabase;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/**
 * {@code docs/cli.md} shows what the commands print: help, a success and a failure of each, taken here. With
 * {@code -Dholdfast.docs.write=true} the page is written anew; look at the difference before you commit it.
 */
class PageTest {

    private static final Path PAGE = Path.of("../docs/cli.md");

    private final StringBuilder page = new StringBuilder();

    @Test
    void thePageShowsWhatTheCommandsPrint() throws IOException {
        try (TestDatabase empty = TestDatabase.empty("cli_page");
                Rows rows = Rows.none().withUsual().withRuns()) {
            write(Shell.on(empty), rows);
        }
        if (Boolean.getBoolean("holdfast.docs.write")) {
            Files.writeString(PAGE, page);
        }
        assertThat(page.toString()).isEqualTo(Files.readString(PAGE));
    }

    private void write(Shell empty, Rows rows) throws IOException {
        try (var introduction = Objects.requireNonNull(getClass().getResourceAsStream("cli.md"))) {
            page.append(new String(introduction.readAllBytes(), StandardCharsets.UTF_8));
        }
        command("", empty);

        command("db status", empty);
        run(empty, "db status");
        command("db migrate", empty);
        run(empty, "db migrate");
        run(empty, "db status");
        run(empty, "db status --json");
        run(
                Shell.nowhere()
                        .with("HOLDFAST_URL", "jdbc:postgresql://localhost:1/x")
                        .with("HOLDFAST_USER", "ada"),
                "db migrate");
        command("db print", empty);
        run(Shell.nowhere(), "db print --component core --from 1");
        run(Shell.nowhere(), "db print --from 1");

        Shell shell = rows.shell;
        command("workflow list", shell);
        run(shell, "workflow list --scope acme");
        run(shell, "workflow list --status sleeping");
        command("workflow show", shell);
        run(shell, "workflow show order-1001 --scope acme");
        run(shell, "workflow show order-1001");
        command("workflow cancel", shell);
        run(shell, "workflow cancel order-1001 --scope acme --reason 'customer has called' --yes");
        run(shell, "workflow cancel order-1003 --scope acme --reason 'duplicate'");

        command("lease list", shell);
        run(shell, "lease list");
        run(shell, "lease list --password=...");
        command("lease show", shell);
        run(shell, "lease show workflow order-1002 --scope acme");
        run(shell, "lease show report monthly --scope acme");
        command("lease break", shell);
        run(shell.answering("no"), "lease break workflow order-1001 --scope acme --reason 'worker-7 hangs'");
        run(shell, "lease break workflow order-1001 --scope acme --reason 'worker-7 hangs' --yes");

        command("key list", shell);
        run(shell, "key list --state reserved --expired");
        run(shell, "key list --after somewhere");

        command("run list", shell);
        run(shell, "run list --scope acme");
        run(shell, "run list --crashed");
        run(shell, "run list --limit 0");
        command("run show", shell);
        run(shell, "run show refund-1 --scope acme");
        run(shell, "run show refund-1");

        command("approval list", shell);
        run(shell, "approval list --scope acme");
        run(shell, "approval list --state undecided");
        command("approval show", shell);
        run(shell, "approval show ap-2 --scope acme");
        run(shell, "approval show ap-2");
        command("approval settle", shell);
        run(shell.answering("no"), "approval settle ap-3 --scope acme --reason 'asked twice'");
        run(shell, "approval settle ap-3 --scope acme --reason 'asked twice' --yes");

        command("effect list", shell);
        run(shell, "effect list --state indeterminate");
        run(shell, "effect list --after somewhere");
        command("effect resolve", shell);
        String effect = EffectId.of(Rows.ACME, "refund-1", StepKey.visit("refund", 1), 0)
                .hex();
        run(
                shell,
                "effect resolve refund-1 " + effect
                        + " not_applied --scope acme --reason 'no such refund at the bank' --yes");
        run(shell, "effect resolve refund-1 " + effect + " confirmed --scope acme --reason 'found it after all' --yes");

        command("cleanup", shell);
        run(shell, "cleanup --dry-run --expired 1d");
        run(shell, "cleanup --expired 1d");
        run(shell, "cleanup --finished 30");

        command("doctor", shell);
        run(Server.healthy().shell(), "doctor");
        run(Server.sick().shell(), "doctor");
    }

    private void command(String name, Shell shell) {
        page.append("\n## holdfast")
                .append(name.isEmpty() ? "" : " " + name)
                .append("\n\n```text\n")
                .append(shell.run((name + " --help").strip().split(" ")).out())
                .append("```\n");
    }

    private void run(Shell shell, String command) {
        Shell.Result result = shell.run(words(command));
        page.append("\n```text\n$ holdfast ")
                .append(command)
                .append('\n')
                .append(steady(result.out() + result.err()))
                .append("```\n\nExit status ")
                .append(result.status())
                .append(".\n");
    }

    /** As a shell splits them. */
    private static String[] words(String command) {
        return java.util.regex.Pattern.compile("'([^']*)'|(\\S+)")
                .matcher(command)
                .results()
                .map(word -> word.group(1) == null ? word.group(2) : word.group(1))
                .toArray(String[]::new);
    }

    /** What is different each time is shown as it might be. */
    private static String steady(String text) {
        return text.replaceAll("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z", "2026-11-30T03:00:00Z")
                .replaceAll(
                        "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}",
                        "5bd6a3c1-6f0e-4c53-9d9d-3c4a1e7f2b90")
                .replaceAll("\\b(5\\d\\d|600)\\b(?= s |  2026|\n)", "600")
                .replaceAll("(snapshot bytes +)\\d+", "$1412")
                .replaceAll("(server version +)\\S+( \\(.*\\))?", "$117.11")
                .replaceAll("is \\d+ transactions old", "is 300000000 transactions old")
                .replaceAll("has \\d+ dead rows", "has 12000 dead rows")
                .replaceAll("is now \\S+", "is now 153.14");
    }
}
