package io.holdfast.example.blackbox;

import java.util.UUID;

/** The two instances, and ids that no other run has used. */
final class Pair {

    private final Instance first;
    private final Instance second;
    private final String run = UUID.randomUUID().toString().substring(0, 8);

    Pair(Instance first, Instance second) {
        this.first = first;
        this.second = second;
    }

    Instance first() {
        return first;
    }

    Instance second() {
        return second;
    }

    String id(String name) {
        return name + "-" + run;
    }
}
