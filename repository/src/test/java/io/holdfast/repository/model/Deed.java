package io.holdfast.repository.model;

import io.holdfast.repository.Stores;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * One call, which can be made again: the same arguments for the store and for the model.
 *
 * @param model takes the store's answer as well, for what the store makes up by chance
 */
record Deed(String name, int scope, Function<Stores, Object> store, BiFunction<ModelScope, Object, Object> model) {

    @Override
    public String toString() {
        return name + " in scope " + scope;
    }
}
