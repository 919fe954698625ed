package io.holdfast.repository;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import java.util.stream.Stream;

/**
 * All that is logged or printed meanwhile, at the finest level: java.util.logging, which the driver and Hibernate use, and
 * to which System.Logger and SLF4J, so HikariCP, are bound in these tests.
 */
final class Logged extends Handler implements AutoCloseable {

    private record Line(int level, String text) {}

    private final List<Line> lines = new CopyOnWriteArrayList<>();
    private final Logger root = Logger.getLogger("");
    private final Level levelBefore = root.getLevel();
    private final PrintStream outBefore = System.out;
    private final PrintStream errBefore = System.err;
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

    private Logged() {}

    static Logged start() {
        Logged logged = new Logged();
        logged.setLevel(Level.ALL);
        logged.setFormatter(new SimpleFormatter());
        PrintStream printing = new PrintStream(logged.printed, true, StandardCharsets.UTF_8);
        System.setOut(printing);
        System.setErr(printing);
        logged.root.addHandler(logged);
        logged.root.setLevel(Level.ALL);
        return logged;
    }

    @Override
    public void publish(LogRecord record) {
        StringWriter line = new StringWriter();
        line.append(record.getLevel() + " " + record.getLoggerName() + " "
                + getFormatter().formatMessage(record));
        if (record.getThrown() != null) {
            record.getThrown().printStackTrace(new PrintWriter(line));
        }
        lines.add(new Line(record.getLevel().intValue(), line.toString()));
    }

    /** A line for each record, with the stack traces in it, then what was printed. */
    List<String> lines() {
        return lines(Level.ALL);
    }

    /** Those of this level and above. */
    List<String> lines(Level from) {
        return Stream.concat(
                        lines.stream()
                                .filter(line -> line.level() >= from.intValue())
                                .map(Line::text),
                        Stream.of(printed.toString(StandardCharsets.UTF_8)))
                .toList();
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        root.removeHandler(this);
        root.setLevel(levelBefore);
        System.setOut(outBefore);
        System.setErr(errBefore);
    }
}
