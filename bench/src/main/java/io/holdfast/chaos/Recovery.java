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
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * How long it took from a fault's end until a write was acknowledged again: to each thread of the worker that it struck, or of
 * every worker.
 *
 * @param nanos empty if it never was
 * @param handedOver the longest that others asked for a lease which a killed or frozen worker held until they had it
 */
record Recovery(Fault fault, OptionalLong nanos, OptionalLong handedOver) {

    /** After these, others have to wait for what the worker held. */
    private static final Set<Fault.Kind> HOLDING = Set.of(Fault.Kind.KILL_WORKER, Fault.Kind.FREEZE_WORKER);

    /** When each thread of each worker was told that it wrote something, in whichever life. */
    static Map<String, NavigableSet<Long>> writes(List<Entry> history, Collection<String> workers) {
        Map<String, NavigableSet<Long>> writes = new HashMap<>();
        workers.forEach(worker -> threads(worker).forEach(thread -> writes.put(thread, new TreeSet<>())));
        for (Entry entry : history) {
            if (entry.answer().equals(Answer.DONE)) {
                writes.computeIfAbsent(entry.thread(), thread -> new TreeSet<>())
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
        for (String thread : struck.stream().flatMap(Recovery::threads).toList()) {
            Long first = requireNonNull(writes.get(thread)).ceiling(ended);
            if (first == null) {
                return new Recovery(fault, OptionalLong.empty(), OptionalLong.empty());
            }
            last = Math.max(last, first - ended);
        }
        return new Recovery(fault, OptionalLong.of(last), OptionalLong.empty());
    }

    /** @param history in the order of its times */
    Recovery with(List<Entry> history, long ended, List<String> workers) {
        return HOLDING.contains(fault.kind())
                ? new Recovery(
                        fault,
                        nanos,
                        Handover.longest(
                                history,
                                workers.get(fault.worker()),
                                ended - TimeUnit.MILLISECONDS.toNanos(fault.lasting())))
                : this;
    }

    private static Stream<String> threads(String worker) {
        return IntStream.rangeClosed(1, Worker.THREADS).mapToObj(number -> worker + ".t" + number);
    }

    @Override
    public String toString() {
        return fault
                + (nanos.isPresent()
                        ? String.format(Locale.ROOT, "  | writes again after %.1f s", nanos.getAsLong() / 1e9)
                        : "  | NO WRITE SINCE")
                + (handedOver.isPresent()
                        ? String.format(
                                Locale.ROOT,
                                "; what it held, others had %.1f s after they asked",
                                handedOver.getAsLong() / 1e9)
                        : "");
    }
}
