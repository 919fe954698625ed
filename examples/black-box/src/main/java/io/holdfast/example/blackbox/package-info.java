/**
 * One suite for every framework example. It knows the application by two URLs and two process ids, and nothing of what is
 * inside: the interface it expects is in this module's README.
 */
@NullMarked
package io.holdfast.example.blackbox;

import org.jspecify.annotations.NullMarked;
