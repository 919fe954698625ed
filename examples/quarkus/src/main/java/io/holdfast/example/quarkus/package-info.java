/**
 * Orders on Quarkus: each business transaction writes the order's row and the workflow's together. What a reader looks for
 * first is {@link io.holdfast.example.quarkus.HoldfastProducer}.
 */
@NullMarked
package io.holdfast.example.quarkus;

import org.jspecify.annotations.NullMarked;
