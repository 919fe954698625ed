package io.holdfast.repository.race;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.migrations.Components;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;

/** The functions of the schema once more, one of them without a guard, in a schema of their own: the others are for all races. */
final class Unguarded {

    private static final List<String> FUNCTIONS = StreamSupport.stream(
                    Components.own().spliterator(), false)
            .flatMap(component -> component.functions().stream())
            .toList();

    private static final Pattern CALL = Pattern.compile("\\bholdfast\\.(" + String.join("|", FUNCTIONS) + ")\\(");

    private Unguarded() {}

    /** Makes them, and leads every call to them. */
    static UnaryOperator<String> functions(Guard guard) {
        assertThat(FUNCTIONS).contains(guard.of());
        RaceUnit.DATABASE.execute("create schema if not exists unguarded");
        FUNCTIONS.forEach(function -> {
            String text = text(function);
            RaceUnit.DATABASE.execute(called(function.equals(guard.of()) ? guard.takenOut(text) : text));
        });
        return Unguarded::called;
    }

    private static String called(String sql) {
        return CALL.matcher(sql).replaceAll("unguarded.$1(");
    }

    /** As the server has it, without comments, on one line and without quotes, as statements are sent. */
    private static String text(String function) {
        String text = RaceUnit.DATABASE.value("select pg_get_functiondef('holdfast." + function + "'::regproc)");
        return Objects.requireNonNull(text)
                .replaceAll("--[^\n]*", "")
                .replaceAll("\\s+", " ")
                .replace("\"holdfast\"", "holdfast");
    }
}
