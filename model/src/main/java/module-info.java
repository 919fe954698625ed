/** What Holdfast keeps and what it promises: contracts, values, entities. */
module io.holdfast.model {
    requires transitive java.sql;
    // Only the entities need these: who brings Hibernate has them, who only migrates does without.
    requires static jakarta.persistence;
    requires static org.hibernate.orm.core;
    requires static io.hypersistence.utils.hibernate.type;
    requires tools.jackson.databind;
    requires static transitive org.jspecify;

    uses io.holdfast.connect.RunRepositoryProvider;

    exports io.holdfast;
    exports io.holdfast.agent;
    exports io.holdfast.approval;
    exports io.holdfast.checkpoint;
    exports io.holdfast.cleanup;
    exports io.holdfast.codec;
    exports io.holdfast.connect;
    exports io.holdfast.entity;
    exports io.holdfast.failure;
    exports io.holdfast.idempotency;
    exports io.holdfast.journal;
    exports io.holdfast.lease;
    exports io.holdfast.process;
    exports io.holdfast.run;
    exports io.holdfast.session;
    exports io.holdfast.state;
    exports io.holdfast.step;
    exports io.holdfast.workflow;

    // Hibernate reads and writes fields.
    opens io.holdfast.entity;
}
