package io.holdfast.repository.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.HoldfastException;
import io.holdfast.Scope;
import io.holdfast.repository.Holdfast;
import io.holdfast.repository.Settings;
import io.holdfast.repository.model.ExecutionDeeds.Deed;
import io.holdfast.repository.model.ExecutionDeeds.Memory;
import io.holdfast.testing.TestDatabase;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Several actors do whatever comes to their mind to runs, journals and approvals, each call alone or a few in one transaction
 * that may be rolled back, and on a model of them in memory. Every answer is equal, and so is all that the tables hold.
 *
 * <p>A failure names its seed. {@code -Dholdfast.test.seed=…} runs that one alone, {@code -Dholdfast.test.steps=…} makes it
 * longer or shorter.
 */
class ExecutionModelTest {

    private static final int STEPS = Integer.getInteger("holdfast.test.steps", 5_000);
    private static final int COMPARED_EVERY = 5;
    private static final int REMEMBERED = 25;

    private static TestDatabase database;
    private static Holdfast holdfast;

    @BeforeAll
    static void open() {
        database = TestDatabase.migrated("execution model");
        holdfast = Holdfast.open(Settings.of(database.url(), database.user(), database.password()));
    }

    @AfterAll
    static void close() {
        holdfast.close();
        database.close();
    }

    @Test
    void anySequenceOfCallsIsAsTheModelSays() throws SQLException {
        String given = System.getProperty("holdfast.test.seed", "");
        long seed = given.isEmpty() ? new Random().nextInt(1_000_000_000) : Long.parseLong(given);
        System.out.println("ExecutionModelTest: -Dholdfast.test.seed=" + seed);
        try (ExecutionTables tables = new ExecutionTables(database)) {
            Sequence sequence = new Sequence(seed, tables);
            sequence.steps(STEPS);
            // Nothing is shown by a run in which nobody got anywhere.
            assertThat(sequence.answers).as("kinds of answers").hasSizeGreaterThan(60);
        }
    }

    private static final class Undone extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    private record Refused(String by) {}

    /** One random sequence. All of it, but for what the database makes up, follows from the seed. */
    private static final class Sequence {

        private final long seed;
        private final Random random;
        private final ExecutionTables tables;
        private final List<ExecutionModel> models;
        private final ExecutionDeeds deeds;
        private final Map<String, Memory> actors = new TreeMap<>();
        private final Deque<String> trace = new ArrayDeque<>();
        private final TreeSet<String> answers = new TreeSet<>();
        private int step;
        private long now;

        Sequence(long seed, ExecutionTables tables) throws SQLException {
            this.seed = seed;
            this.random = new Random(seed);
            this.tables = tables;
            tables.clear();
            this.models = List.of(
                    new ExecutionModel(Scope.UNSCOPED, () -> now), new ExecutionModel(Scope.of("acme"), () -> now));
            this.deeds = new ExecutionDeeds(random, models.size());
            List.of("ada", "bob", "cyd").forEach(name -> actors.put(name, new Memory()));
        }

        void steps(int count) throws SQLException {
            try {
                while (step < count) {
                    String actor = List.copyOf(actors.keySet()).get(random.nextInt(actors.size()));
                    switch (random.nextInt(40)) {
                        case 0, 1 -> timePasses();
                        case 2, 3, 4, 5 -> together(actor);
                        default -> does(holdfast, actor, actors.get(actor));
                    }
                    if (step % COMPARED_EVERY == 0) {
                        sameTables();
                    }
                }
                sameTables();
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError(
                        "seed " + seed + ", step " + step + " of:\n  " + String.join("\n  ", trace) + "\n"
                                + e.getMessage(),
                        e);
            }
        }

        private void timePasses() throws SQLException {
            step++;
            tables.age(1);
            now += ExecutionModel.HOUR;
            trace("an hour passes");
        }

        /** A few calls in one transaction. Of what is undone nobody remembers anything. */
        private void together(String actor) throws SQLException {
            boolean undone = random.nextInt(3) == 0;
            int calls = 1 + random.nextInt(4);
            Memory memory = undone ? actors.get(actor).copy() : actors.get(actor);
            List<ExecutionRows> before =
                    models.stream().map(model -> model.rows.copy()).toList();
            trace(actor + " in one transaction" + (undone ? ", undone" : "") + ":");
            try {
                holdfast.atomically(bound -> {
                    for (int call = 0; call < calls; call++) {
                        does(bound, actor, memory);
                    }
                    if (undone) {
                        throw new Undone();
                    }
                    return calls;
                });
            } catch (Undone e) {
                for (int scope = 0; scope < models.size(); scope++) {
                    models.get(scope).rows = before.get(scope);
                }
            }
            sameTables();
        }

        private void does(Holdfast with, String actor, Memory memory) {
            Deed deed = deeds.next(actor, memory);
            ExecutionModel model = models.get(deed.scope());
            step++;
            now++;
            trace(actor + ": " + deed.name() + " in " + deed.scope());
            Object stored = answer(() -> deed.store().apply(with.in(model.scope)));
            Object modelled = answer(() -> deed.model().apply(model));
            assertThat(Answers.plain(stored)).as(deed.name()).isEqualTo(Answers.plain(modelled));
            String kind = deed.name() + " " + kind(stored);
            answers.add(kind);
            trace.addLast(trace.removeLast() + " -> " + kind);
            memory.learn(deed, stored);
        }

        private static String kind(Object answer) {
            String plain = Answers.plain(answer);
            return plain.matches("\\w+\\((reason|term|obstacle|same)=\\w+\\)")
                    ? plain
                    : answer.getClass().getSimpleName();
        }

        private static Object answer(Supplier<Object> call) {
            try {
                return call.get();
            } catch (HoldfastException e) {
                return new Refused(e.getClass().getSimpleName());
            }
        }

        private void sameTables() throws SQLException {
            List<String> expected = new ArrayList<>();
            models.forEach(model -> expected.addAll(ExecutionTables.lines(model)));
            assertThat(tables.lines()).as("tables").containsExactlyInAnyOrderElementsOf(expected);
        }

        private void trace(String line) {
            trace.addLast(step + " " + line);
            if (trace.size() > REMEMBERED) {
                trace.removeFirst();
            }
        }
    }
}
