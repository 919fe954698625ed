/**
 * A real PostgreSQL for every test: the server, a database per test, roles with limited grants, and a proxy that counts
 * round trips, delays and cuts.
 */
@NullMarked
package io.holdfast.testing;

import org.jspecify.annotations.NullMarked;
