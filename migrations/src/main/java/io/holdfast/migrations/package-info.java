/**
 * The tables, in numbered files of plain SQL, and the code that runs them and reports on them.
 *
 * <p>A {@link io.holdfast.migrations.Component} is a named set of migrations with a history table of its own;
 * {@link io.holdfast.migrations.Migrator} brings a schema to the version this release needs;
 * {@link io.holdfast.migrations.SchemaCheck} refuses at opening what this release cannot work with. A file that has
 * been released never changes, and a schema that is newer than the release is refused and left as it is.
 */
@NullMarked
package io.holdfast.migrations;

import org.jspecify.annotations.NullMarked;
