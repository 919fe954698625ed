package io.holdfast.example.plain;

import io.holdfast.HoldfastException;
import io.holdfast.example.plain.Terminal.Colour;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;

/** The command line. Exit status: 0 if everything held, 1 if something did not, 2 if it could not be tried. */
public final class Main {

    private static final String HELP = """
            Works through a file of orders with three worker processes, kills one, freezes another, and looks at the tables.

              [FILE]     orders, one JSON object a line; without it, the twenty that ship:
                         {"request":"order-1","customer":"Harbour Books","item":"shelf labels","amount":"19.90"}
              --help     this text

            Starts an embedded PostgreSQL, or uses the database of these environment variables, whose role must be allowed
            to create schemas (holdfast and holdfast_demo):
              HOLDFAST_URL       jdbc:postgresql://host:port/database
              HOLDFAST_USER      HOLDFAST_PASSWORD

            Exit status: 0 if everything held, 1 if something did not, 2 if it could not be tried.""";

    // Held: a logger that nobody holds is forgotten, with its level.
    private static final Logger DRIVER = Logger.getLogger("org.postgresql");

    private Main() {}

    public static void main(String[] arguments) throws InterruptedException {
        quietLogs();
        Terminal terminal = Terminal.ofThisProcess();
        int status;
        try {
            status = run(arguments, terminal);
        } catch (DemoFailure e) {
            terminal.print(Colour.RED, "%s", String.valueOf(e.getMessage()));
            status = 1;
        } catch (HoldfastException e) {
            String state = e.details().get("sqlstate");
            terminal.print(
                    Colour.RED,
                    "%s%s",
                    String.valueOf(e.getMessage()),
                    state == null ? "" : " (SQLSTATE " + state + ")");
            if (System.getenv(Database.URL) != null) {
                terminal.print("The database is that of " + Database.URL + "; see --help.");
            }
            status = 2;
        } catch (IOException e) {
            boolean plain = e.getClass() == IOException.class; // others' messages are no more than a file's name
            terminal.print(Colour.RED, "%s", plain ? String.valueOf(e.getMessage()) : e);
            status = 2;
        }
        System.exit(status); // threads of a build tool's JVM may go on
    }

    private static int run(String[] arguments, Terminal terminal) throws IOException, InterruptedException {
        if (List.of(arguments).contains("--help")) {
            terminal.print(HELP);
            return 0;
        }
        if (arguments.length > 1 || (arguments.length == 1 && arguments[0].startsWith("-"))) {
            terminal.print(Colour.RED, "One file at most, and no option but --help.");
            return 2;
        }
        OrderFile file;
        try (InputStream orders = arguments.length == 1 ? Files.newInputStream(Path.of(arguments[0])) : shipped()) {
            file = OrderFile.read(orders);
        } catch (NoSuchFileException e) {
            terminal.print(Colour.RED, "No such file: %s", Path.of(arguments[0]).toAbsolutePath());
            return 2;
        }
        describe(file, terminal);
        if (file.orders().isEmpty()) {
            terminal.print(Colour.RED, "There is no order to work on.");
            return 2;
        }
        return run(file, terminal) ? 0 : 1;
    }

    private static boolean run(OrderFile file, Terminal terminal) throws IOException, InterruptedException {
        String user = System.getProperty("user.name", "anyone").replaceAll("[^A-Za-z0-9_.-]", "_");
        Path directory = Path.of(System.getProperty("java.io.tmpdir"), "holdfast-demo-" + user);
        try (Leftovers leftovers = Leftovers.take(directory)
                        .orElseThrow(
                                () -> new DemoFailure("Another run is going on, in " + directory + ": one at a time"));
                Server server = server(leftovers, terminal)) {
            boolean held = new Demo(terminal, server, leftovers)
                    .run(List.copyOf(file.orders().values()));
            terminal.print("");
            terminal.print(
                    held ? Colour.GREEN : Colour.RED, held ? "Everything held." : "Something that must hold does not.");
            return held;
        }
    }

    private static Server server(Leftovers leftovers, Terminal terminal) throws IOException {
        List<String> found = leftovers.clear();
        if (!found.isEmpty()) {
            terminal.print(Colour.YELLOW, "A run that was killed had left %s: ended", String.join(" and ", found));
        }
        if (System.getenv(Database.URL) != null) {
            return Server.existing(Database.fromEnvironment(System.getenv()));
        }
        terminal.replace("Starting PostgreSQL ...");
        return Server.embedded(leftovers.data());
    }

    private static void describe(OrderFile file, Terminal terminal) {
        terminal.print("Orders: " + file.orders().size() + ", workers: " + Director.WORKERS + ", leases: "
                + OrderWorker.TTL.toSeconds() + " s");
        for (OrderFile.RefusedLine line : file.refused()) {
            terminal.print(Colour.YELLOW, "line %d is refused: %s", line.number(), line.reason());
        }
        for (int number : file.repeats()) {
            terminal.print(Colour.YELLOW, "line %d repeats a former one: its order runs once", number);
        }
    }

    private static InputStream shipped() throws IOException {
        InputStream stream = Main.class.getResourceAsStream("/orders.jsonl");
        if (stream == null) {
            throw new NoSuchFileException("orders.jsonl");
        }
        return stream;
    }

    /** Nothing that libraries say may tear the progress line, or show a URL. */
    static void quietLogs() {
        Logger.getLogger("").setLevel(Level.SEVERE);
        DRIVER.setLevel(Level.OFF);
    }
}
