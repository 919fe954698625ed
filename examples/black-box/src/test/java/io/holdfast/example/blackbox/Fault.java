package io.holdfast.example.blackbox;

/** What a fake application does wrong. */
enum Fault {
    WORKFLOW_SURVIVES_ROLLBACK,
    BREAK_IS_NOT_NOTICED,
    ROW_LEFT_BEHIND,
    REVISION_NOT_LOOKED_AT,
    ENDED_MOVES_ON,
    LISTS_EVERYTHING,
    OUTER_COMMITS,
    FLUSHES_EARLY,
    DETACHES,
    CLEARS_CACHE,
    BOTH_HOLD,
    TOKEN_STAYS,
    NOBODY_RENEWS,
    TOKEN_NOT_LOOKED_AT,
    LIMIT_NOT_SAID,
    STARTS_TWICE
}
