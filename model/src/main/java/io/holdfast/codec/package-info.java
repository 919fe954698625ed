/** How text, JSON, numbers and times are written and read: one codec, used by every store. */
@NullMarked
package io.holdfast.codec;

import org.jspecify.annotations.NullMarked;
