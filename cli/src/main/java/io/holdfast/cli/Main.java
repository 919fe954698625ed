package io.holdfast.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.Map;
import java.util.logging.LogManager;

/** The process: {@code java -jar holdfast-cli.jar}. */
public final class Main {

    private Main() {}

    public static void main(String[] arguments) {
        LogManager.getLogManager().reset(); // the driver's and Hibernate's logs are not for whoever reads an answer
        PrintWriter out = writer(FileDescriptor.out);
        PrintWriter err = writer(FileDescriptor.err);
        Map<String, String> environment = System.getenv();
        OpenConnections connections = new OpenConnections();
        Thread breakingOff = new Thread(() -> breakOff(connections, err), "breaking off");
        Runtime.getRuntime().addShutdownHook(breakingOff);
        Host host = new Host(
                environment,
                out,
                err,
                Terminal.of(environment),
                operator(environment),
                InstantSource.system(),
                connections);
        int status = Cli.run(host, arguments);
        out.flush();
        err.flush();
        if (connections.ended()) {
            return; // the signal decides the exit status: 130
        }
        Runtime.getRuntime().halt(status);
    }

    /** At Ctrl-C, and whenever the process is told to go. An ordinary end does not come by here. */
    private static void breakOff(OpenConnections connections, PrintWriter err) {
        boolean atWork = connections.any();
        connections.end();
        err.println(atWork ? "\nbroken off; what was under way is rolled back" : "\nbroken off");
        if (!connections.ending().isEmpty()) {
            err.println(connections.ending());
        }
        err.flush();
    }

    private static PrintWriter writer(FileDescriptor to) {
        return new PrintWriter(new FileOutputStream(to), true, StandardCharsets.UTF_8);
    }

    private static String operator(Map<String, String> environment) {
        String machine = environment.getOrDefault("HOSTNAME", "");
        if (machine.isEmpty()) {
            try {
                machine = InetAddress.getLocalHost().getHostName();
            } catch (UnknownHostException e) {
                machine = "unknown";
            }
        }
        return System.getProperty("user.name", "unknown") + "@" + machine;
    }
}
