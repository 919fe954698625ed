package io.holdfast.cli;

import io.holdfast.Scope;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Whose rows. */
final class ScopeOption {

    @Option(
            names = "--scope",
            paramLabel = "SCOPE",
            description =
                    "Whose: tenant or workspace, as it is stored. Without it: all in a list, the unscoped one else.")
    private @Nullable String scope;

    /** Null: all. */
    @Nullable
    String orAll() {
        return scope == null ? null : new Scope(scope).id();
    }

    Scope orUnscoped() {
        return scope == null ? Scope.UNSCOPED : new Scope(scope);
    }

    /** As it reads after what is in it. */
    static String of(Scope scope) {
        return scope.id().isEmpty() ? "without a scope" : "of scope " + Cell.safe(scope.id());
    }
}
