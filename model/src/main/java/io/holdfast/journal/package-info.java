/** What runs have done, and under which lease. */
@NullMarked
package io.holdfast.journal;

import org.jspecify.annotations.NullMarked;
