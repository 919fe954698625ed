/** The smallest program that shows that Holdfast's modules name all they need, and open all that Hibernate needs. */
@NullMarked
package io.holdfast.example.modular;

import org.jspecify.annotations.NullMarked;
