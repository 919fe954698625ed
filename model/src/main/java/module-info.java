/** What Holdfast keeps and what it promises: contracts, values, entities. */
module io.holdfast.model {
    requires transitive jakarta.persistence;
    requires org.hibernate.orm.core;
    requires io.hypersistence.utils.hibernate.type;
    requires tools.jackson.databind;
    requires static org.jspecify;

    exports io.holdfast;
    exports io.holdfast.codec;
    exports io.holdfast.failure;
}
