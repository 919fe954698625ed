/**
 * How Hibernate keeps the promises. {@link io.holdfast.repository.Holdfast} is the way in: it hands out the contracts of
 * module {@code model}, bound to a scope. {@link io.holdfast.repository.LeaseKeeper} renews the leases that a process holds,
 * and tells its workers when they must stop. Everything else here is package-private: one store per contract, each a list
 * of SQL statements with the reasons beside them, over one seam that knows whose transaction it is.
 */
@NullMarked
package io.holdfast.repository;

import org.jspecify.annotations.NullMarked;
