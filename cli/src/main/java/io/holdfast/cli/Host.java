package io.holdfast.cli;

import java.io.PrintWriter;
import java.time.InstantSource;
import java.util.Map;

/**
 * The process that a command runs in.
 *
 * @param environment its variables
 * @param out for answers
 * @param err for questions, progress and errors
 * @param operator who is at it, as {@code user@machine}
 * @param clock the machine's, to compare with the database's
 * @param connections what has to be ended when the process is broken off
 */
record Host(
        Map<String, String> environment,
        PrintWriter out,
        PrintWriter err,
        Terminal terminal,
        String operator,
        InstantSource clock,
        OpenConnections connections) {}
