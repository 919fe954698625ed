package io.holdfast.journal;

import io.holdfast.codec.Given;
import java.util.List;

/**
 * A run and what belongs to it, all of one moment. Of steps, effects and events each the first
 * {@link ExecutionJournal#MAX_PAGE}: {@link Run#steps}, {@link Run#effects} and {@link RunHead#events} say how many there
 * are, and the journal's lists have the rest.
 *
 * @param run the run
 * @param steps in the order in which they were first written
 * @param effects in the order in which they were first written
 * @param events in their order
 */
public record RunSnapshot(Run run, List<RecordedStep> steps, List<Effect> effects, List<RecordedEvent> events) {

    public RunSnapshot {
        Given.value("run", run);
        steps = List.copyOf(Given.value("steps", steps));
        effects = List.copyOf(Given.value("effects", effects));
        events = List.copyOf(Given.value("events", events));
    }

    /** Whether nothing was left out. */
    public boolean isComplete() {
        return steps.size() == run.steps()
                && effects.size() == run.effects()
                && events.size() == run.head().events();
    }
}
