package io.holdfast.example.agent;

import java.util.ArrayList;
import java.util.List;

/** One run, and where its processes die: the first at the first of the points, and so on; the one after them lives. */
final class Trial {

    /** How the first process is ended. */
    enum Kind {
        /** Together with others in one JVM: see {@link Mortal}. */
        CUT_OFF("cut off"),
        /** As a process of its own: see {@link AgentProcess}. */
        KILLED("killed");

        private final String text;

        Kind(String text) {
            this.text = text;
        }
    }

    private final String run;
    private final Kind kind;
    private final List<Integer> deaths;
    private final List<List<String>> lives = new ArrayList<>();

    Trial(String run, Kind kind, List<Integer> deaths) {
        this.run = run;
        this.kind = kind;
        this.deaths = List.copyOf(deaths);
    }

    String run() {
        return run;
    }

    Kind kind() {
        return kind;
    }

    /** Where the next process dies; 0: nowhere. */
    int next() {
        return lives.size() < deaths.size() ? deaths.get(lives.size()) : 0;
    }

    /** @param passed the points of that life */
    void lived(List<String> passed) {
        if (next() != 0 && passed.size() != next()) {
            throw new IllegalStateException(run + " was over before point " + next());
        }
        lives.add(List.copyOf(passed));
    }

    boolean isOver() {
        return lives.size() > deaths.size();
    }

    int restarts() {
        return lives.size() - 1;
    }

    /** The points of a life, from 0. */
    List<String> life(int number) {
        return lives.get(number);
    }

    /** Where it died, with the number of the point. */
    String place() {
        List<String> places = new ArrayList<>();
        for (int i = 0; i < deaths.size(); i++) {
            places.add(deaths.get(i) + " " + lives.get(i).get(deaths.get(i) - 1));
        }
        return String.join(", then ", places);
    }

    String how() {
        return kind.text;
    }
}
