package io.holdfast.repository.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.HoldfastException;
import io.holdfast.Scope;
import io.holdfast.cleanup.Cutoff;
import io.holdfast.cleanup.Removed;
import io.holdfast.idempotency.KeyClaim;
import io.holdfast.repository.Holdfast;
import io.holdfast.testing.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** One random sequence. All of it, but for what the database makes up, follows from the seed. */
final class ModelRun implements AutoCloseable {

    private static final long HOUR = 3_600_000_000L;
    private static final int COMPARED_EVERY = 5;
    private static final int REMEMBERED = 25;

    private final Random random;
    private final Holdfast holdfast;
    private final ModelTables tables;
    private final List<Scope> scopes;
    private final List<ModelScope> model;
    private final List<Actor> actors;
    private final Deeds deeds;
    private final Numbers numbers = new Numbers();
    private final Deque<String> trace = new ArrayDeque<>();
    private final SortedSet<String> answers = new TreeSet<>();
    private final long seed;
    private int step;
    private long now;

    ModelRun(long seed, Holdfast holdfast, TestDatabase database) throws SQLException {
        this.seed = seed;
        this.random = new Random(seed);
        this.holdfast = holdfast;
        this.tables = new ModelTables(database);
        this.tables.clear();
        this.scopes = List.of(Scope.UNSCOPED, Scope.of("acme"));
        this.model = scopes.stream().map(scope -> new ModelScope(() -> now)).toList();
        this.actors = Stream.of("ada", "bob", "cyd")
                .map(name -> new Actor(name, random))
                .toList();
        this.deeds = new Deeds(random, scopes.size());
    }

    /** Which answers have been given. */
    SortedSet<String> answers() {
        return answers;
    }

    void steps(int count) throws SQLException {
        try {
            for (int until = step + count; step < until; ) {
                switch (random.nextInt(40)) {
                    case 0 -> timePasses();
                    case 1 -> cleanUpEverywhere();
                    case 2, 3, 4, 5 -> together();
                    default -> alone();
                }
                if (step % COMPARED_EVERY == 0) {
                    sameTables();
                }
            }
            sameTables();
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError(
                    "seed " + seed + ", step " + step + " of:\n  " + String.join("\n  ", trace) + "\n" + e.getMessage(),
                    e);
        }
    }

    private void alone() {
        Actor actor = actors.get(random.nextInt(actors.size()));
        Deed deed = deeds.next(actor);
        does(holdfast, actor, deed);
    }

    private static final class Undone extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    /**
     * A few calls in one transaction, which is then rolled back or not. What was read in one that was rolled back was never
     * stored, and a later state may have its revision: to go on from there is not allowed.
     */
    private void together() throws SQLException {
        Actor awake = actors.get(random.nextInt(actors.size()));
        int calls = 1 + random.nextInt(4);
        boolean undone = random.nextInt(3) == 0;
        Actor actor = undone ? awake.dreaming() : awake;
        List<ModelRows> before = model.stream().map(scope -> scope.rows.copy()).toList();
        trace(actor.name + " in one transaction" + (undone ? ", undone" : "") + ":");
        try {
            holdfast.atomically(bound -> {
                for (int call = 0; call < calls; call++) {
                    does(bound, actor, deeds.next(actor));
                }
                if (undone) {
                    throw new Undone();
                }
                return calls;
            });
        } catch (Undone e) {
            for (int scope = 0; scope < before.size(); scope++) {
                model.get(scope).rows = before.get(scope);
            }
        }
        sameTables();
    }

    private void does(Holdfast with, Actor actor, Deed deed) {
        step++;
        now++;
        trace(actor.name + ": " + deed);
        Object stored = answer(() -> deed.store().apply(with.in(scopes.get(deed.scope()))));
        Object modelled = answer(() -> deed.model().apply(model.get(deed.scope()), stored));
        String kind = deed.name().split(" ", 2)[0] + " " + kind(stored);
        assertThat(Answers.plain(stored)).as(deed.toString()).isEqualTo(Answers.plain(modelled));
        List<KeyClaim> claims = Answers.all(KeyClaim.class, modelled);
        Answers.all(KeyClaim.class, stored)
                .forEach(claim -> numbers.same(
                        scopes.get(deed.scope()),
                        claim.key(),
                        claim.reservation(),
                        claims.remove(0).reservation()));
        answers.add(kind);
        trace.addLast(trace.removeLast() + " -> " + kind);
        actor.learn(deed, stored, modelled);
    }

    /** With the reason, if it has one. */
    private static String kind(Object answer) {
        String plain = Answers.plain(answer);
        return plain.matches("\\w+\\((reason|field|breach)=\\w+\\)|true|false")
                ? plain
                : answer.getClass().getSimpleName();
    }

    private record Refused(String by) {}

    private static Object answer(Supplier<Object> call) {
        try {
            return call.get();
        } catch (HoldfastException e) {
            return new Refused(e.getClass().getSimpleName());
        }
    }

    private void timePasses() throws SQLException {
        int hours = 1 + random.nextInt(2);
        step++;
        trace(hours + " hours pass");
        tables.age(hours);
        now += hours * HOUR;
    }

    private void cleanUpEverywhere() {
        step++;
        now++;
        Cutoff cutoff = new Cutoff(Duration.ofHours(random.nextInt(2)), Duration.ofHours(random.nextInt(3)), 1_000);
        trace("clean up everywhere " + cutoff);
        int workflows = 0;
        int keys = 0;
        int leases = 0;
        for (ModelScope scope : model) {
            Removed removed = new ModelCleanup(scope).pass(cutoff);
            workflows += removed.workflows();
            keys += removed.keys();
            leases += removed.leases();
        }
        assertThat(holdfast.cleanup().pass(cutoff)).isEqualTo(new Removed(workflows, keys, leases));
    }

    private void sameTables() throws SQLException {
        List<String> expected = new ArrayList<>();
        for (int scope = 0; scope < scopes.size(); scope++) {
            expected.addAll(ModelTables.lines(scopes.get(scope), model.get(scope).rows, now));
        }
        assertThat(tables.lines()).as("tables").containsExactlyInAnyOrderElementsOf(expected);
        for (int i = 0; i < scopes.size(); i++) {
            Scope scope = scopes.get(i);
            ModelRows rows = model.get(i).rows;
            tables.reservations(scope)
                    .forEach((key, stored) ->
                            numbers.same(scope, key, stored, rows.keys.get(key).reservation()));
        }
    }

    private void trace(String line) {
        trace.addLast(step + " " + line);
        if (trace.size() > REMEMBERED) {
            trace.removeFirst();
        }
    }

    @Override
    public void close() throws SQLException {
        tables.close();
    }
}
