/**
 * Orders on an application server: each business transaction writes the order's row and the workflow's together. What a
 * reader looks for first is {@link io.holdfast.example.jakarta.HoldfastProducer}.
 */
@NullMarked
package io.holdfast.example.jakarta;

import org.jspecify.annotations.NullMarked;
