/**
 * What can break, as types. Every store throws the same few, chosen by the SQLState that the database gave and never by
 * the class of the driver's or Hibernate's exception, which differs between versions.
 *
 * <table>
 * <caption>SQLState to exception</caption>
 * <tr><th>SQLState or cause</th><th>exception</th><th>retryable</th></tr>
 * <tr><td>57014, 55P03, a query timeout</td><td>{@link io.holdfast.failure.StoreTimeoutException}</td><td>yes</td></tr>
 * <tr><td>08xxx, 57P01 to 57P05, 25P03, 25P04, 53xxx, 25006, no connection from the pool, a pool that was closed</td>
 *     <td>{@link io.holdfast.failure.StoreUnavailableException}</td><td>yes</td></tr>
 * <tr><td>the connection lost when a commit's answer was due</td>
 *     <td>{@link io.holdfast.failure.OutcomeUnknownException}</td><td>yes</td></tr>
 * <tr><td>40001, 40P01</td><td>{@link io.holdfast.failure.TransactionLostException}</td><td>yes</td></tr>
 * <tr><td>23505</td><td>{@link io.holdfast.failure.StateConflictException}</td><td>no</td></tr>
 * <tr><td>42P01, 42703, 3F000</td><td>{@link io.holdfast.failure.SchemaMismatchException}</td><td>no</td></tr>
 * <tr><td>42501, 28xxx, 3D000, 0LP01</td><td>{@link io.holdfast.failure.StoreDeniedException}</td><td>no</td></tr>
 * <tr><td>22xxx</td><td>{@link io.holdfast.failure.InvalidValueException}</td><td>no</td></tr>
 * <tr><td>none: the facade or keeper was closed, or a mistake in the library or in Hibernate</td>
 *     <td>{@link io.holdfast.failure.StoreUnavailableException}</td><td>no</td></tr>
 * <tr><td>anything else</td><td>{@link io.holdfast.failure.StoreUnavailableException}</td><td>no</td></tr>
 * </table>
 */
@NullMarked
package io.holdfast.failure;

import org.jspecify.annotations.NullMarked;
