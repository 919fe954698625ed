/** Holdfast beside the same SQL in plain JDBC, in one run, as ratios. {@code bench/run --help} says how. */
@NullMarked
package io.holdfast.bench;

import org.jspecify.annotations.NullMarked;
