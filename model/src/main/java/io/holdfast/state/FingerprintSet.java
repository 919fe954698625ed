package io.holdfast.state;

import io.holdfast.codec.Given;
import io.holdfast.codec.Identifier;
import io.holdfast.failure.InvalidValueException;
import java.util.AbstractSet;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * A set of fingerprints that has been checked and will not change; iterates in order. Each step of a workflow makes a new
 * state that shares these sets with the one before: being a type of its own, a set is checked once and not with every step.
 */
final class FingerprintSet extends AbstractSet<String> {

    private static final FingerprintSet EMPTY = new FingerprintSet(List.of());

    private final List<String> sorted;

    private FingerprintSet(List<String> sorted) {
        this.sorted = sorted;
    }

    static Set<String> checked(String field, Collection<String> fingerprints) {
        if (fingerprints instanceof FingerprintSet already) {
            return already;
        }
        Given.value(field, fingerprints);
        TreeSet<String> copy = new TreeSet<>();
        for (String fingerprint : fingerprints) {
            copy.add(Identifier.fingerprint(field, fingerprint));
            if (copy.size() > WorkflowState.MAX_EVIDENCE) {
                throw new InvalidValueException(field, "have at most " + WorkflowState.MAX_EVIDENCE + " fingerprints");
            }
        }
        return copy.isEmpty() ? EMPTY : new FingerprintSet(List.copyOf(copy));
    }

    @Override
    public boolean contains(Object fingerprint) {
        return fingerprint instanceof String text && Collections.binarySearch(sorted, text) >= 0;
    }

    @Override
    public Iterator<String> iterator() {
        return sorted.iterator();
    }

    @Override
    public int size() {
        return sorted.size();
    }
}
