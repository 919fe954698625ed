package io.holdfast.cli;

import io.holdfast.testing.TestDatabase;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Runs commands in this JVM, with the environment, the terminal and the clock of the test's choice. */
record Shell(Map<String, String> environment, Terminal terminal, InstantSource clock) {

    record Result(int status, String out, String err) {}

    static Shell on(TestDatabase database) {
        return new Shell(
                Map.of(
                        "HOLDFAST_URL", database.url(),
                        "HOLDFAST_USER", database.user(),
                        "HOLDFAST_PASSWORD", database.password()),
                Terminal.NONE,
                InstantSource.system());
    }

    static Shell nowhere() {
        return new Shell(Map.of(), Terminal.NONE, InstantSource.system());
    }

    Shell with(String variable, String value) {
        Map<String, String> more = new HashMap<>(environment);
        more.put(variable, value);
        return new Shell(more, terminal, clock);
    }

    Shell at(InstantSource otherClock) {
        return new Shell(environment, terminal, otherClock);
    }

    /** At a terminal, where a person gives these answers and then no more. */
    Shell answering(String... answers) {
        Deque<String> left = new ArrayDeque<>(List.of(answers));
        Terminal person = new Terminal() {
            @Override
            public boolean present() {
                return true;
            }

            @Override
            public boolean colours() {
                return false;
            }

            @Override
            public @Nullable String ask(String question) {
                return left.poll();
            }
        };
        return new Shell(environment, person, clock);
    }

    Result run(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        Host host = new Host(
                environment,
                new PrintWriter(out, true),
                new PrintWriter(err, true),
                terminal,
                "ada@ops-1",
                clock,
                new OpenConnections());
        int status = Cli.run(host, arguments);
        return new Result(status, out.toString(), err.toString());
    }
}
