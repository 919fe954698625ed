/** What every part of Holdfast shares: whose data it is ({@link io.holdfast.Scope}) and how it fails. */
@NullMarked
package io.holdfast;

import org.jspecify.annotations.NullMarked;
