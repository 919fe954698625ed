package io.holdfast.chaos;

import io.holdfast.chaos.Desk.Answer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/** The leases that workers were told they have. */
final class Grants {

    /** The server's clock and the machine's are one, but the one is set while the other is not. */
    private static final long SLACK_NANOS = 50_000_000L;

    /** Whoever asks so for a lease that he has is granted it anew, and his former token is dead. */
    private static final Set<String> ASKING = Set.of("acquire", "open", "claim");

    private static final Set<String> RELEASING = Set.of("release", "pause", "end", "close-passing");

    private final Map<String, List<Grant>> grants = new TreeMap<>();

    /** A grant that a worker heard of, and until when it is certain to have had the lease if it did not give it up. */
    record Grant(String who, long token, long called, long told, long ends, long releasing) {

        private Grant until(long end) {
            return new Grant(who, token, called, told, Math.max(ends, end), releasing);
        }

        private Grant releasingAt(long at) {
            return new Grant(who, token, called, told, ends, Math.min(releasing, at));
        }

        private boolean isOf(Entry entry) {
            return token == entry.token() && who.equals(entry.who());
        }
    }

    void called(Entry call) {
        boolean anew = ASKING.contains(call.operation());
        if (anew || RELEASING.contains(call.operation())) {
            granted(call.key())
                    .replaceAll(grant -> grant.who().equals(call.who()) && (anew || grant.isOf(call))
                            ? grant.releasingAt(call.at())
                            : grant);
        }
    }

    void told(Entry call, Entry answer) {
        long end = call.at() + answer.number() * 1_000_000;
        if (answer.answer().equals(Answer.GRANTED)) {
            granted(answer.key())
                    .add(new Grant(answer.who(), answer.token(), call.at(), answer.at(), end, Long.MAX_VALUE));
        } else if (answer.answer().equals(Answer.RENEWED)) {
            granted(answer.key()).replaceAll(grant -> grant.isOf(answer) ? grant.until(end) : grant);
        }
    }

    private List<Grant> granted(String key) {
        return grants.computeIfAbsent(key, k -> new ArrayList<>());
    }

    /** Of a later token, if somebody had heard of one when this was sent. */
    Optional<Grant> before(Write write) {
        return grants.getOrDefault(write.key, List.of()).stream()
                .filter(grant -> grant.token() > write.token && grant.told() < write.began())
                .findFirst();
    }

    void check(Map<String, Long> tokens, BiConsumer<String, String> violation) {
        grants.forEach((key, granted) -> {
            Map<Long, Grant> byToken = new HashMap<>();
            long newest = 0;
            for (Grant grant : granted) {
                if (byToken.put(grant.token(), grant) != null) {
                    violation.accept("token", key + " was granted twice with token " + grant.token());
                }
                newest = Math.max(newest, grant.token());
            }
            if (tokens.getOrDefault(key, 0L) < newest) {
                violation.accept(
                        "token", key + " was granted with token " + newest + ", and the row has an earlier one");
            }
            for (int i = 0; i < granted.size(); i++) {
                for (int j = i + 1; j < granted.size(); j++) {
                    pair(key, granted.get(i), granted.get(j), violation);
                    if (granted.get(j).called() > granted.get(i).ends()) {
                        break; // and so are all that follow, but for those who waited
                    }
                }
            }
        });
    }

    /** Two grants of a key, in the order in which they were heard of. */
    private static void pair(String key, Grant first, Grant second, BiConsumer<String, String> violation) {
        if (first.told() > second.called()) {
            return;
        }
        if (second.token() <= first.token()) {
            violation.accept("token", key + ": " + second.token() + " was granted after " + first.token());
        }
        long end = Math.min(first.ends() - SLACK_NANOS, first.releasing());
        if (!first.who().equals(second.who()) && second.told() < end) {
            violation.accept("overlap", key + ": " + second + " while " + first);
        }
    }
}
