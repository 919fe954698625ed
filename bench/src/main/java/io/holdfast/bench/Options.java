package io.holdfast.bench;

import java.util.List;
import java.util.Set;

/**
 * What the command line says.
 *
 * @param seconds the longest time of a contender in a cell of one round; less where the whole must end within a time
 * @param within seconds for the whole, from the start of the JVM
 * @param given the command line, for what is said about charts
 */
record Options(
        boolean quick,
        boolean tsv,
        Set<String> operations,
        List<Integer> threads,
        int rounds,
        double seconds,
        double delayMillis,
        double within,
        boolean withoutChecks,
        Arguments given) {

    static final String HELP = """
            Measures Holdfast's operations beside the same SQL in plain JDBC, on the same pool, as ratios.

              bench/run                  warm, at least five rounds, at 1 and 8 threads; some 11 minutes
              bench/run --quick          one unwarmed round at 8 threads, within 50 seconds: whether it runs, no more

              --tsv                      lines of: operation, threads, contender, ops/s, p50 ms, p99 ms, ratio to JDBC,
                                         bytes allocated by a call
              --ops create,step          only these
              --threads 1,8              only with so many threads
              --rounds 5
              --seconds 1                at most so long per contender, cell and round
              --delay-ms 0.5             what begin+finish is measured with as well
              --within 690               so many seconds for the whole; cells are shortened to fit
              --without-checks           takes all check constraints off the tables, to see what they cost
              --charts DIR               writes a chart of the ratios, and one of what calls allocate
            """;

    static Options parse(String... args) {
        Arguments given = Arguments.parse(
                Set.of("--quick", "--tsv", "--without-checks"),
                Set.of("--ops", "--threads", "--rounds", "--seconds", "--delay-ms", "--within", Arguments.CHARTS),
                args);
        boolean quick = given.has("--quick");
        return new Options(
                quick,
                given.has("--tsv"),
                Set.copyOf(given.list("--ops", "")),
                given.list("--threads", quick ? "8" : "8,1").stream()
                        .map(Integer::valueOf)
                        .toList(),
                given.number("--rounds", quick ? 1 : 5),
                given.decimal("--seconds", quick ? 0.3 : 1),
                given.decimal("--delay-ms", 0.5),
                given.decimal("--within", quick ? 45 : 690),
                given.has("--without-checks"),
                given);
    }

    boolean wants(Contest contest) {
        return threads.contains(contest.threads()) && (operations.isEmpty() || operations.contains(contest.name()));
    }
}
