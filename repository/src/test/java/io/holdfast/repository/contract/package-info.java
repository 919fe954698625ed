/**
 * What the contracts promise, as abstract tests, and the environments in which they are run. An environment is a subclass of
 * {@link io.holdfast.repository.contract.Environment} and a test class that lists the contracts in it.
 */
package io.holdfast.repository.contract;
