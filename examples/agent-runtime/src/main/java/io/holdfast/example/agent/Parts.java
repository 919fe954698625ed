package io.holdfast.example.agent;

import io.holdfast.approval.Approvals;
import io.holdfast.journal.ExecutionJournal;
import io.holdfast.journal.RunLeases;
import io.holdfast.repository.Stores;
import java.util.List;
import java.util.Optional;

/** What a loop works with: the stores of its scope, what thinks, and what acts. */
record Parts(
        Stores stores, ExecutionJournal journal, RunLeases leases, Approvals approvals, Model model, List<Tool> tools) {

    static Parts of(Stores stores, Model model, List<Tool> tools) {
        return new Parts(stores, stores.journal(), stores.runLeases(), stores.approvals(), model, tools);
    }

    /** The same, with points before and after each call that leaves the loop: an application has nothing of the kind. */
    Parts with(Points points) {
        return new Parts(
                stores,
                points.around("journal", ExecutionJournal.class, journal),
                points.around("runLeases", RunLeases.class, leases),
                points.around("approvals", Approvals.class, approvals),
                points.around("model", Model.class, model),
                tools.stream()
                        .map(tool -> tool.with(points.around(tool.name(), Tool.Outside.class, tool.outside())))
                        .toList());
    }

    Optional<Tool> tool(String name) {
        return tools.stream().filter(tool -> tool.name().equals(name)).findFirst();
    }
}
