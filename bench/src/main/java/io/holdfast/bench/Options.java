package io.holdfast.bench;

import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * What the command line says.
 *
 * @param seconds the longest time of a contender in a cell of one round; less where the whole must end within a time
 * @param within seconds for the whole, from the start of the JVM
 */
record Options(
        boolean quick,
        boolean tsv,
        Set<String> operations,
        List<Integer> threads,
        int rounds,
        double seconds,
        double delayMillis,
        double within) {

    static final String HELP = """
            Measures Holdfast's operations beside the same SQL in plain JDBC, on the same pool, as ratios.

              bench/run                  warm, at least five rounds, at 1 and 8 threads; some 11 minutes
              bench/run --quick          one unwarmed round at 8 threads, within 50 seconds: whether it runs, no more

              --tsv                      lines of: operation, threads, contender, ops/s, p50 ms, p99 ms, ratio to JDBC
              --ops create,step          only these
              --threads 1,8              only with so many threads
              --rounds 5
              --seconds 1                at most so long per contender, cell and round
              --delay-ms 0.5             what begin+finish is measured with as well
              --within 690               so many seconds for the whole; cells are shortened to fit
            """;

    static Options parse(String... args) {
        List<String> given = List.of(args);
        boolean quick = given.contains("--quick");
        for (int i = 0; i < args.length; i++) {
            if (!Set.of("--quick", "--tsv").contains(args[i])) {
                if (!Set.of("--ops", "--threads", "--rounds", "--seconds", "--delay-ms", "--within")
                                .contains(args[i])
                        || i + 1 == args.length) {
                    throw new IllegalArgumentException(args[i]);
                }
                i++;
            }
        }
        return new Options(
                quick,
                given.contains("--tsv"),
                Set.copyOf(list(value(given, "--ops", ""))),
                list(value(given, "--threads", quick ? "8" : "8,1")).stream()
                        .map(Integer::valueOf)
                        .toList(),
                Integer.parseInt(value(given, "--rounds", quick ? "1" : "5")),
                Double.parseDouble(value(given, "--seconds", quick ? "0.3" : "1")),
                Double.parseDouble(value(given, "--delay-ms", "0.5")),
                Double.parseDouble(value(given, "--within", quick ? "45" : "690")));
    }

    boolean wants(Contest contest) {
        return threads.contains(contest.threads()) && (operations.isEmpty() || operations.contains(contest.name()));
    }

    private static String value(List<String> given, String option, String otherwise) {
        int at = given.indexOf(option);
        return at < 0 ? otherwise : given.get(at + 1);
    }

    private static List<String> list(String text) {
        return Arrays.stream(text.split(",")).filter(part -> !part.isBlank()).toList();
    }
}
