package io.holdfast.repository;

/** What can be observed: the methods of the contracts, and a transaction of several. */
public enum Operation {
    WORKFLOW_CREATE("workflow.create"),
    /** Also with a request id. */
    WORKFLOW_FIND("workflow.find"),
    WORKFLOW_UPDATE("workflow.update"),
    WORKFLOW_UPDATE_FENCED("workflow.updateFenced"),
    WORKFLOW_REQUEST_CANCEL("workflow.requestCancel"),
    WORKFLOW_LIST("workflow.list"),
    WORKFLOW_SEARCH("workflow.search"),
    LEASE_ACQUIRE("lease.acquire"),
    LEASE_RENEW("lease.renew"),
    /** Also the keeper's renewals. */
    LEASE_RENEW_ALL("lease.renewAll"),
    LEASE_RELEASE("lease.release"),
    LEASE_FIND("lease.find"),
    KEY_RESERVE("key.reserve"),
    KEY_COMPLETE("key.complete"),
    KEY_COMPLETE_FENCED("key.completeFenced"),
    KEY_FIND("key.find"),
    STEP_BEGIN("step.begin"),
    STEP_FINISH("step.finish"),
    STEP_STEP("step.step"),
    RUN_CREATE("run.create"),
    RUN_FIND("run.find"),
    RUN_UPDATE("run.update"),
    RUN_APPEND("run.append"),
    RUN_EVENTS("run.events"),
    RUN_LIST("run.list"),
    SESSION_FIND("session.find"),
    SESSION_SAVE("session.save"),
    SESSION_LIST("session.list"),
    APPROVAL_REGISTER("approval.register"),
    APPROVAL_FIND("approval.find"),
    APPROVAL_DECIDE("approval.decide"),
    APPROVAL_DISPATCH("approval.dispatch"),
    APPROVAL_CONSUME("approval.consume"),
    APPROVAL_WITHDRAW("approval.withdraw"),
    APPROVAL_WITHDRAW_EXPIRED("approval.withdrawExpired"),
    /** Also of one run. */
    APPROVAL_LIST("approval.list"),
    JOURNAL_OPEN("journal.open"),
    JOURNAL_CLAIM("journal.claim"),
    JOURNAL_FIND("journal.find"),
    JOURNAL_COMMIT("journal.commit"),
    JOURNAL_RESOLVE_EFFECT("journal.resolveEffect"),
    JOURNAL_STEPS("journal.steps"),
    JOURNAL_EFFECTS("journal.effects"),
    JOURNAL_EVENTS("journal.events"),
    JOURNAL_RECOVERABLE("journal.recoverable"),
    JOURNAL_PURGE("journal.purge"),
    AGENT_SAVE("agent.save"),
    AGENT_PAUSE("agent.pause"),
    AGENT_LOAD("agent.load"),
    AGENT_FINISH("agent.finish"),
    AGENT_PURGE("agent.purge"),
    AGENT_INCOMPLETE("agent.incomplete"),
    CHECKPOINT_CREATE("checkpoint.create"),
    CHECKPOINT_SAVE("checkpoint.save"),
    CHECKPOINT_OVERWRITE("checkpoint.overwrite"),
    CHECKPOINT_FIND("checkpoint.find"),
    CHECKPOINT_HISTORY("checkpoint.history"),
    CHECKPOINT_CHILDREN("checkpoint.children"),
    CHECKPOINT_IDENTITIES("checkpoint.identities"),
    CHECKPOINT_INCOMPLETE("checkpoint.incomplete"),
    CHECKPOINT_PURGE("checkpoint.purge"),
    CLEANUP_PASS("cleanup.pass"),
    CLEANUP_PLAN("cleanup.plan"),
    /** As a whole, with its pauses. */
    CLEANUP_RUN("cleanup.run"),
    /** {@link Holdfast#atomically}; what is called inside it is observed as well. */
    TRANSACTION("transaction");

    private final String label;

    Operation(String label) {
        this.label = label;
    }

    /** As it is named in metrics, recordings and messages. */
    public String label() {
        return label;
    }
}
