package io.holdfast.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A command line of options, some with a value. */
final class Arguments {

    /** Where charts go: an option of every program. */
    static final String CHARTS = "--charts";

    private final Map<String, String> values = new HashMap<>();
    private final Set<String> flags = new HashSet<>();

    private Arguments() {}

    /** @throws IllegalArgumentException naming what is no option, is given twice, or lacks its value */
    static Arguments parse(Set<String> flags, Set<String> valued, String... args) {
        Arguments parsed = new Arguments();
        for (int i = 0; i < args.length; i++) {
            String option = args[i];
            boolean fresh;
            if (flags.contains(option)) {
                fresh = parsed.flags.add(option);
            } else if (valued.contains(option) && i + 1 < args.length) {
                fresh = parsed.values.put(option, args[++i]) == null;
            } else {
                throw new IllegalArgumentException(option);
            }
            if (!fresh) {
                throw new IllegalArgumentException("twice " + option);
            }
        }
        return parsed;
    }

    /** Those of a program; null, and the help is printed, if it is asked for or something is not understood. */
    static @Nullable Arguments of(String help, Set<String> flags, Set<String> valued, String... args) {
        if (List.of(args).contains("--help")) {
            System.out.print(help);
            return null;
        }
        try {
            return parse(flags, valued, args);
        } catch (IllegalArgumentException e) {
            System.err.print("Not understood: " + e.getMessage() + "\n" + help);
            System.exit(2);
            return null;
        }
    }

    boolean has(String flag) {
        return flags.contains(flag);
    }

    String text(String option, String otherwise) {
        return values.getOrDefault(option, otherwise);
    }

    int number(String option, int otherwise) {
        return (int) decimal(option, otherwise);
    }

    double decimal(String option, double otherwise) {
        String given = values.get(option);
        if (given == null) {
            return otherwise;
        }
        try {
            return Double.parseDouble(given);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(option + " " + given, e);
        }
    }

    List<String> list(String option, String otherwise) {
        return Arrays.stream(text(option, otherwise).split(","))
                .filter(part -> !part.isBlank())
                .toList();
    }

    /** Writes a chart to where {@code --charts} says, if it says anything. */
    void chart(String name, String svg) {
        String directory = values.get(CHARTS);
        if (directory == null) {
            return;
        }
        try {
            Path file = Files.createDirectories(Path.of(directory)).resolve(name + ".svg");
            Files.writeString(file, svg);
            System.err.println("chart: " + file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
