/**
 * Runs and sessions by nothing but a URL, for who does not want to know what keeps them.
 *
 * <p>{@link io.holdfast.connect.RunRepositories#open} reads the URL's scheme and looks for the jar that serves it. No message
 * shows a URL: a password may be in it.
 */
@NullMarked
package io.holdfast.connect;

import org.jspecify.annotations.NullMarked;
