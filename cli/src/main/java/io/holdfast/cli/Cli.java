package io.holdfast.cli;

import io.holdfast.HoldfastException;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** All commands, and what happens when one fails. */
final class Cli {

    private static final int WIDTH = 100;

    private final Host host;

    private Cli(Host host) {
        this.host = host;
    }

    /** Runs a command and returns its exit status. Whatever goes wrong is told in a sentence. */
    static int run(Host host, String... arguments) {
        Cli cli = new Cli(host);
        try {
            CommandLineSecrets.refuse(arguments);
        } catch (Refusal e) {
            return cli.told(e.code(), e.text(), e.status(), List.of(arguments).contains("--json"));
        }
        return cli.commands().execute(arguments);
    }

    @Command(
            name = "holdfast",
            description = "Operates a Holdfast database: its tables, workflows, leases, keys, runs and approvals.",
            footer = {
                "",
                "Settings come from HOLDFAST_URL (jdbc:postgresql://host:port/database), HOLDFAST_USER, HOLDFAST_PASSWORD and"
                        + " HOLDFAST_SCHEMA, or from a file: --config FILE after a command. Never from the command line.",
                "",
                "Examples:",
                "  holdfast db status",
                "  holdfast doctor",
                "  holdfast lease list --state held",
                "  holdfast lease break --help",
            })
    static final class Top {}

    @Command(name = "db", description = "The tables: what is there, what is pending.")
    static final class Db {}

    @Command(name = "workflow", description = "Workflows: list them, look at one, ask for one to be cancelled.")
    static final class Workflows {}

    @Command(name = "lease", description = "Leases: list them, look at one, take one from its holder.")
    static final class Leases {}

    @Command(name = "key", description = "Idempotency keys.")
    static final class Keys {}

    @Command(name = "run", description = "Runs of workflows and agents: list them, look at one.")
    static final class Runs {}

    @Command(name = "approval", description = "Approvals: list them, look at one, settle one that was left behind.")
    static final class Approvals {}

    @Command(name = "effect", description = "Effects of unknown outcome: list them, say what somebody found out.")
    static final class Effects {}

    private CommandLine commands() {
        CommandLine top = new CommandLine(new Top());
        top.getCommandSpec()
                .versionProvider(new Version())
                .addOption(OptionSpec.builder("--version")
                        .versionHelp(true)
                        .description("Show the version.")
                        .build());
        group(top, new Db(), new DbMigrate(host), new DbStatus(host), new DbPrint(host));
        group(top, new Workflows(), new WorkflowList(host), new WorkflowShow(host), new WorkflowCancel(host));
        group(top, new Leases(), new LeaseList(host), new LeaseShow(host), new LeaseBreak(host));
        group(top, new Keys(), new KeyList(host));
        group(top, new Runs(), new RunList(host), new RunShow(host));
        group(top, new Approvals(), new ApprovalList(host), new ApprovalShow(host), new ApprovalSettle(host));
        group(top, new Effects(), new EffectList(host), new EffectResolve(host));
        top.addSubcommand(new CleanupCommand(host));
        top.addSubcommand(new DoctorCommand(host));
        adorn(top);
        top.setColorScheme(CommandLine.Help.defaultColorScheme(host.terminal().colours() ? Ansi.ON : Ansi.OFF))
                .setOut(host.out())
                .setErr(host.err())
                .setUsageHelpWidth(WIDTH)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setParameterExceptionHandler(
                        (e, arguments) -> misused(e, List.of(arguments).contains("--json")))
                .setExecutionExceptionHandler((e, command, parsed) -> failed(e, parsed));
        return top;
    }

    private static void group(CommandLine top, Object group, Object... members) {
        CommandLine line = new CommandLine(group);
        for (Object member : members) {
            line.addSubcommand(member);
        }
        top.addSubcommand(line);
    }

    /** Help and exit status in every command's help. */
    private static void adorn(CommandLine command) {
        CommandSpec spec = command.getCommandSpec();
        spec.addOption(OptionSpec.builder("-h", "--help")
                .usageHelp(true)
                .description("Show this text.")
                .build());
        spec.usageMessage()
                .sortOptions(false)
                .exitCodeListHeading("%nExit status:%n")
                .exitCodeList(ExitStatus.MEANINGS);
        if (!command.getSubcommands().isEmpty()) {
            spec.usageMessage().commandListHeading("%nCommands:%n").synopsisSubcommandLabel("COMMAND");
        }
        spec.usageMessage().parameterListHeading("%nArguments:%n").optionListHeading("%nOptions:%n");
        command.getSubcommands().values().forEach(Cli::adorn);
    }

    private static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            String version = Cli.class.getPackage().getImplementationVersion();
            return new String[] {"holdfast " + (version == null ? "unreleased" : version)};
        }
    }

    /** Picocli's messages repeat what was written; an argument that is not understood may be anything. */
    private int misused(ParameterException e, boolean json) {
        CommandSpec spec = e.getCommandLine().getCommandSpec();
        String message = e instanceof UnmatchedArgumentException unmatched
                ? "not understood: "
                        + unmatched.getUnmatched().stream()
                                .limit(
                                        spec.subcommands().isEmpty()
                                                ? Integer.MAX_VALUE
                                                : 1) // the rest is the command's
                                .map(argument -> named(argument, spec))
                                .collect(Collectors.joining(", "))
                : Cell.safe(String.valueOf(e.getMessage()));
        int status = told("USAGE", message, ExitStatus.USAGE, json);
        host.err().println("See: " + spec.qualifiedName() + " --help");
        return status;
    }

    private static String named(String argument, CommandSpec spec) {
        if (argument.startsWith("-")) {
            String option = argument.split("[=:]", 2)[0];
            return "option " + Cell.safe(option)
                    + meant(option, spec.optionsMap().keySet());
        }
        Set<String> commands = spec.subcommands().keySet();
        return commands.isEmpty() ? "an argument too many" : "no such command" + meant(argument, commands);
    }

    private static String meant(String given, Set<String> names) {
        return Nearest.of(given, names)
                .map(name -> " (did you mean " + name + "?)")
                .orElse("");
    }

    private int failed(Exception e, ParseResult parsed) {
        boolean json = asksForJson(parsed);
        if (host.connections().ended()) {
            return ExitStatus.INTERRUPTED;
        }
        if (e instanceof Refusal refusal) {
            return told(refusal.code(), refusal.text(), refusal.status(), json);
        }
        if (e instanceof HoldfastException failure) {
            return told(failure.code().name(), String.valueOf(failure.getMessage()), status(failure), json);
        }
        // Its text may hold anything.
        return told(
                "DEFECT",
                "failed: " + e.getClass().getName() + "; this is a defect of the tool",
                ExitStatus.DEFECT,
                json);
    }

    private static boolean asksForJson(ParseResult parsed) {
        ParseResult last = parsed;
        while (last.hasSubcommand()) {
            last = last.subcommand();
        }
        return last.hasMatchedOption("--json");
    }

    private int told(String code, String message, int status, boolean json) {
        if (json) {
            host.out().println(Answer.error(code, message));
        }
        host.err().println(Style.BAD.on("holdfast: ", host) + message);
        return status;
    }

    private static int status(HoldfastException failure) {
        return switch (failure.code()) {
            case INVALID_INPUT -> ExitStatus.USAGE;
            case SCHEMA_MISMATCH -> ExitStatus.NOT_AS_ASKED;
            default -> ExitStatus.NO_DATABASE;
        };
    }
}
