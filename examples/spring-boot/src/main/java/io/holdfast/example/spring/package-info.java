/** Orders of a Spring Boot application, each with a workflow: rows of two tables, in one persistence unit and one transaction. */
@NullMarked
package io.holdfast.example.spring;

import org.jspecify.annotations.NullMarked;
