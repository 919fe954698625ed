package io.holdfast.bench.chart;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** Lines over an axis. */
public final class LineChart {

    private static final double LEFT = 80;
    private static final double RIGHT = Svg.WIDTH - 30;
    private static final double HEIGHT = 340;

    private final String title;
    private final Axis across;
    private final Axis up;
    private final Map<String, List<double[]>> lines = new LinkedHashMap<>();

    public LineChart(String title, Axis across, Axis up) {
        this.title = title;
        this.across = across;
        this.up = up;
    }

    /** Another point of a line. One that a logarithmic axis cannot show is left out. */
    public LineChart point(String line, double x, double y) {
        boolean shown = Double.isFinite(x)
                && Double.isFinite(y)
                && (x > 0 || !across.logarithmic())
                && (y > 0 || !up.logarithmic());
        List<double[]> points = lines.computeIfAbsent(line, name -> new ArrayList<>());
        if (shown) {
            points.add(new double[] {x, y});
        }
        return this;
    }

    public String svg() {
        Svg svg = new Svg().title(title);
        double top = svg.legend(44, LEFT, List.copyOf(lines.keySet())) + 10;
        double bottom = top + HEIGHT;
        List<Double> xs = ticks(across, point -> point[0]);
        List<Double> ys = ticks(up, point -> point[1]);
        for (double tick : xs) {
            double x = x(tick, xs);
            svg.grid(x, top, x, bottom).text(x, bottom + 18, "middle", Axis.text(tick));
        }
        for (double tick : ys) {
            double y = bottom - up.place(tick, ys) * HEIGHT;
            svg.grid(LEFT, y, RIGHT, y).text(LEFT - 8, y + 4, "end", Axis.text(tick));
        }
        svg.line(LEFT, bottom, RIGHT, bottom, "black").line(LEFT, top, LEFT, bottom, "black");
        svg.text((LEFT + RIGHT) / 2, bottom + 42, "middle", across.label()).upright(18, (top + bottom) / 2, up.label());
        int number = 0;
        for (List<double[]> points : lines.values()) {
            svg.path(
                    points.stream()
                            .map(point -> new double[] {x(point[0], xs), bottom - up.place(point[1], ys) * HEIGHT})
                            .toList(),
                    Svg.colour(number++));
        }
        return svg.document(bottom + 60);
    }

    private double x(double value, List<Double> ticks) {
        return LEFT + across.place(value, ticks) * (RIGHT - LEFT);
    }

    private List<Double> ticks(Axis axis, ToDoubleFunction<double[]> part) {
        double[] values = lines.values().stream()
                .flatMap(List::stream)
                .mapToDouble(part)
                .sorted()
                .toArray();
        return values.length == 0 ? axis.ticks(1, 10) : axis.ticks(values[0], values[values.length - 1]);
    }
}
