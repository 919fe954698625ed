package io.holdfast.state;

import java.util.List;

/**
 * The stage names of a planning agent's run, in their order. A stage may have any other name that
 * {@link io.holdfast.codec.Identifier#ident} accepts; an application that has its own steps names its own stages.
 */
public final class Stages {

    public static final String INITIALIZE = "initialize";
    public static final String MEMORY = "memory";
    public static final String INTENT = "intent";
    public static final String PLAN = "plan";
    public static final String VALIDATE = "validate";
    public static final String COMPILE = "compile";
    public static final String GUARD = "guard";
    public static final String GOVERN = "govern";
    public static final String AUTHORIZE = "authorize";
    public static final String EXECUTE = "execute";
    public static final String PROTECT = "protect";
    public static final String PERSIST = "persist";
    public static final String COMPLETE = "complete";

    /** All thirteen, in the order in which they run. */
    public static final List<String> IN_ORDER = List.of(
            INITIALIZE,
            MEMORY,
            INTENT,
            PLAN,
            VALIDATE,
            COMPILE,
            GUARD,
            GOVERN,
            AUTHORIZE,
            EXECUTE,
            PROTECT,
            PERSIST,
            COMPLETE);

    private Stages() {}
}
