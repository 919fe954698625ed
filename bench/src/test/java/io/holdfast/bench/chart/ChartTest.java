package io.holdfast.bench.chart;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.xml.sax.InputSource;

class ChartTest {

    private static Document parsed(String svg) throws Exception {
        return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new InputSource(new StringReader(svg)));
    }

    private static List<String> texts(Document svg) {
        List<String> texts = new ArrayList<>();
        var elements = svg.getElementsByTagName("text");
        for (int i = 0; i < elements.getLength(); i++) {
            texts.add(elements.item(i).getTextContent());
        }
        return texts;
    }

    private static LineChart lines() {
        return new LineChart("Rates <&> more", Axis.logarithmic("rows"), Axis.linear("calls a second"));
    }

    @Test
    void aLineChartNamesItselfItsAxesAndItsLines() throws Exception {
        Document svg = parsed(lines().point("find", 1_000, 20)
                .point("find", 10_000, 10)
                .point("renew", 1_000, 5)
                .svg());
        assertThat(texts(svg)).contains("Rates <&> more", "rows", "calls a second", "find", "renew", "10 k");
        assertThat(svg.getElementsByTagName("polyline").getLength()).isEqualTo(2);
    }

    @Test
    void aPointThatCannotBeShownIsLeftOut() throws Exception {
        Document svg = parsed(lines().point("find", 0, 1)
                .point("find", 10, Double.NaN)
                .point("find", 10, 1)
                .svg());
        assertThat(svg.getElementsByTagName("circle").getLength()).isEqualTo(1);
    }

    @Test
    void aChartOfNothingIsOne() throws Exception {
        assertThat(texts(parsed(lines().svg()))).contains("rows");
        assertThat(texts(parsed(new BarChart("None", Axis.linear("ms")).svg()))).contains("None");
    }

    @Test
    void aBarChartNamesItsGroupsAndWritesTheValueOfEachBar() throws Exception {
        Document svg = parsed(new BarChart("Ratios", Axis.linear("times"))
                .reference(1)
                .bar("create", "holdfast", 0.95, 0.9, 1)
                .bar("create", "hibernate", 0.5, 0.4, 0.6)
                .bar("find", "holdfast", Double.NaN, Double.NaN, Double.NaN)
                .svg());
        assertThat(texts(svg)).contains("Ratios", "times", "create", "find", "holdfast", "hibernate", "0.95", "none");
    }

    @Test
    void aLegendThatIsTooLongGoesOnInTheNextRowAndTheChartBelowIt() throws Exception {
        LineChart many = lines();
        for (int i = 0; i < 20; i++) {
            many.point("a line with a long name " + i, 1_000, 1);
        }
        var elements = parsed(many.svg()).getElementsByTagName("text");
        double lowest = 0;
        double tick = Double.MAX_VALUE;
        for (int i = 0; i < elements.getLength(); i++) {
            Element text = (Element) elements.item(i);
            double y = Double.parseDouble(text.getAttribute("y"));
            if (text.getTextContent().startsWith("a line")) {
                lowest = Math.max(lowest, y);
                assertThat(Double.parseDouble(text.getAttribute("x"))).isLessThan(Svg.WIDTH - 100);
            } else if (text.getAttribute("text-anchor").equals("end")) {
                tick = Math.min(tick, y);
            }
        }
        assertThat(lowest).isGreaterThan(60).isLessThan(tick);
    }
}
