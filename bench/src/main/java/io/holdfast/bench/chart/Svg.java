package io.holdfast.bench.chart;

import java.util.List;
import java.util.Locale;

/** The elements of a chart, put one after the other. Texts are escaped, lengths are pixels. */
final class Svg {

    /** Of a character, on average and generously: what lays out texts without measuring them. */
    static final double CHARACTER = 7.2;

    static final int WIDTH = 900;

    /** Distinct in print and for the colour-blind. */
    private static final List<String> COLOURS =
            List.of("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#666666", "#b8a800");

    private static final String GREY = "#dddddd";

    private final StringBuilder text = new StringBuilder();

    static String colour(int number) {
        return COLOURS.get(number % COLOURS.size());
    }

    Svg line(double x1, double y1, double x2, double y2, String colour) {
        return add("<line x1='%.1f' y1='%.1f' x2='%.1f' y2='%.1f' stroke='%s'/>", x1, y1, x2, y2, colour);
    }

    Svg grid(double x1, double y1, double x2, double y2) {
        return line(x1, y1, x2, y2, GREY);
    }

    Svg box(double x, double y, double width, double height, String colour) {
        return add(
                "<rect x='%.1f' y='%.1f' width='%.1f' height='%.1f' fill='%s'/>",
                x, y, Math.max(0, width), height, colour);
    }

    Svg path(List<double[]> points, String colour) {
        StringBuilder all = new StringBuilder();
        points.forEach(point -> all.append(String.format(Locale.ROOT, "%.1f,%.1f ", point[0], point[1])));
        add(
                "<polyline points='%s' fill='none' stroke='%s' stroke-width='2'/>",
                all.toString().strip(), colour);
        if (points.size() <= 40) {
            points.forEach(point -> add("<circle cx='%.1f' cy='%.1f' r='3' fill='%s'/>", point[0], point[1], colour));
        }
        return this;
    }

    /** @param anchor start, middle or end: what of the text is at {@code x} */
    Svg text(double x, double y, String anchor, String words) {
        return add("<text x='%.1f' y='%.1f' text-anchor='%s'>%s</text>", x, y, anchor, escaped(words));
    }

    Svg title(String words) {
        return add(
                "<text x='%d' y='24' text-anchor='middle' font-size='16' font-weight='bold'>%s</text>",
                WIDTH / 2, escaped(words));
    }

    Svg upright(double x, double y, String words) {
        return add(
                "<text x='%.1f' y='%.1f' text-anchor='middle' transform='rotate(-90 %.1f %.1f)'>%s</text>",
                x, y, x, y, escaped(words));
    }

    /** In rows from {@code y} on; returns where they end. */
    double legend(double y, double left, List<String> names) {
        double x = left;
        double row = y;
        for (int i = 0; i < names.size(); i++) {
            double width = 40 + CHARACTER * names.get(i).length();
            if (x + width > WIDTH && x > left) {
                x = left;
                row += 20;
            }
            box(x, row, 14, 10, colour(i));
            text(x + 20, row + 10, "start", names.get(i));
            x += width;
        }
        return row + 20;
    }

    private Svg add(String format, Object... values) {
        text.append(String.format(Locale.ROOT, format, values)).append('\n');
        return this;
    }

    String document(double height) {
        return String.format(
                        Locale.ROOT,
                        "<svg xmlns='http://www.w3.org/2000/svg' width='%1$d' height='%2$.0f' viewBox='0 0 %1$d %2$.0f'"
                                + " font-family='sans-serif' font-size='12'>%n<rect width='100%%' height='100%%' fill='white'/>%n",
                        WIDTH,
                        height)
                + text
                + "</svg>\n";
    }

    private static String escaped(String words) {
        return words.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
