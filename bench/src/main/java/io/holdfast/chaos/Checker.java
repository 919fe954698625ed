package io.holdfast.chaos;

import io.holdfast.chaos.Desk.Answer;
import io.holdfast.codec.Fingerprint;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Holds what workers were told against what is stored. A violation begins with the name of its rule. Times are compared across
 * processes by the one monotonic clock of the machine, and only where one call had ended before the other began.
 */
final class Checker {

    /** The server's clock and the machine's are one, but the one is set while the other is not. */
    private static final long SLACK_NANOS = 50_000_000L;

    private final Map<String, Write> writes = new TreeMap<>();
    private final Map<String, List<Grant>> grants = new TreeMap<>();
    private final List<Entry> history;
    private final Stored stored;
    private final List<String> violations = new ArrayList<>();

    private Checker(List<Entry> history, Stored stored) {
        this.history =
                history.stream().sorted(Comparator.comparingLong(Entry::at)).toList();
        this.stored = stored;
    }

    static List<String> violations(List<Entry> history, Stored stored) {
        Checker checker = new Checker(history, stored);
        checker.read();
        checker.lookAtWrites();
        checker.lookAtWorkflows();
        checker.lookAtEffects();
        checker.lookAtGrants();
        checker.lookAtFences();
        checker.lookAtKeys();
        if (stored.leftOpen() > 0) {
            checker.violation("stuck", stored.leftOpen() + " transactions are open after everybody has stopped");
        }
        return checker.violations;
    }

    /** What is known of a write from all the times that it was sent. */
    private static final class Write {
        final String id;
        final String operation;
        final String key;
        final long token;
        /** When it was sent first, or, in a transaction of the application's, committed. */
        long began;

        int open;
        boolean acknowledged;
        boolean unknown;
        long revision;

        Write(Entry call) {
            id = call.write();
            operation = call.operation();
            key = call.key();
            token = call.token();
            began = call.at();
        }

        boolean isOfWorkflow() {
            return !operation.equals("complete");
        }

        /** Each time that it was sent, it was said that nothing was written. */
        boolean refused() {
            return !acknowledged && !unknown && open == 0;
        }
    }

    /** A grant that a worker heard of, and until when it is certain to have had the lease if it did not give it up. */
    private record Grant(String who, long token, long called, long told, long ends, long releasing) {

        Grant until(long end) {
            return new Grant(who, token, called, told, Math.max(ends, end), releasing);
        }

        Grant releasingAt(long at) {
            return new Grant(who, token, called, told, ends, Math.min(releasing, at));
        }
    }

    private void read() {
        Map<String, Entry> calls = new HashMap<>();
        for (Entry entry : history) {
            if (entry.isCall()) {
                calls.put(entry.who() + "#" + entry.call(), entry);
                noteGivenUp(entry);
                noteSent(entry);
                continue;
            }
            Entry call =
                    Objects.requireNonNull(calls.get(entry.who() + "#" + entry.call()), "an answer without a call");
            noteAnswer(call, entry);
        }
    }

    /** By a release, and by asking for it anew: the same owner is granted it again, and its former token is dead. */
    private void noteGivenUp(Entry call) {
        boolean anew = call.operation().equals("acquire");
        if (anew || call.operation().equals("release")) {
            granted(call.key())
                    .replaceAll(grant -> grant.who().equals(call.who()) && (anew || isOf(grant, call))
                            ? grant.releasingAt(call.at())
                            : grant);
        }
    }

    private List<Grant> granted(String key) {
        return grants.computeIfAbsent(key, k -> new ArrayList<>());
    }

    private static boolean isOf(Grant grant, Entry entry) {
        return grant.token() == entry.token() && grant.who().equals(entry.who());
    }

    private void noteSent(Entry call) {
        if (call.write().equals(Entry.NONE)) {
            return;
        }
        Write write = writes.get(call.write());
        if (call.operation().equals("commit")) {
            Objects.requireNonNull(write, "a commit without a write").began = call.at();
            return;
        }
        writes.computeIfAbsent(call.write(), id -> new Write(call)).open++;
    }

    private void noteAnswer(Entry call, Entry answer) {
        Write write = writes.get(answer.write());
        if (write != null) {
            write.open--;
            write.unknown |= answer.answer().equals(Answer.UNKNOWN);
            if (answer.answer().equals(Answer.DONE)) {
                write.acknowledged = true;
                write.revision = answer.number();
            }
        }
        long end = call.at() + answer.number() * 1_000_000;
        if (answer.answer().equals(Answer.GRANTED)) {
            granted(answer.key())
                    .add(new Grant(answer.who(), answer.token(), call.at(), answer.at(), end, Long.MAX_VALUE));
        } else if (answer.answer().equals(Answer.RENEWED)) {
            granted(answer.key()).replaceAll(g -> isOf(g, answer) ? g.until(end) : g);
        }
    }

    private void lookAtWrites() {
        for (Write write : writes.values()) {
            if (!write.isOfWorkflow()) {
                continue;
            }
            List<String> there = stored.writes().getOrDefault(write.key, List.of());
            int at = there.indexOf(write.id);
            if (write.acknowledged && at < 0) {
                violation("lost", describe(write) + " was acknowledged and is not there");
            } else if (write.acknowledged && at + 2 != write.revision) {
                violation("moved", describe(write) + " was revision " + write.revision + " and is " + (at + 2));
            }
            if (write.refused() && at >= 0) {
                violation("refused", describe(write) + " was refused and is there");
            }
        }
    }

