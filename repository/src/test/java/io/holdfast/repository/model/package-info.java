/** Random sequences of operations on the stores and on a model of them in memory, which have to agree after every step. */
package io.holdfast.repository.model;
