package io.holdfast.repository;

import io.holdfast.Scope;
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
import org.jspecify.annotations.Nullable;

/** {@link JpaRuns}, with each call told to whoever watches. */
record ObservedRuns(Observing observing, Scope scope) implements Runs {

    @Override
    public RunCreation create(
            String id,
            Map<String, ? extends @Nullable Object> state,
            Map<String, ? extends @Nullable Object> metadata) {
        return observing.call(Operation.RUN_CREATE, on -> over(on).create(id, state, metadata), Outcomes::of);
    }

    @Override
    public Optional<Run> find(String id) {
        return observing.call(Operation.RUN_FIND, on -> over(on).find(id), Outcomes::ofFound);
    }

    @Override
    public RunUpdate update(Run read, RunChange change) {
        return observing.call(Operation.RUN_UPDATE, on -> over(on).update(read, change), Outcomes::of);
    }

    @Override
    public Append append(Run read, List<? extends Map<String, ? extends @Nullable Object>> events) {
        return observing.call(Operation.RUN_APPEND, on -> over(on).append(read, events), Outcomes::of);
    }

    @Override
    public Append append(String id, List<? extends Map<String, ? extends @Nullable Object>> events) {
        return observing.call(Operation.RUN_APPEND, on -> over(on).append(id, events), Outcomes::of);
    }

    @Override
    public List<RunEvent> events(String id, long afterSeq, int limit) {
        return observing.call(Operation.RUN_EVENTS, on -> over(on).events(id, afterSeq, limit), page -> Outcome.DONE);
    }

    @Override
    public List<RunSummary> list(String after, int limit) {
        return observing.call(Operation.RUN_LIST, on -> over(on).list(after, limit), page -> Outcome.DONE);
    }

    private JpaRuns over(Transactions transactions) {
        return new JpaRuns(transactions, scope);
    }
}
