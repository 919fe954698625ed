package io.holdfast.repository.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Scope;
import io.holdfast.agent.Ended;
import io.holdfast.agent.Saved;
import io.holdfast.approval.ApprovalPage;
import io.holdfast.approval.Consumption;
import io.holdfast.approval.Registration;
import io.holdfast.approval.Ruling;
import io.holdfast.approval.Withdrawal;
import io.holdfast.checkpoint.CheckpointCreation;
import io.holdfast.checkpoint.Purged;
import io.holdfast.checkpoint.Saving;
import io.holdfast.cleanup.Removed;
import io.holdfast.cleanup.RetentionReport;
import io.holdfast.idempotency.Completion;
import io.holdfast.idempotency.Reservation;
import io.holdfast.journal.Committed;
import io.holdfast.journal.Opened;
import io.holdfast.journal.Resolved;
import io.holdfast.journal.RunClaim;
import io.holdfast.lease.Acquisition;
import io.holdfast.lease.Renewal;
import io.holdfast.run.Append;
import io.holdfast.run.RunCreation;
import io.holdfast.run.RunUpdate;
import io.holdfast.session.SessionSave;
import io.holdfast.step.Begun;
import io.holdfast.step.Finished;
import io.holdfast.workflow.Cancellation;
import io.holdfast.workflow.Creation;
import io.holdfast.workflow.Update;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Stores, each of whose calls is made in its environment's way and looked at from a connection that has nothing to do with it:
 * an answer that says it has written has changed a row, which is there to stay; any other answer, and any exception, has
 * changed none. So each test of a contract shows that nothing vanishes and that losing writes nothing.
 */
final class Watched {

    /** The answers whose documentation says that something was written. */
    private static final Set<Class<?>> WRITTEN = Set.of(
            Creation.Created.class,
            Update.Updated.class,
            Cancellation.Requested.class,
            Acquisition.Granted.class,
            Renewal.Renewed.class,
            Reservation.New.class,
            Completion.Done.class,
            Begun.New.class,
            Begun.Resumed.class,
            Begun.Completed.class,
            Finished.Done.class,
            RunCreation.Created.class,
            RunUpdate.Updated.class,
            Append.Appended.class,
            SessionSave.Saved.class,
            Registration.Registered.class,
            Ruling.Decided.class,
            Consumption.Consumed.class,
            Consumption.Dispatched.class,
            Withdrawal.Withdrawn.class,
            Opened.Done.class,
            RunClaim.Granted.class,
            Committed.Done.class,
            Resolved.Done.class,
            Saved.Done.class,
            Ended.Done.class,
            CheckpointCreation.Created.class,
            Saving.Saved.class);

    // Every write of a row gives it another xmin; locking it does not.
    private static final String PICTURE = """
            select coalesce(string_agg(line, ' ' order by line), '') from (
              select 'w' || id || ':' || xmin || ctid from {workflow} where scope = ?
              union all select 'k' || key || ':' || xmin || ctid from {idempotency_key} where scope = ?
              union all select 'l' || kind || id || ':' || xmin || ctid from {lease} where scope = ?
              union all select 'r' || id || ':' || xmin || ctid from {run} where scope = ?
              union all select 'e' || run_id || seq || ':' || xmin || ctid from {run_event} where scope = ?
              union all select 's' || id || ':' || xmin || ctid from {workspace_session} where scope = ?
              union all select 'a' || id || ':' || xmin || ctid from {approval} where scope = ?
              union all select 'g' || run_id || ':' || xmin || ctid from {agent_checkpoint} where scope = ?
              union all select 'e' || id || ':' || xmin || ctid from {execution} where scope = ?
              union all select 's' || run_id || step_key || ':' || xmin || ctid from {execution_step} where scope = ?
              union all select 'f' || run_id || effect_id || ':' || xmin || ctid from {execution_effect} where scope = ?
              union all select 'v' || run_id || sequence || ':' || xmin || ctid from {execution_event} where scope = ?
              union all select 'c' || run_id || ':' || xmin || ctid from {checkpoint} where scope = ?
              union all select 'h' || run_id || revision || ':' || xmin || ctid from {checkpoint_entry} where scope = ?)
              x (line)
            """;

    private static final long TABLES = PICTURE.chars().filter(c -> c == '?').count();

    private final Environment environment;
    private final Scope scope;

    Watched(Environment environment, Scope scope) {
        this.environment = environment;
        this.scope = scope;
    }

    <T> T watch(Class<T> contract, T store) {
        return contract.cast(Proxy.newProxyInstance(
                contract.getClassLoader(),
                new Class<?>[] {contract},
                (proxy, method, args) -> seen(method.getName(), () -> invoke(method, store, args))));
    }

    private static Object invoke(Method method, Object store, Object[] args) {
        try {
            return method.invoke(store, args);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new AssertionError(method.getName() + " threw what it may not", e.getCause());
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }

    private Object seen(String method, Supplier<Object> call) {
        String before = picture();
        Object answer;
        try {
            answer = environment.perform(call);
        } catch (RuntimeException e) {
            assertThat(picture()).as(method + " threw, and changed nothing").isEqualTo(before);
            throw e;
        }
        if (!method.equals("plan") && hasWritten(answer)) {
            assertThat(picture()).as(method + " said it has written").isNotEqualTo(before);
        } else {
            assertThat(picture()).as(method + " has nothing written").isEqualTo(before);
        }
        return answer;
    }

    /** All rows of the scope, each with what changes when it is written. */
    String picture() {
        return environment.value(
                PICTURE, Collections.nCopies((int) TABLES, (Object) scope.id()).toArray());
    }

    private static boolean hasWritten(Object answer) {
        if (answer instanceof Map<?, ?> answers) {
            return answers.values().stream().anyMatch(Watched::hasWritten);
        }
        if (answer instanceof List<?> lines) {
            return lines.stream()
                    .anyMatch(ApprovalPage.Line.class::isInstance); // withdrawn: what is found comes in a page
        }
        if (answer instanceof Removed removed) {
            return removed.total() > 0;
        }
        if (answer instanceof Purged purged) {
            return purged.entries() > 0;
        }
        if (answer instanceof RetentionReport report) {
            return report.total().total() > 0;
        }
        if (answer instanceof Integer removed) {
            return removed > 0;
        }
        return Boolean.TRUE.equals(answer) || WRITTEN.contains(answer.getClass());
    }
}
