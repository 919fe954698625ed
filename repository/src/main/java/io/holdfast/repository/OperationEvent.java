package io.holdfast.repository;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

@Name("io.holdfast.Operation")
@Label("Holdfast Operation")
@Category("Holdfast")
@Description("One call of Holdfast, from the call to its answer")
@Enabled(false)
@StackTrace(false)
final class OperationEvent extends Event {

    @Label("Operation")
    @Nullable
    String operation;

    @Label("Outcome")
    @Nullable
    String outcome;

    @Label("Attempts")
    int attempts;
}
