package io.holdfast.repository;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

@Name("io.holdfast.LeaseLost")
@Label("Holdfast Lease Lost")
@Category("Holdfast")
@Description("A kept lease has ended, other than by its worker's release")
@Enabled(false)
@StackTrace(false)
final class LeaseLostEvent extends Event {

    @Label("Cause")
    @Nullable
    String cause;
}
