package io.holdfast.bench;

import io.holdfast.Scope;
import io.holdfast.run.Append;
import io.holdfast.run.Runs;
import java.util.List;
import java.util.Map;

/** The operations on runs. */
final class RunOperations {

    private RunOperations() {}

    /**
     * One event more: all threads on one run, or each on a thousand in turn.
     *
     * @param runs how many
     */
    record AppendEvent(int runs) implements Operation {

        private static final List<Map<String, Object>> EVENT = List.of(Map.of(
                "type", "tool.called", "tool", "search", "call_id", "call-17", "arguments", Map.of("q", "order 17")));

        @Override
        public String name() {
            return runs == 1 ? "append-hot" : "append-spread";
        }

        @Override
        public void prepare(Rows rows, Scope scope, int threads, int each) {
            rows.runs(scope, runs);
        }

        @Override
        public Call calls(Rows rows, Scope scope, int thread, Contender contender) {
            Runs store = contender.runs();
            int first = thread * (runs / 8); // threads go round one behind the other
            return number ->
                    Answers.is(Append.Appended.class, store.append(Rows.id(0, (first + number) % runs), EVENT));
        }

        /** None if the numbers of a run's events have a gap. */
        @Override
        public long effects(Rows rows, Scope scope, long[] done) {
            long numbered = rows.count("coalesce(sum(last_seq), 0)", "run", scope);
            long events = rows.count("count(distinct (run_id, seq))", "run_event", scope);
            return numbered == events ? events : -1;
        }
    }
}
