package io.holdfast.repository;

/** Two that watch the same. The second begins inside the first, and ends before it. */
record BothObservers(Observer first, Observer second) implements Observer {

    @Override
    public Call begins(Operation operation) {
        Call outer = first.begins(operation);
        Call inner = second.begins(operation);
        return (outcome, attempts) -> {
            inner.ended(outcome, attempts);
            outer.ended(outcome, attempts);
        };
    }

    @Override
    public void keeps(LeaseKeeper keeper) {
        first.keeps(keeper);
        second.keeps(keeper);
    }

    @Override
    public void lost(KeptLease.End end) {
        first.lost(end);
        second.lost(end);
    }

    @Override
    public void waited(long nanos) {
        first.waited(nanos);
        second.waited(nanos);
    }
}
