package io.holdfast.bench;

import io.holdfast.Scope;

/** What is measured: the rows it needs, one call of it, and what must be in the database afterwards. */
interface Operation {

    /** How many rows of each table a thread goes round, where an operation writes the same row again. */
    int HELD = 64;

    String name();

    /**
     * Makes the rows that the calls need; untimed.
     *
     * @param each how many calls a thread makes at most
     */
    void prepare(Rows rows, Scope scope, int threads, int each);

    /** The calls of one thread, one after the other. */
    Call calls(Rows rows, Scope scope, int thread, Contender contender);

    /**
     * How many effects the database shows.
     *
     * @param done the calls that each thread has made; the answer must be their sum
     */
    long effects(Rows rows, Scope scope, long[] done);

    /** Makes call number 0, 1, … and throws unless it succeeds. */
    interface Call {

        void make(int number);
    }
}
