package io.holdfast.bench;

import io.holdfast.Scope;
import io.holdfast.codec.Canonical;
import io.holdfast.repository.SentStatements;
import io.holdfast.run.Append;
import io.holdfast.run.Run;
import io.holdfast.run.RunChange;
import io.holdfast.run.RunCreation;
import io.holdfast.run.RunEvent;
import io.holdfast.run.RunSummary;
import io.holdfast.run.RunUpdate;
import io.holdfast.run.Runs;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** The run store's append in plain JDBC, into the same values. */
final class JdbcRuns implements Runs {

    record Texts(Sql append) {

        static Texts of(SentStatements sent) {
            return new Texts(Sql.named(
                    sent.text("JpaRuns", "APPEND"),
                    "lock_timeout",
                    "scope",
                    "id",
                    "incarnation",
                    "count",
                    "types",
                    "payloads"));
        }
    }

    private final DataSource source;
    private final Texts texts;
    private final String scope;

    JdbcRuns(DataSource source, Texts texts, Scope scope) {
        this.source = source;
        this.texts = texts;
        this.scope = scope.id();
    }

    @Override
    public Append append(String id, List<? extends Map<String, ? extends @Nullable Object>> events) {
        StringBuilder types = new StringBuilder();
        StringBuilder payloads = new StringBuilder();
        for (Map<String, ? extends @Nullable Object> event : events) {
            String separator = types.isEmpty() ? "{" : ",";
            types.append(separator).append(event.get("type"));
            String payload = Canonical.write("event", event);
            payloads.append(separator)
                    .append('"')
                    .append(payload.replace("\\", "\\\\").replace("\"", "\\\""))
                    .append('"');
        }
        return texts.append()
                .row(
                        source,
                        row -> new Append.Appended(
                                row.getLong("last_seq") - events.size() + 1,
                                row.getLong("last_seq"),
                                Sql.time(row, "updated_at")),
                        Contender.PATIENCE,
                        scope,
                        id,
                        Sql.Absent.TEXT, // to whichever stands there
                        (long) events.size(),
                        types.append('}').toString(),
                        payloads.append('}').toString());
    }

    @Override
    public Append append(Run read, List<? extends Map<String, ? extends @Nullable Object>> events) {
        throw new UnsupportedOperationException();
    }

    @Override
    public RunCreation create(
            String id,
            Map<String, ? extends @Nullable Object> state,
            Map<String, ? extends @Nullable Object> metadata) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Optional<Run> find(String id) {
        throw new UnsupportedOperationException();
    }

    @Override
    public RunUpdate update(Run read, RunChange change) {
        throw new UnsupportedOperationException();
    }

    @Override
    public List<RunEvent> events(String id, long afterSeq, int limit) {
        throw new UnsupportedOperationException();
    }

    @Override
    public List<RunSummary> list(String after, int limit) {
        throw new UnsupportedOperationException();
    }
}
