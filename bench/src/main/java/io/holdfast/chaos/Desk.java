package io.holdfast.chaos;

import io.holdfast.HoldfastException;
import io.holdfast.Scope;
import io.holdfast.repository.Holdfast;
import io.holdfast.repository.Stores;
import io.holdfast.state.WorkflowEvent;
import io.holdfast.state.WorkflowRules;
import io.holdfast.state.WorkflowState;
import io.holdfast.state.WorkflowStatus;
import io.holdfast.workflow.Workflow;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** All that one thread of a worker works with. */
final class Desk {

    static final Scope SCOPE = Scope.of("chaos");

    /** Short, so that pauses outlast it. */
    static final Duration TTL = Duration.ofSeconds(1);

    /** So few that workers meet all the time. */
    private static final int SLOTS = 3;

    /** Writes of a workflow before the next takes its place. */
    private static final int WRITES = 25;

    private static final int REPEATS = 3;

    final EntityManagerFactory factory;
    final Holdfast holdfast;
    final Stores stores;
    final Ledger ledger;
    final Random random;
    final String who;
    private final Told told;
    private final List<Frontier> slots = Frontier.ofSlots("workflow", "slot", SLOTS);
    private long writes;

    /** What was thrown last and is in the history. */
    private @Nullable Throwable noted;

    /** @param who a name that no other thread and no other life of a worker has; it is the owner of its leases */
    Desk(EntityManagerFactory factory, Holdfast holdfast, Ledger ledger, Told told, String who, long seed) {
        this.factory = factory;
        this.holdfast = holdfast;
        this.stores = holdfast.in(SCOPE);
        this.ledger = ledger;
        this.told = told;
        this.who = who;
        this.random = new Random(seed);
    }

    String nextWrite() {
        return who + ".w" + ++writes;
    }

    Told.Call call(String operation, String key, long token, String write) {
        return told.call(who, operation, key, token, write);
    }

    /**
     * Makes a call that is written down. An answer is a word of the workload's, or what {@link Failure} makes of an exception.
     */
    <T> T asking(Told.Call call, Supplier<T> question, Function<T, Answer> answer) {
        T value;
        try {
            value = question.get();
        } catch (RuntimeException | Error e) {
            wrote(call, Failure.word(e), e);
            throw e;
        }
        Answer said = answer.apply(value);
        call.told(said.word(), said.token() == 0 ? call.token() : said.token(), said.number());
        return value;
    }

    /** A read, of which it is written down which write it showed as the last, and at which number. */
    <T> T reading(String operation, String key, Supplier<T> question, Function<T, Seen> seen) {
        Told.Call call = call(operation, key, 0, Entry.NONE);
        T value;
        try {
            value = question.get();
        } catch (RuntimeException | Error e) {
            wrote(call, Failure.word(e), e);
            throw e;
        }
        call.saw(seen.apply(value));
        return value;
    }

    /** The same, and sends the very same again while it is not known what became of it. */
    <T> T insisting(Supplier<Told.Call> call, Supplier<T> question, Function<T, Answer> answer) {
        for (int tries = 1; ; tries++) {
            try {
                return asking(call.get(), question, answer);
            } catch (HoldfastException e) {
                if (e.code() != HoldfastException.Code.OUTCOME_UNKNOWN || tries == REPEATS) {
                    throw e;
                }
            }
        }
    }

    /** What an application asks the database by itself. */
    <T> T own(Function<EntityManager, T> question) {
        try (EntityManager manager = factory.createEntityManager()) {
            return question.apply(manager);
        } catch (RuntimeException | Error e) {
            wrote(call("own", who, 0, Entry.NONE), Failure.ofApplication(e, false), e);
            throw e;
        }
    }

    /** Of what a piece of work ended with: written down if it was no answer to a call, or it would be seen by nobody. */
    void ended(Throwable e) {
        if (e != noted) {
            wrote(call("work", who, 0, Entry.NONE), Failure.word(e), e);
        }
    }

    /** Writes down what a call ended with. */
    void wrote(Told.Call call, String word, Throwable e) {
        call.told(word);
        noted = e;
    }

    /** A workflow that still takes writes, made if it is not there. */
    Workflow workflow() {
        Frontier slot = slots.get(random.nextInt(SLOTS));
        while (true) {
            String id = slot.id(this);
            Optional<Workflow> found = find(id);
            if (found.isEmpty()) {
                WorkflowState fresh = WorkflowState.create(id, id);
                stores.workflows().create(fresh, Map.of());
                found = find(id);
            }
            Workflow workflow = found.orElseThrow();
            if (!workflow.state().status().isTerminal()
                    && workflow.state().events().size() < WRITES) {
                return workflow;
            }
            slot.moveOn(this);
        }
    }

    Optional<Workflow> find(String workflow) {
        return reading(
                "find-workflow",
                workflow,
                () -> stores.workflows().find(workflow),
                found -> found.map(at -> new Seen(lastEvent(at), at.revision())).orElse(Seen.NOTHING));
    }

    private static String lastEvent(Workflow workflow) {
        List<WorkflowEvent> events = workflow.state().events();
        return events.isEmpty() ? Entry.NONE : events.get(events.size() - 1).eventId();
    }

    /** The state with one event more, by whose id the write is found again. */
    static WorkflowState next(WorkflowState state, String write) {
        return state.events().size() == WRITES - 1
                ? WorkflowRules.transition(state, WorkflowStatus.CLOSED, write, Instant.now())
                : WorkflowRules.checkpoint(state, "at-work", write, Instant.now());
    }

    /** And a pause. */
    void severalTimes(Runnable work) throws InterruptedException {
        for (int left = 1 + random.nextInt(4); left > 0; left--) {
            work.run();
        }
        pause();
    }

    /** Short; now and then it outlasts a lease. */
    void pause() throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep(random.nextInt(12) == 0 ? random.nextInt(1_800) : random.nextInt(40));
    }

    /** With a transaction open that others wait for. */
    void pauseBriefly() {
        try {
            TimeUnit.MILLISECONDS.sleep(random.nextInt(20));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Often longer than the lease under which it began. */
    void pauseLong() throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep(random.nextInt(3) == 0 ? 800 + random.nextInt(1_000) : random.nextInt(40));
    }

    /** What a read showed: the last write and its number, as the place that was read counts. */
    record Seen(String write, long number) {

        static final Seen NOTHING = new Seen(Entry.NONE, 0);

        /** Where it does not say which write was the last. */
        static Seen at(Optional<Long> number) {
            return new Seen(Entry.NONE, number.orElse(0L));
        }
    }

    /**
     * What a call was told.
     *
     * @param token that was granted; 0 for that of the call
     */
    record Answer(String word, long token, long number) {

        /** Nothing was written. */
        static final String REFUSED = "refused";

        /** It may be either. */
        static final String UNKNOWN = "unknown";

        /** It may be either, and should not have been said. */
        static final String UNEXPECTED = "unexpected";

        /** A lease is another's; nothing was written. */
        static final String BUSY = "busy";

        static final String GRANTED = "granted";
        static final String RENEWED = "renewed";
        static final String RELEASED = "released";
        static final String DONE = "done";
        static final String FOUND = "found";
        static final String RESERVED = "reserved";

        /** Nobody had it, or it had lapsed. */
        static final String ANEW = "anew";

        static final String COMPLETED = "completed";

        static Answer refused() {
            return new Answer(REFUSED, 0, 0);
        }

        static Answer busy() {
            return new Answer(BUSY, 0, 0);
        }

        static Answer done(long revision) {
            return new Answer(DONE, 0, revision);
        }
    }
}
