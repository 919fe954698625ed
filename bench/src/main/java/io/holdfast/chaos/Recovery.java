package io.holdfast.chaos;

import io.holdfast.chaos.Desk.Answer;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;

/**
 * How long it took from a fault's end until a write was acknowledged again: to the worker that it struck, or to every worker.
 *
 * @param nanos empty if it never was
 */
record Recovery(Fault fault, OptionalLong nanos) {

    /** @param ended when the fault had ended, by the clock of the history */
    static Recovery of(Fault fault, long ended, List<Entry> history, List<String> workers) {
        List<String> struck = fault.kind().ofServer ? workers : List.of(workers.get(fault.worker()));
        long last = 0;
        for (String worker : struck) {
            OptionalLong first = history.stream()
                    .filter(entry -> entry.at() >= ended && isDone(entry, worker))
                    .mapToLong(Entry::at)
                    .min();
            if (first.isEmpty()) {
                return new Recovery(fault, OptionalLong.empty());
            }
            last = Math.max(last, first.getAsLong() - ended);
        }
        return new Recovery(fault, OptionalLong.of(last));
    }

    static boolean isDone(Entry entry, String worker) {
        return entry.answer().equals(Answer.DONE) && entry.worker().equals(worker);
    }

    @Override
    public String toString() {
        return fault
                + (nanos.isPresent()
                        ? String.format(Locale.ROOT, "  | writes again after %.1f s", nanos.getAsLong() / 1e9)
                        : "  | NO WRITE SINCE");
    }
}
