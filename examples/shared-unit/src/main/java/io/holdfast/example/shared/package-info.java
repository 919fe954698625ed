/** A shop that keeps its own entities and Holdfast's in one persistence unit, with settings of its own for everything. */
@NullMarked
package io.holdfast.example.shared;

import org.jspecify.annotations.NullMarked;
