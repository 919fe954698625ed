package io.holdfast.example.plain;

import io.holdfast.example.plain.Terminal.Colour;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Who held what, from when to when, with which token, and what happened to it. */
final class Timeline {

    private static final class Row {
        private final Instant at;
        private @Nullable Instant until;
        private final String worker;
        private final String order;
        private final long token;
        private String text;
        private Colour colour;

        Row(Instant at, String worker, String order, long token, String text, Colour colour) {
            this.at = at;
            this.worker = worker;
            this.order = order;
            this.token = token;
            this.text = text;
            this.colour = colour;
        }
    }

    private final RunClock clock;
    private final List<Row> rows = new ArrayList<>();

    Timeline(RunClock clock) {
        this.clock = clock;
    }

    /** A lease was granted: whoever held it before holds it no more. */
    void held(Instant at, String worker, Notice notice) {
        for (Row row : rows) {
            if (row.order.equals(notice.order()) && row.until == null && row.colour != Colour.RED) {
                row.until = at;
                row.text = "stopped in mid-step, its lease ran out";
                row.colour = Colour.YELLOW;
            }
        }
        boolean takeover = !notice.text().isEmpty();
        rows.add(new Row(
                at,
                worker,
                notice.order(),
                notice.token(),
                takeover ? notice.text() : "",
                takeover ? Colour.GREEN : Colour.PLAIN));
    }

    void finished(Instant at, Notice notice) {
        for (Row row : rows) {
            if (row.order.equals(notice.order()) && row.token == notice.token() && row.colour != Colour.RED) {
                row.until = at;
                row.text = row.text.isEmpty() ? "finished" : row.text + ", finished";
            }
        }
    }

    /** Something that does not happen every day. */
    void event(Instant at, String worker, String order, long token, String text) {
        rows.add(new Row(at, worker, order, token, text, Colour.RED));
    }

    void print(Terminal terminal) {
        var table = new TextTable(">from", ">to", "worker", "order", ">token", "");
        rows.sort(Comparator.comparing(row -> row.at));
        for (Row row : rows) {
            String until = row.until == null ? "" : clock.seconds(row.until);
            table.add(
                    row.colour,
                    List.of(clock.seconds(row.at), until, row.worker, row.order, Long.toString(row.token), row.text));
        }
        table.print(terminal);
    }
}
