/** An application whose path is a module path. */
module io.holdfast.example.modular {
    requires io.holdfast.repository;
    requires embedded.postgres;
    requires static org.jspecify;
}
