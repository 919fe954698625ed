/**
 * The command line, for whoever operates the database. Each command is a class; {@link io.holdfast.cli.Cli} puts them together,
 * {@link io.holdfast.cli.Host} is the process they run in, and {@link io.holdfast.cli.Database} is how they reach the tables:
 * reading in a read-only transaction, writing in one whose statement also notes who did it and why.
 *
 * <p>What is printed never holds a URL, a password, SQL or a workflow's snapshot, except SQL where {@code db print} is asked
 * for it.
 */
@NullMarked
package io.holdfast.cli;

import org.jspecify.annotations.NullMarked;
