/** {@link io.holdfast.micrometer.MicrometerObserver} tells a host's registries what Holdfast does. */
@NullMarked
package io.holdfast.micrometer;

import org.jspecify.annotations.NullMarked;
