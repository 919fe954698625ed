/**
 * Who a process is, so that another one on the same machine can tell that it is gone before its leases run out.
 *
 * <p>An owner text that names its process ({@link io.holdfast.process.ProcessIdentity}) is an owner as any other; nothing in
 * the stores depends on it. It only lets a neighbour give back at once what a dead process held, instead of waiting for the
 * expiry. Judged dead is only who cannot be alive: same machine, same boot, same process namespace, and the process gone,
 * replaced by another one of the same number, or a zombie. In doubt it is not dead.
 */
@NullMarked
package io.holdfast.process;

import org.jspecify.annotations.NullMarked;
