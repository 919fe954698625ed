package io.holdfast.repository;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** An observer that remembers all that it was told, a line each. */
final class Heard implements Observer {

    final List<String> begun = new CopyOnWriteArrayList<>();
    final List<String> ended = new CopyOnWriteArrayList<>();
    final List<KeptLease.End> lost = new CopyOnWriteArrayList<>();
    final List<Long> waits = new CopyOnWriteArrayList<>();
    final List<LeaseKeeper> keepers = new CopyOnWriteArrayList<>();

    @Override
    public Call begins(Operation operation) {
        begun.add(operation.label());
        return (outcome, attempts) ->
                ended.add(operation.label() + " " + outcome.label() + (attempts == 1 ? "" : " after " + attempts));
    }

    @Override
    public void keeps(LeaseKeeper keeper) {
        keepers.add(keeper);
    }

    @Override
    public void lost(KeptLease.End end) {
        lost.add(end);
    }

    @Override
    public void waited(long nanos) {
        waits.add(nanos);
    }

    void forget() {
        begun.clear();
        ended.clear();
    }
}
