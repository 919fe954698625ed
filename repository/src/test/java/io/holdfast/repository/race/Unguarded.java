package io.holdfast.repository.race;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.migrations.Component;
import java.util.Objects;
import java.util.function.UnaryOperator;

/** The functions of the schema once more, one of them without a guard, in a schema of their own: the others are for all races. */
final class Unguarded {

    private static final String CALL = "holdfast.step_";
    private static final String UNGUARDED = "unguarded.step_";

    private Unguarded() {}

    /** Makes them, and leads every call to them. */
    static UnaryOperator<String> functions(Guard guard) {
        assertThat(Component.core().functions()).contains(guard.of());
        RaceUnit.DATABASE.execute("create schema if not exists unguarded");
        Component.core().functions().forEach(function -> {
            String text = text(function);
            RaceUnit.DATABASE.execute(
                    (function.equals(guard.of()) ? guard.takenOut(text) : text).replace(CALL, UNGUARDED));
        });
        return sql -> sql.replace(CALL, UNGUARDED);
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
