/** An application whose path is a module path. */
module io.holdfast.example.modular {
    requires io.holdfast.model;
    requires io.holdfast.migrations;
    requires jakarta.persistence;
    requires org.hibernate.orm.core;
    requires embedded.postgres;
    requires static org.jspecify;
}
