package io.holdfast.bench;

import java.util.Arrays;

/** What is made of many measurements. */
final class Figures {

    private Figures() {}

    /** Of values in ascending order. */
    static double median(double[] sorted) {
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    /** In milliseconds, of nanoseconds in ascending order; NaN if there are none. */
    static double milliseconds(long[] sorted, double quantile) {
        return sorted.length == 0
                ? Double.NaN
                : sorted[(int) Math.min(sorted.length - 1, sorted.length * quantile)] / 1e6;
    }

    /** What each has got, in fair shares, ascending: all ones if all have got the same. */
    static double[] shares(double[] got) {
        double fair = Arrays.stream(got).average().orElse(0);
        return Arrays.stream(got).map(n -> fair == 0 ? 0 : n / fair).sorted().toArray();
    }

    /** A median with the least and the most: {@code 0.95 (0.86-1.00)}. */
    static String spread(double[] sorted) {
        return String.format(
                java.util.Locale.ROOT, "%.2f (%.2f-%.2f)", median(sorted), sorted[0], sorted[sorted.length - 1]);
    }
}
