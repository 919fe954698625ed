package io.holdfast.example.blackbox;

import java.io.PrintStream;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.List;

/** The suite from the command line. */
public final class Main {

    static final int PASSED = 0;
    static final int FAILED = 1;
    static final int NOT_TRIED = 2;

    private Main() {}

    public static void main(String[] arguments) {
        System.exit(run(System.out, System.err, arguments)); // the client's threads may go on
    }

    /** @return the exit status */
    static int run(PrintStream out, PrintStream err, String... arguments) {
        if (List.of(arguments).contains("--help")) {
            out.println(Arguments.HELP);
            return PASSED;
        }
        try {
            Arguments wanted = Arguments.parse(arguments);
            HttpClient http = HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .connectTimeout(Duration.ofSeconds(5))
                    .build();
            Suite suite = new Suite(new Pair(
                    new Instance(http, wanted.first(), "first"), new Instance(http, wanted.second(), "second")));
            return suite.run(suite.awaitBoth(out), out) ? PASSED : FAILED;
        } catch (Arguments.Wrong e) {
            err.println(e.getMessage() + "; see --help.");
            return NOT_TRIED;
        } catch (CaseFailure e) { // before the first case
            err.println(e.getMessage());
            return NOT_TRIED;
        }
    }
}
