package io.holdfast.chaos;

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

    private final Map<String, Write> writes = new TreeMap<>();
    private final Grants grants = new Grants();
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
        checker.lookAtLogs();
        checker.lookAtEffects();
        checker.grants.check(stored.tokens(), checker::violation);
        new KeyChecker(checker.writes, stored, checker::violation).check(checker.history);
        new ReadChecker(checker.writes, stored, checker::violation).check(checker.history);
        new PassingChecker(checker.writes, checker::violation).check(checker.history);
        new Holding(checker::violation).check(checker.history);
        Answers.check(checker.history, checker::violation);
        new RunChecker(checker.writes, stored, checker::violation).check();
        if (stored.leftOpen() > 0) {
            checker.violation(
                    "stuck",
                    stored.leftOpen() + " transactions are open in which nothing is done, since 10 s and more");
        }
        return checker.violations;
    }

    private void read() {
        Map<String, Entry> calls = new HashMap<>();
        for (Entry entry : history) {
            if (entry.isCall()) {
                calls.put(entry.who() + "#" + entry.call(), entry);
                grants.called(entry);
                noteSent(entry);
                continue;
            }
            Entry call =
                    Objects.requireNonNull(calls.get(entry.who() + "#" + entry.call()), "an answer without a call");
            Write write = writes.get(call.write());
            if (write != null) {
                write.told(entry);
            }
            grants.told(call, entry);
        }
    }

    private void noteSent(Entry call) {
        if (call.write().equals(Entry.NONE)) {
            return;
        }
        if (call.operation().equals("commit")) {
            Objects.requireNonNull(writes.get(call.write()), "a commit without a write")
                    .committing(call.at());
            return;
        }
        writes.computeIfAbsent(call.write(), id -> new Write(call)).sent();
    }

    private Log log(String key) {
        return stored.logs().getOrDefault(key, new Log(0, List.of(), 0));
    }

    private void lookAtWrites() {
        Map<String, Long> closed = PassingChecker.closed(writes);
        for (Write write : writes.values()) {
            if (!write.isLogged()) {
                continue;
            }
            Log.Line line = log(write.key).find(write.id).orElse(null);
            if (line == null) {
                if (write.acknowledged() && write.began() > closed.getOrDefault(write.key, Long.MIN_VALUE)) {
                    violation("lost", write + " was acknowledged and is not there");
                }
                continue;
            }
            if (write.acknowledged() && write.number() > 0 && line.to() != write.number()) {
                violation("moved", write + " was number " + write.number() + " and is " + line.to());
            }
            if (write.refused()) {
                violation("refused", write + " was refused and is there");
            }
            // Whoever sends a write when somebody else has heard of a later grant must be refused.
            grants.before(write)
                    .ifPresent(grant -> violation(
                            "stale",
                            write + " was sent " + (write.began() - grant.told()) / 1_000_000 + " ms after "
                                    + grant.who() + " had heard of token " + grant.token()));
        }
    }

    private void lookAtLogs() {
        stored.logs().forEach((key, log) -> {
            long next = log.first();
            for (Log.Line line : log.lines()) {
                if (line.from() != next) {
                    violation("gap", key + " has number " + line.from() + " where " + next + " should be");
                }
                next = line.to() + 1;
            }
            if (log.last() != next - 1) {
                violation("gap", key + " says that " + log.last() + " is its last, which is " + (next - 1));
            }
            Set<String> seen = new HashSet<>();
            long token = 0;
            String ended = "";
            for (String id : log.writes()) {
                Write write = writes.get(id);
                if (!seen.add(id)) {
                    violation("twice", id + " is in " + key + " more than once");
                } else if (write == null || !write.key.equals(key)) {
                    violation("unasked", id + " is in " + key + " and nobody sent it there");
                } else if (write.token < token) {
                    violation("order", write + " comes after one under token " + token);
                } else {
                    token = write.token;
                    if (!ended.isEmpty() && !write.operation.equals("append")) {
                        violation("reopened", write + " comes after the end, " + ended);
                    }
                    ended = write.isLast() ? id : ended;
                }
            }
        });
    }

    private void lookAtEffects() {
        Map<String, Long> counts = stored.effects().stream()
                .collect(Collectors.groupingBy(Stored.Effect::write, TreeMap::new, Collectors.counting()));
        for (Write write : writes.values()) {
            if (write.operation.equals("update")) {
                boolean there = log(write.key).find(write.id).isPresent();
                long count = counts.getOrDefault(write.id, 0L);
                if (count != (there ? 1 : 0)) {
                    violation("effect", write + (there ? " is" : " is not") + " there, its effect " + count + " times");
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

    private void violation(String rule, String what) {
        violations.add(rule + ": " + what);
    }
}
