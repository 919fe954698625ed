package io.holdfast.journal;

import io.holdfast.codec.Given;
import java.util.List;
import java.util.Optional;

/**
 * A page of runs to recover.
 *
 * @param runs by id; may be empty although there is more, since how many runs are looked at for one page is bounded
 * @param next where the next page begins; empty if there is nothing behind
 */
public record RecoverablePage(List<RecoverableRun> runs, Optional<String> next) {

    public RecoverablePage {
        runs = List.copyOf(Given.value("runs", runs));
        Given.value("next", next);
    }
}
