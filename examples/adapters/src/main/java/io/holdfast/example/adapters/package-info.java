/** What other frameworks ask of a store, kept by Holdfast: copy the class you need, and change it. */
@NullMarked
package io.holdfast.example.adapters;

import org.jspecify.annotations.NullMarked;
