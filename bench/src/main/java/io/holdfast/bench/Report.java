package io.holdfast.bench;

import io.holdfast.bench.chart.Axis;
import io.holdfast.bench.chart.BarChart;
import java.util.List;
import java.util.Locale;

/** The results, for machines and for people. */
final class Report {

    private Report() {}

    static String tsv(List<Contest> contests) {
        StringBuilder out = new StringBuilder();
        for (Contest contest : contests) {
            for (int i = 0; i < contest.entrants().size(); i++) {
                out.append(line(
                        "%s\t%d\t%s\t%.0f\t%.3f\t%.3f\t%.2f\t%.0f",
                        contest.name(),
                        contest.threads(),
                        contest.entrants().get(i).name(),
                        contest.of(i, Shift::perSecond),
                        contest.milliseconds(i, 0.5),
                        contest.milliseconds(i, 0.99),
                        Figures.median(contest.ratios(i)),
                        contest.of(i, Shift::allocatedBytes)));
            }
        }
        return out.toString();
    }

    static String people(List<Contest> contests, Arena arena, Options options) {
        StringBuilder out = new StringBuilder(Conditions.of(arena, options));
        out.append(line(
                "%n%-25s%3s | %9s%8s%8s%9s | %9s%8s%8s%9s | %6s  %-12s%11s | %9s%7s  %-12s | %s",
                "operation",
                "thr",
                "holdfast",
                "p50 ms",
                "p99 ms",
                "cpu us",
                "jdbc",
                "p50 ms",
                "p99 ms",
                "cpu us",
                "ratio",
                "(rounds)",
                "unprepared",
                "hibernate",
                "times",
                "(rounds)",
                "wanted"));
        for (Contest contest : contests) {
            double[] ratios = contest.ratios(0);
            out.append(line(
                    "%-25s%3d | %9.0f%8s%8s%9s | %9.0f%8s%8s%9s | %6.2f  %-12s%11s | %s | %s",
                    contest.name(),
                    contest.threads(),
                    contest.of(0, Shift::perSecond),
                    milliseconds(contest, 0, 0.5),
                    milliseconds(contest, 0, 0.99),
                    cpu(contest, 0),
                    contest.of(1, Shift::perSecond),
                    milliseconds(contest, 1, 0.5),
                    milliseconds(contest, 1, 0.99),
                    cpu(contest, 1),
                    Figures.median(ratios),
                    rounds(ratios),
                    unprepared(contest),
                    hibernate(contest),
                    wanted(contest, ratios)));
            if (contest.operation() instanceof LeaseOperations.Contended) {
                out.append(line(
                        "%-25s    | least and most that a thread was granted, in fair shares: %s by Holdfast, %s by JDBC",
                        "", shares(contest, 0), shares(contest, 1)));
            }
        }
        return out.append(allocated(contests)).toString();
    }

    /** What calls leave for the collector: nearly the same in every round, on whatever machine. */
    private static String allocated(List<Contest> contests) {
        StringBuilder out = new StringBuilder(
                line("%n%-25s%3s | %9s%9s%10s", "bytes allocated a call", "thr", "holdfast", "jdbc", "hibernate"));
        for (Contest contest : contests) {
            if (contest.takesTurns()) {
                int hibernate = contest.number(Contest.HIBERNATE);
                out.append(line(
                        "%-25s%3d | %9.0f%9.0f%10s",
                        contest.name(),
                        contest.threads(),
                        contest.of(0, Shift::allocatedBytes),
                        contest.of(1, Shift::allocatedBytes),
                        hibernate < 0 ? "" : text("%.0f", contest.of(hibernate, Shift::allocatedBytes))));
            }
        }
        return out.toString();
    }

    /** For each number of threads, ratios to JDBC and bytes. */
    static void charts(List<Contest> contests, Options options) {
        for (int threads : options.threads()) {
            String by = threads == 1 ? " by one thread" : " by " + threads + " threads";
            BarChart ratios = new BarChart(
                            "Operations a second" + by,
                            Axis.linear("times those of plain JDBC, which is the line; whiskers: rounds"))
                    .reference(1);
            BarChart bytes = new BarChart("What a call allocates" + by, Axis.linear("bytes"));
            for (Contest contest : contests) {
                if (contest.threads() == threads && contest.takesTurns()) {
                    chart(contest, 0, ratios, bytes);
                    bytes(contest, 1, bytes);
                    if (contest.number(Contest.HIBERNATE) > 0) {
                        chart(contest, contest.number(Contest.HIBERNATE), ratios, bytes);
                    }
                }
            }
            options.given().chart("operations-" + threads, ratios.svg());
            options.given().chart("allocated-" + threads, bytes.svg());
        }
    }

    private static void chart(Contest contest, int entrant, BarChart ratios, BarChart bytes) {
        double[] rounds = contest.ratios(entrant);
        String name = contest.entrants().get(entrant).name();
        ratios.bar(contest.name(), name, Figures.median(rounds), rounds[0], rounds[rounds.length - 1]);
        bytes(contest, entrant, bytes);
    }

    private static void bytes(Contest contest, int entrant, BarChart bytes) {
        double value = contest.of(entrant, Shift::allocatedBytes);
        bytes.bar(contest.name(), contest.entrants().get(entrant).name(), value, value, value);
    }

    /** Another process does not say. */
    private static String milliseconds(Contest contest, int entrant, double quantile) {
        double value = contest.milliseconds(entrant, quantile);
        return Double.isNaN(value) ? "-" : text("%.2f", value);
    }

    /** Microseconds of client and server. */
    private static String cpu(Contest contest, int entrant) {
        return contest.entrants().get(entrant).outside() != null
                ? "-"
                : text("%.0f+%.0f", contest.of(entrant, Shift::clientMicros), contest.of(entrant, Shift::serverMicros));
    }

    private static String unprepared(Contest contest) {
        int entrant = contest.number("holdfast-unprepared");
        return entrant < 0 ? "" : text("%.2f", Figures.median(contest.ratios(entrant)));
    }

    /** Its calls a second, and how many times as many Holdfast makes. */
    private static String hibernate(Contest contest) {
        int entrant = contest.number(Contest.HIBERNATE);
        if (entrant < 0) {
            return text("%9s%7s  %-12s", "", "", "");
        }
        double[] times = contest.ratios(0, entrant);
        return text("%9.0f%7.2f  %-12s", contest.of(entrant, Shift::perSecond), Figures.median(times), rounds(times));
    }

    private static String rounds(double[] ratios) {
        return text("(%.2f-%.2f)", ratios[0], ratios[ratios.length - 1]);
    }

    private static String wanted(Contest contest, double[] ratios) {
        Contest.Goal goal = contest.goal();
        if (goal.median() == 0) {
            return "";
        }
        boolean met = Figures.median(ratios) >= goal.median() && ratios[0] >= goal.worst();
        if (contest.operation() instanceof LeaseOperations.Contended) {
            double[] shares = contest.shares(0);
            met = met && shares[0] >= 0.5 && shares[shares.length - 1] <= 2; // no thread goes short
        }
        return text("%.2f %s", goal.median(), met ? "yes" : "NO");
    }

    private static String shares(Contest contest, int entrant) {
        double[] shares = contest.shares(entrant);
        return text("%.2f to %.2f", shares[0], shares[shares.length - 1]);
    }

    private static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }

    private static String line(String format, Object... values) {
        return text(format + "%n", values);
    }
}
