/** Metrics and traces of Holdfast, by Micrometer. */
module io.holdfast.micrometer {
    requires transitive io.holdfast.repository;
    requires transitive micrometer.core;
    requires transitive micrometer.observation;
    requires micrometer.commons;
    requires static transitive org.jspecify;

    exports io.holdfast.micrometer;
}
