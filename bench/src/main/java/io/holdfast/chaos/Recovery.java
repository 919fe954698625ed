package io.holdfast.chaos;

import static java.util.Objects.requireNonNull;

import io.holdfast.chaos.Desk.Answer;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableSet;
import java.util.OptionalLong;
import java.util.TreeSet;

/**
 * How long it took from a fault's end until a write was acknowledged again: to the worker that it struck, or to every worker.
 *
 * @param nanos empty if it never was
 */
record Recovery(Fault fault, OptionalLong nanos) {

    /** When each worker was told that it wrote something. */
    static Map<String, NavigableSet<Long>> writes(List<Entry> history, Collection<String> workers) {
        Map<String, NavigableSet<Long>> writes = new HashMap<>();
        workers.forEach(worker -> writes.put(worker, new TreeSet<>()));
        for (Entry entry : history) {
            if (entry.answer().equals(Answer.DONE)) {
                writes.computeIfAbsent(entry.worker(), worker -> new TreeSet<>())
                        .add(entry.at());
            }
        }
        return writes;
    }

    /**
     * @param ended when the fault had ended, by the clock of the history
     * @param writes as of {@link #writes}
     */
    static Recovery of(Fault fault, long ended, Map<String, NavigableSet<Long>> writes, List<String> workers) {
        List<String> struck = fault.kind().ofServer ? workers : List.of(workers.get(fault.worker()));
        long last = 0;
        for (String worker : struck) {
            Long first = requireNonNull(writes.get(worker)).ceiling(ended);
            if (first == null) {
                return new Recovery(fault, OptionalLong.empty());
            }
            last = Math.max(last, first - ended);
        }
        return new Recovery(fault, OptionalLong.of(last));
    }

    @Override
    public String toString() {
        return fault
                + (nanos.isPresent()
                        ? String.format(Locale.ROOT, "  | writes again after %.1f s", nanos.getAsLong() / 1e9)
                        : "  | NO WRITE SINCE");
    }
}
