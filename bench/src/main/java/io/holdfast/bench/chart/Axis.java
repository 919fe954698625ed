package io.holdfast.bench.chart;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What an axis shows.
 *
 * @param label with the unit
 * @param logarithmic by powers of ten; then all values have to be above zero
 */
public record Axis(String label, boolean logarithmic) {

    private static final int MOST_TICKS = 8;
    private static final double[] ROUND = {1, 2, 5, 10};

    public static Axis linear(String label) {
        return new Axis(label, false);
    }

    public static Axis logarithmic(String label) {
        return new Axis(label, true);
    }

    /** From the first to the last tick: round numbers around what is shown; a linear axis begins at zero. */
    List<Double> ticks(double least, double most) {
        return logarithmic ? powers(least, most) : steps(Math.max(most, 1e-9));
    }

    private static List<Double> steps(double most) {
        double step = step(most / MOST_TICKS);
        List<Double> ticks = new ArrayList<>();
        int number = 0;
        do {
            ticks.add(number * step);
        } while (number++ * step < most);
        return ticks;
    }

    private static double step(double atLeast) {
        double power = Math.pow(10, Math.floor(Math.log10(atLeast)));
        for (double round : ROUND) {
            if (round * power >= atLeast) {
                return round * power;
            }
        }
        return 10 * power;
    }

    /** Less than two decades get twos and fives as well. */
    private static List<Double> powers(double least, double most) {
        int from = (int) Math.floor(Math.log10(least) + 1e-9);
        int to = Math.max(from + 1, (int) Math.ceil(Math.log10(most) - 1e-9));
        List<Double> ticks = new ArrayList<>();
        for (int power = from; power < to; power++) {
            ticks.add(Math.pow(10, power));
            if (to - from <= 2) {
                ticks.add(2 * Math.pow(10, power));
                ticks.add(5 * Math.pow(10, power));
            }
        }
        ticks.add(Math.pow(10, to));
        while (ticks.size() > 2 && ticks.get(1) <= least) {
            ticks.remove(0);
        }
        while (ticks.size() > 2 && ticks.get(ticks.size() - 2) >= most) {
            ticks.remove(ticks.size() - 1);
        }
        return ticks;
    }

    /** Where a value is, from 0 at the first tick to 1 at the last. */
    double place(double value, List<Double> ticks) {
        double first = ticks.get(0);
        double last = ticks.get(ticks.size() - 1);
        return logarithmic ? Math.log(value / first) / Math.log(last / first) : (value - first) / (last - first);
    }

    /** Short: 0.05, 2,500, 40 k, 3 M. */
    static String text(double value) {
        if (Math.abs(value) >= 999_999.5) {
            return trimmed(value / 1e6) + " M";
        }
        if (Math.abs(value) >= 9_999.5) {
            return trimmed(value / 1e3) + " k";
        }
        return trimmed(value);
    }

    private static String trimmed(double value) {
        if (value == Math.rint(value)) {
            return String.format(Locale.ROOT, "%,d", (long) value);
        }
        int digits = Math.max(0, 2 - (int) Math.floor(Math.log10(Math.abs(value)))); // three figures that count
        return String.format(Locale.ROOT, "%,." + digits + "f", value)
                .replaceFirst("(\\.\\d*?)0+$", "$1")
                .replaceFirst("\\.$", "");
    }
}
