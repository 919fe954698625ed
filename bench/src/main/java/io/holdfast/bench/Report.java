package io.holdfast.bench;

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
                        "%s\t%d\t%s\t%.0f\t%.3f\t%.3f\t%.2f",
                        contest.name(),
                        contest.threads(),
                        contest.entrants().get(i).name(),
                        contest.of(i, Shift::perSecond),
                        contest.milliseconds(i, 0.5),
                        contest.milliseconds(i, 0.99),
                        Contest.median(contest.ratios(i))));
            }
        }
        return out.toString();
    }

    static String people(List<Contest> contests, Arena arena, Options options) {
        StringBuilder out = new StringBuilder(Conditions.of(arena, options));
        out.append(line(
                "%n%-25s%3s | %9s%8s%8s%9s | %9s%8s%8s%9s | %6s  %-12s%11s | %s",
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
                "wanted"));
        for (Contest contest : contests) {
            double[] ratios = contest.ratios(0);
            out.append(line(
                    "%-25s%3d | %9.0f%8.2f%8.2f%9s | %9.0f%8.2f%8.2f%9s | %6.2f  %-12s%11s | %s",
                    contest.name(),
                    contest.threads(),
                    contest.of(0, Shift::perSecond),
                    contest.milliseconds(0, 0.5),
                    contest.milliseconds(0, 0.99),
                    cpu(contest, 0),
                    contest.of(1, Shift::perSecond),
                    contest.milliseconds(1, 0.5),
                    contest.milliseconds(1, 0.99),
                    cpu(contest, 1),
                    Contest.median(ratios),
                    line("(%.2f-%.2f)", ratios[0], ratios[ratios.length - 1]).strip(),
                    contest.hasUnprepared()
                            ? line("%.2f", Contest.median(contest.ratios(2))).strip()
                            : "",
                    wanted(contest, ratios)));
            if (contest.operation() instanceof LeaseOperations.Contended) {
                out.append(line(
                        "%-25s    | least and most that a thread was granted, in fair shares: %s by Holdfast, %s by JDBC",
                        "", shares(contest, 0), shares(contest, 1)));
            }
        }
        return out.toString();
    }

    /** Microseconds of client and server. */
    private static String cpu(Contest contest, int entrant) {
        return line("%.0f+%.0f", contest.of(entrant, Shift::clientMicros), contest.of(entrant, Shift::serverMicros))
                .strip();
    }

    private static String wanted(Contest contest, double[] ratios) {
        Contest.Goal goal = contest.goal();
        if (goal.median() == 0) {
            return "";
        }
        boolean met = Contest.median(ratios) >= goal.median() && ratios[0] >= goal.worst();
        if (contest.operation() instanceof LeaseOperations.Contended) {
            double[] shares = contest.shares(0);
            met = met && shares[0] >= 0.5 && shares[shares.length - 1] <= 2; // no thread goes short
        }
        return line("%.2f %s", goal.median(), met ? "yes" : "NO").strip();
    }

    private static String shares(Contest contest, int entrant) {
        double[] shares = contest.shares(entrant);
        return line("%.2f to %.2f", shares[0], shares[shares.length - 1]).strip();
    }

    private static String line(String format, Object... values) {
        return String.format(Locale.ROOT, format + "%n", values);
    }
}
