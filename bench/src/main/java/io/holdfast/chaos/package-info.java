/**
 * A chaos run: worker processes use the library and write down what they were told, while a seeded plan of faults strikes them,
 * the network and the server. Then a checker holds what they were told against what is stored. See {@code docs/chaos.md}.
 */
@NullMarked
package io.holdfast.chaos;

import org.jspecify.annotations.NullMarked;
