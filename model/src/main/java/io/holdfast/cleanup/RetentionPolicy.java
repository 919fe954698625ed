package io.holdfast.cleanup;

import io.holdfast.Scope;
import io.holdfast.codec.Given;
import java.util.HashMap;
import java.util.Map;

/**
 * What is kept, scope by scope.
 *
 * @param usual of every scope that has no rule of its own
 * @param scopes the rules of those that have; each replaces the usual one as a whole
 */
public record RetentionPolicy(RetentionRule usual, Map<Scope, RetentionRule> scopes) {

    /** {@link RetentionRule#DEFAULT} for every scope. */
    public static final RetentionPolicy DEFAULT = of(RetentionRule.DEFAULT);

    public RetentionPolicy {
        Given.value("usual", usual);
        Given.value("scopes", scopes).forEach((scope, rule) -> {
            Given.value("scopes", scope);
            Given.value("scopes", rule);
        });
        scopes = Map.copyOf(scopes);
    }

    public static RetentionPolicy of(RetentionRule usual) {
        return new RetentionPolicy(usual, Map.of());
    }

    /** The same, with a rule of its own for a scope. */
    public RetentionPolicy with(Scope scope, RetentionRule rule) {
        Map<Scope, RetentionRule> all = new HashMap<>(scopes);
        all.put(Given.value("scope", scope), Given.value("rule", rule));
        return new RetentionPolicy(usual, all);
    }

    public RetentionRule of(Scope scope) {
        return scopes.getOrDefault(Given.value("scope", scope), usual);
    }
}
