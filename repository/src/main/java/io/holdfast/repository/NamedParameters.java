package io.holdfast.repository;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A statement as JDBC takes it, with question marks, and where each named parameter goes.
 *
 * @param places by name, from 0
 */
record NamedParameters(String sql, Map<String, List<Integer>> places, int count) {

    /** In our statements a colon begins a parameter and nothing else: casts are written out, and no literal has one. */
    private static final Pattern NAME = Pattern.compile(":([a-z_]+)");

    private static final Pattern TABLE = Pattern.compile("\\{[a-z_]+}");

    static NamedParameters of(String sql) {
        Map<String, List<Integer>> places = new HashMap<>();
        Matcher name = NAME.matcher(sql);
        int count = 0;
        while (name.find()) {
            places.computeIfAbsent(name.group(1), any -> new ArrayList<>()).add(count++);
        }
        return new NamedParameters(name.replaceAll("?"), places, count);
    }

    /** In one pass: a schema's name may look like a placeholder. */
    NamedParameters naming(Map<String, String> tables) {
        String named = TABLE.matcher(sql)
                .replaceAll(table -> Matcher.quoteReplacement(tables.getOrDefault(table.group(), table.group())));
        return new NamedParameters(named, places, count);
    }

    /** @throws IllegalArgumentException if the statement has no such parameter */
    List<Integer> placesOf(String name) {
        List<Integer> found = places.get(name);
        if (found == null) {
            throw new IllegalArgumentException("No parameter " + name);
        }
        return found;
    }
}
