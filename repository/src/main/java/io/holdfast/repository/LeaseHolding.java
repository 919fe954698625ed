package io.holdfast.repository;

import io.holdfast.Scope;
import io.holdfast.lease.Fence;
import io.holdfast.lease.LeaseKey;

/** A lease that this process holds, in whichever scope. */
record LeaseHolding(Scope scope, LeaseKey key, Fence fence) {}
