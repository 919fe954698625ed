package io.holdfast.micrometer;

import io.holdfast.repository.KeeperState;
import io.holdfast.repository.LeaseKeeper;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

/** The keepers of a process as one: a gauge has one value, and usually there is one keeper. */
final class Keepers {

    private static final double NANOS = 1e9;

    private final List<LeaseKeeper> open = new CopyOnWriteArrayList<>();

    void add(LeaseKeeper keeper) {
        open.removeIf(each -> !each.isOpen());
        open.add(keeper);
    }

    void register(MeterRegistry meters) {
        gauge(
                meters,
                Meters.HELD,
                () -> states().stream().mapToInt(KeeperState::held).sum());
        gauge(
                meters,
                Meters.RENEWAL_LAG,
                () -> states().stream()
                        .map(KeeperState::renewalLag)
                        .mapToDouble(Keepers::seconds)
                        .max()
                        .orElse(0));
        gauge(
                meters,
                Meters.NEXT_LOSS,
                () -> states().stream()
                        .flatMap(state -> state.untilNextLoss().stream())
                        .mapToDouble(Keepers::seconds)
                        .min()
                        .orElse(Double.NaN));
    }

    private List<KeeperState> states() {
        return open.stream().filter(LeaseKeeper::isOpen).map(LeaseKeeper::state).toList();
    }

    private static double seconds(Duration time) {
        return time.toNanos() / NANOS;
    }

    private static void gauge(MeterRegistry meters, Meters meter, Supplier<Number> value) {
        Gauge.Builder<Supplier<Number>> gauge =
                Gauge.builder(meter.meter(), value).description(meter.description());
        if (meter.kind().endsWith("seconds")) {
            gauge.baseUnit("seconds");
        }
        gauge.register(meters);
    }
}
