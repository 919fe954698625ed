package io.holdfast.cli;

import io.holdfast.cleanup.Ended;
import io.holdfast.cleanup.Keep;
import io.holdfast.cleanup.Kind;
import io.holdfast.cleanup.RetentionRule;
import io.holdfast.state.WorkflowStatus;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the options of cleanup say, as a rule. */
final class CleanupRule {

    private static final String EVER = "ever";

    private static final List<WorkflowStatus> WORKFLOWS =
            List.of(WorkflowStatus.SUCCEEDED, WorkflowStatus.FAILED, WorkflowStatus.CLOSED);

    private static final Map<Kind, List<String>> RUNS = Map.of(
            Kind.JOURNALS, List.of("completed", "failed"),
            Kind.CHECKPOINTS, List.of("completed", "failed", "rejected"),
            Kind.AGENTS, List.of("finished", "purged"));

    private static final List<String> SETTLED = List.of("rejected", "consumed", "withdrawn");

    private final @Nullable Integer newest;
    private RetentionRule rule = RetentionRule.KEEP_ALL;

    private CleanupRule(@Nullable Integer newest) {
        this.newest = newest;
    }

    /**
     * @param finished unless {@code keep} says otherwise of a status
     * @param newest null: as many as there are
     */
    static CleanupRule of(Duration finished, Map<String, String> keep, @Nullable Integer newest) {
        CleanupRule made = new CleanupRule(newest);
        Map<String, String> unknown = new LinkedHashMap<>(keep);
        for (WorkflowStatus status : WORKFLOWS) {
            Keep kept = made.keep(finished, keep.get(status.wire()));
            made.rule = kept == null ? made.rule : made.rule.with(status, kept);
            unknown.remove(status.wire());
        }
        RUNS.forEach((kind, statuses) -> statuses.forEach(status -> {
            made.add(new Ended(kind, status), made.keep(finished, keep.get(status)));
            unknown.remove(status);
        }));
        if (!unknown.isEmpty()) {
            throw Refusal.usage(
                    "--keep is for succeeded, failed, closed, completed, rejected, finished or purged, as --keep"
                            + " failed=180d");
        }
        return made;
    }

    CleanupRule with(String approvals, Map<String, String> runs) {
        SETTLED.forEach(status -> add(
                new Ended(Kind.APPROVALS, status),
                approvals.equals(EVER) ? null : limited(Age.of("--approvals", approvals))));
        runs.forEach((status, age) -> add(new Ended(Kind.RUNS, status), limited(Age.of("--runs", age))));
        return this;
    }

    CleanupRule with(@Nullable Duration sessions, @Nullable Integer entries) {
        if (sessions != null) {
            add(new Ended(Kind.SESSIONS, ""), Keep.during(sessions));
        }
        if (entries != null) {
            add(new Ended(Kind.ENTRIES, ""), Keep.newest(entries));
        }
        return this;
    }

    RetentionRule rule() {
        return rule;
    }

    private void add(Ended which, @Nullable Keep keep) {
        rule = keep == null ? rule : rule.with(which, keep);
    }

    private @Nullable Keep keep(Duration finished, @Nullable String given) {
        if (EVER.equals(given)) {
            return newest == null ? null : Keep.newest(newest);
        }
        return limited(given == null ? finished : Age.of("--keep", given));
    }

    private Keep limited(Duration time) {
        return newest == null ? Keep.during(time) : Keep.during(time).atMost(newest);
    }
}