    private void lookAtWorkflows() {
        stored.writes().forEach((workflow, there) -> {
            long revision = stored.revisions().getOrDefault(workflow, 0L);
            if (revision != there.size() + 1) {
                violation("gap", workflow + " is at revision " + revision + " with " + there.size() + " writes");
            }
            Set<String> seen = new HashSet<>();
            long token = 0;
            for (String id : there) {
                Write write = writes.get(id);
                if (!seen.add(id)) {
                    violation("twice", id + " is in " + workflow + " more than once");
                } else if (write == null || !write.key.equals(workflow)) {
                    violation("unasked", id + " is in " + workflow + " and nobody sent it there");
                } else if (write.token < token) {
                    violation("order", describe(write) + " comes after one under token " + token);
                } else {
                    token = write.token;
                }
            }
        });
    }

    private void lookAtEffects() {
        Map<String, Long> counts = stored.effects().stream()
                .collect(Collectors.groupingBy(Stored.Effect::write, TreeMap::new, Collectors.counting()));
        for (Write write : writes.values()) {
            if (write.operation.equals("update")) {
                boolean there =
                        stored.writes().getOrDefault(write.key, List.of()).contains(write.id);
                long count = counts.getOrDefault(write.id, 0L);
                if (count != (there ? 1 : 0)) {
                    violation(
                            "effect",
                            describe(write) + (there ? " is" : " is not") + " there, its effect " + count + " times");
                }
            }
        }
        for (Stored.Effect effect : stored.effects()) {
            Write write = writes.get(effect.write());
            if (write == null || write.token != effect.token()) {
                violation("unasked", "the effect of " + effect.write() + " under token " + effect.token());
            }
        }
    }

    private void lookAtGrants() {
        grants.forEach((key, granted) -> {
            Map<Long, Grant> byToken = new HashMap<>();
            long newest = 0;
            for (Grant grant : granted) {
                if (byToken.put(grant.token(), grant) != null) {
                    violation("token", key + " was granted twice with token " + grant.token());
                }
                newest = Math.max(newest, grant.token());
            }
            if (stored.tokens().getOrDefault(key, 0L) < newest) {
                violation("token", key + " was granted with token " + newest + ", and the row has an earlier one");
            }
            for (int i = 0; i < granted.size(); i++) {
                for (int j = i + 1; j < granted.size(); j++) {
                    lookAtPair(key, granted.get(i), granted.get(j));
                    if (granted.get(j).called() > granted.get(i).ends()) {
                        break; // and so are all that follow, but for those who waited
                    }
                }
            }
        });
    }

    /** Two grants of a key, in the order in which they were heard of. */
    private void lookAtPair(String key, Grant first, Grant second) {
        if (first.told() > second.called()) {
            return;
        }
        if (second.token() <= first.token()) {
            violation("token", key + ": " + second.token() + " was granted after " + first.token());
        }
        long end = Math.min(first.ends() - SLACK_NANOS, first.releasing());
        if (!first.who().equals(second.who()) && second.told() < end) {
            violation("overlap", key + ": " + second + " while " + first);
        }
    }

    /** Whoever sends a write when somebody else has heard of a later grant must be refused. */
    private void lookAtFences() {
        for (Write write : writes.values()) {
            if (!write.isOfWorkflow()
                    || !stored.writes().getOrDefault(write.key, List.of()).contains(write.id)) {
                continue;
            }
            grants.getOrDefault(write.key, List.of()).stream()
                    .filter(grant -> grant.token() > write.token && grant.told() < write.began)
                    .findFirst()
                    .ifPresent(grant -> violation(
                            "stale",
                            describe(write) + " was sent " + (write.began - grant.told()) / 1_000_000 + " ms after "
                                    + grant.who() + " had heard of token " + grant.token()));
        }
    }

    private void lookAtKeys() {
        Map<String, List<Write>> completed = new TreeMap<>();
        for (Write write : writes.values()) {
            String key = switch (write.operation) {
                case "complete" -> write.key;
                case "step", "finish" -> write.key + ":" + (write.revision - 1);
                default -> "";
            };
            if (write.acknowledged && !key.isEmpty()) {
                completed.computeIfAbsent(key, k -> new ArrayList<>()).add(write);
            } else if (write.refused() && write.operation.equals("complete") && isOutcome(key, write)) {
                violation("refused", describe(write) + " was refused and is the outcome");
            }
        }
        completed.forEach((key, by) -> {
            if (by.size() > 1) {
                violation(
                        "twice",
                        key + " was completed by "
                                + by.stream().map(Checker::describe).toList());
            }
            if (by.stream().noneMatch(write -> isOutcome(key, write))) {
                violation(
                        "lost", key + " was completed by " + describe(by.get(0)) + " and has another outcome, or none");
            }
        });
        for (Entry entry : history) {
            String told = entry.answer();
            if (told.startsWith(Answer.COMPLETED)
                    && !told.substring(Answer.COMPLETED.length() + 1)
                            .equals(stored.outcomes().get(entry.key()))) {
                violation("changed", entry.key() + " was said to be completed with another outcome than it has");
            }
        }
    }

    private boolean isOutcome(String key, Write write) {
        return Fingerprint.ofText(write.id).equals(stored.outcomes().get(key));
    }

    private static String describe(Write write) {
        return write.operation + " " + write.id + " on " + write.key + " under token " + write.token;
    }

    private void violation(String rule, String what) {
        violations.add(rule + ": " + what);
    }
}
