/**
 * The tables as JPA entities, one each, read-only for applications: query them in JPQL and join them with your own, but leave
 * every write to the stores. They are registered by the mapping file {@code META-INF/holdfast-orm.xml}, which also names
 * their schema; an application that keeps them in another one lists the same classes in a mapping file of its own.
 */
@NullMarked
package io.holdfast.entity;

import org.jspecify.annotations.NullMarked;
