package io.holdfast.repository;

import io.holdfast.entity.AgentCheckpointEntity;
import io.holdfast.entity.ApprovalEntity;
import io.holdfast.entity.CheckpointEntity;
import io.holdfast.entity.CheckpointEntryEntity;
import io.holdfast.entity.ExecutionEffectEntity;
import io.holdfast.entity.ExecutionEntity;
import io.holdfast.entity.ExecutionEventEntity;
import io.holdfast.entity.ExecutionStepEntity;
import io.holdfast.entity.IdempotencyEntity;
import io.holdfast.entity.LeaseEntity;
import io.holdfast.entity.LeaseFloorEntity;
import io.holdfast.entity.RunEntity;
import io.holdfast.entity.RunEventEntity;
import io.holdfast.entity.WorkflowEntity;
import io.holdfast.entity.WorkspaceSessionEntity;
import io.holdfast.failure.InvalidValueException;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Table;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.hibernate.engine.spi.SessionFactoryImplementor;

/**
 * What the tables are called in this persistence unit: as its mapping says, so that an application that keeps them in
 * another schema is obeyed. {@code {h-schema}} would not do: it follows the host's default schema.
 */
final class Tables {

    /** What a persistence unit must have; in a statement each is called as its table is, in braces. */
    static final List<Class<?>> ENTITIES = List.of(
            WorkflowEntity.class,
            IdempotencyEntity.class,
            LeaseEntity.class,
            LeaseFloorEntity.class,
            ExecutionEntity.class,
            ExecutionStepEntity.class,
            ExecutionEffectEntity.class,
            ExecutionEventEntity.class,
            CheckpointEntity.class,
            CheckpointEntryEntity.class,
            RunEntity.class,
            RunEventEntity.class,
            WorkspaceSessionEntity.class,
            ApprovalEntity.class,
            AgentCheckpointEntity.class);

    /** A table that no entity maps, and the functions that this release calls, by version: a later one may bring others. */
    private static final Map<String, String> BESIDES = Map.of(
            "{workflow_label}", "workflow_label",
            "{step_begin}", "step_begin_v1",
            "{step_finish}", "step_finish_v1",
            "{step_whole}", "step_whole_v1",
            "{journal_commit}", "journal_commit_v1",
            "{journal_effect}", "journal_effect_v1");

    /** What those functions read and write. */
    private static final List<String> STEPPED = List.of(
            "workflow",
            "idempotency_key",
            "lease",
            "execution",
            "execution_step",
            "execution_effect",
            "execution_event",
            "approval");

    /**
     * The first common table expression of every statement that may wait. It bounds the wait for locks without a round trip,
     * also in autocommit, and leaves nothing behind on the connection. Whatever locks must depend on it, or it comes too late.
     * So it also says since when the statement may have been waiting: what it sees of a lease in share is of before.
     */
    private static final String PATIENCE = "patience as materialized (select set_config('lock_timeout',"
            + " coalesce(cast(:lock_timeout as text), current_setting('lock_timeout')), true), clock_timestamp() as since)";

    private final Map<String, String> names;
    private final Map<String, NamedParameters> resolved = new ConcurrentHashMap<>();

    private Tables(Map<String, String> names) {
        this.names = names;
    }

    /** @throws InvalidValueException if the unit does not have the entities */
    static Tables of(EntityManagerFactory factory) {
        var metamodel = factory.unwrap(SessionFactoryImplementor.class).getMappingMetamodel();
        Map<String, String> names = new ConcurrentHashMap<>();
        ENTITIES.forEach(entity -> {
            var mapped = metamodel.findEntityDescriptor(entity);
            if (mapped == null) {
                throw new InvalidValueException(
                        "persistence unit",
                        "have Holdfast's entities: name META-INF/holdfast-orm.xml in it as a <mapping-file>");
            }
            names.put(placeholder(entity), mapped.getMappedTableDetails().getTableName());
        });
        requireTogether(names);
        BESIDES.forEach(
                (placeholder, name) -> names.put(placeholder, besides(names.getOrDefault("{workflow}", ""), name)));
        return new Tables(names);
    }

    /** The functions work on the tables beside them, whatever the mapping says of those. */
    private static void requireTogether(Map<String, String> names) {
        String workflow = names.getOrDefault("{workflow}", "");
        for (String table : STEPPED) {
            String mapped = names.getOrDefault("{" + table + "}", "").replace("\"" + table + "\"", table);
            if (!mapped.equals(besides(workflow, table))) {
                throw new InvalidValueException(
                        "persistence unit",
                        "map the tables " + String.join(", ", STEPPED)
                                + " into one schema and under these names: there are functions that work on them");
            }
        }
    }

    private static String placeholder(Class<?> entity) {
        return "{" + entity.getAnnotation(Table.class).name() + "}";
    }

    /** What no entity maps is where the workflows are. */
    private static String besides(String workflow, String name) {
        return workflow.substring(0, workflow.lastIndexOf('.') + 1) + name;
    }

    /** The statement as it is sent: with the tables' names, and without the comments, which the server need not parse. */
    NamedParameters resolve(String sql) {
        return resolved.computeIfAbsent(sql, this::resolved);
    }

    private NamedParameters resolved(String sql) {
        String text = sql.replaceAll("--[^\n]*", "")
                .replace("{patience}", PATIENCE)
                .replaceAll("\\s+", " ")
                .strip();
        return NamedParameters.of(text).naming(names); // last: names may have colons
    }

    /** The schema of the workflow table without quotes; empty when the connection's search path decides. */
    String schema() {
        String table = names.getOrDefault("{workflow}", "");
        int dot = table.lastIndexOf('.');
        String schema = dot < 0 ? "" : table.substring(0, dot);
        return schema.startsWith("\"")
                ? schema.substring(1, schema.length() - 1).replace("\"\"", "\"")
                : schema.toLowerCase(Locale.ROOT); // as the server reads it
    }
}
