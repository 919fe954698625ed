package io.holdfast.chaos;

/**
 * What a worker does again and again with one of the stores. It writes down each call and what it was told, and what it writes
 * can be told apart. A store is added to the run by a class like these, a line in {@link Worker}, and a rule in {@link Checker}
 * if none of its rules covers what was written down.
 */
interface Workload {

    /** One piece of work. An exception ends it; what it was in the middle of is left as it is. */
    void work(Desk desk) throws InterruptedException;
}
