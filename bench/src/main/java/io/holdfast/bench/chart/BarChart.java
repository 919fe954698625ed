package io.holdfast.bench.chart;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Bars that lie, in groups, with the least and the most as a whisker. */
public final class BarChart {

    private static final double BAR = 14;
    private static final double GAP = 10;
    private static final double VALUE = 60;

    private final String title;
    private final Axis axis;
    private final Map<String, List<Bar>> groups = new LinkedHashMap<>();
    private final Set<String> series = new LinkedHashSet<>();
    private double reference = Double.NaN;

    private record Bar(String series, double value, double least, double most) {}

    /** @param axis linear: a bar begins at zero */
    public BarChart(String title, Axis axis) {
        this.title = title;
        this.axis = axis;
    }

    public BarChart bar(String group, String name, double value, double least, double most) {
        series.add(name);
        groups.computeIfAbsent(group, any -> new ArrayList<>()).add(new Bar(name, value, least, most));
        return this;
    }

    /** A value that all are to be compared with. */
    public BarChart reference(double value) {
        reference = value;
        return this;
    }

    public String svg() {
        Svg svg = new Svg().title(title);
        double left = 24
                + Svg.CHARACTER
                        * groups.keySet().stream()
                                .mapToInt(String::length)
                                .max()
                                .orElse(0);
        double right = Svg.WIDTH - VALUE;
        double top = svg.legend(44, left, List.copyOf(series)) + 10;
        double bottom = top
                + GAP
                + groups.values().stream()
                        .mapToDouble(bars -> bars.size() * BAR + GAP)
                        .sum();
        double most = groups.values().stream()
                .flatMap(List::stream)
                .mapToDouble(Bar::most)
                .filter(Double::isFinite)
                .max()
                .orElse(1);
        List<Double> ticks = axis.ticks(0, Double.isNaN(reference) ? most : Math.max(most, reference));
        double scale = right - left;
        for (double tick : ticks) {
            double x = left + axis.place(tick, ticks) * scale;
            svg.grid(x, top, x, bottom).text(x, bottom + 18, "middle", Axis.text(tick));
        }
        double y = top + GAP;
        for (var group : groups.entrySet()) {
            double height = group.getValue().size() * BAR;
            svg.text(left - 8, y + height / 2 + 4, "end", group.getKey());
            for (Bar bar : group.getValue()) {
                bar(svg, bar, y, left, scale, ticks);
                y += BAR;
            }
            y += GAP;
        }
        if (!Double.isNaN(reference)) {
            double x = left + axis.place(reference, ticks) * scale;
            svg.line(x, top, x, bottom, "#d55e00");
        }
        svg.line(left, top, left, bottom, "black").line(left, bottom, right, bottom, "black");
        svg.text((left + right) / 2, bottom + 42, "middle", axis.label());
        return svg.document(bottom + 60);
    }

    private void bar(Svg svg, Bar bar, double y, double left, double scale, List<Double> ticks) {
        if (!Double.isFinite(bar.value())) {
            svg.text(left + 4, y + 11, "start", "none");
            return;
        }
        int number = List.copyOf(series).indexOf(bar.series());
        double middle = y + BAR / 2 - 1;
        double from = left + axis.place(bar.least(), ticks) * scale;
        double to = left + axis.place(bar.most(), ticks) * scale;
        svg.box(left, y, axis.place(bar.value(), ticks) * scale, BAR - 2, Svg.colour(number));
        svg.line(from, middle, to, middle, "black");
        svg.line(from, middle - 3, from, middle + 3, "black").line(to, middle - 3, to, middle + 3, "black");
        svg.text(to + 6, y + 11, "start", Axis.text(bar.value()));
    }
}
