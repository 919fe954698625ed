package io.holdfast.repository;

/** A host's observer that is out of order must not disturb what it watches. */
record GuardedObserver(Observer host) implements Observer {

    private static final System.Logger LOG = System.getLogger(Holdfast.class.getName());

    private static final Call NOTHING = (outcome, attempts) -> {};

    @Override
    public Call begins(Operation operation) {
        Call call;
        try {
            call = host.begins(operation);
        } catch (RuntimeException | LinkageError e) {
            failed(e);
            return NOTHING;
        }
        return (outcome, attempts) -> told(() -> call.ended(outcome, attempts));
    }

    @Override
    public void keeps(LeaseKeeper keeper) {
        told(() -> host.keeps(keeper));
    }

    @Override
    public void lost(KeptLease.End end) {
        told(() -> host.lost(end));
    }

    @Override
    public void waited(long nanos) {
        told(() -> host.waited(nanos));
    }

    private static void told(Runnable telling) {
        try {
            telling.run();
        } catch (RuntimeException | LinkageError e) {
            failed(e);
        }
    }

    /** Its text is the host's, and may hold anything. */
    private static void failed(Throwable e) {
        LOG.log(
                System.Logger.Level.DEBUG,
                "An observer failed: {0}",
                e.getClass().getName());
    }
}
